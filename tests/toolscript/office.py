"""An office: tools that must be searched for, and a clock."""

from toolscript import FunctionToolset


def office() -> FunctionToolset[object]:
    """Return a toolset of four tools, three of them deferred."""
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def now() -> str:
        """The time."""
        return 'noon'

    @toolset.tool_plain(defer_loading=True)
    def send_mail(to: str, text: str) -> str:
        """Send an e-mail message."""
        return f'to {to}: {text}'

    @toolset.tool_plain(defer_loading=True)
    def create_invoice(customer: str, amount: float) -> str:
        """Bill a customer."""
        return f'{customer} owes {amount}'

    @toolset.tool_plain(defer_loading=True)
    def refund_payment(payment_id: str) -> str:
        """Give money back."""
        return f'{payment_id} refunded'

    return toolset
