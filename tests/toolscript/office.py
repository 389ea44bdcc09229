"""An office: tools that must be searched for, and a clock."""

from toolscript import FunctionToolset


def office() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def now() -> str:
        return 'noon'

    @toolset.tool_plain(defer_loading=True)
    def send_mail(to: str, text: str) -> str:
        return f'to {to}: {text}'

    @toolset.tool_plain(defer_loading=True)
    def create_invoice(customer: str, amount: float) -> str:
        return f'{customer} owes {amount}'

    @toolset.tool_plain(defer_loading=True)
    def refund_payment(payment_id: str) -> str:
        return f'{payment_id} refunded'

    return toolset
