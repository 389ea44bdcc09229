"""A toolset and an agent for tests of the command."""

import signal
import threading

from pydantic_ai import Agent
from pydantic_ai.messages import BinaryContent
from typing_extensions import TypedDict

from toolscript import CodeMode, CodeModeToolset, FlowRule, Flows, FunctionToolset, Snapshots, ToolMatch
from toolscript.testing import script_model


class Order(TypedDict):
    id: int
    total: float


tools = FunctionToolset[object](id='shop')


@tools.tool_plain
def orders_of(customer_id: int, newest: bool = False) -> list[Order]:
    """All orders of a customer."""
    orders: list[Order] = [{'id': customer_id * 10, 'total': 12.5}, {'id': customer_id * 10 + 1, 'total': 3.0}]
    return orders[1:] if newest else orders


@tools.tool_plain
def label(text: str, copies: int | str = 1, tags: list[str] | None = None) -> str:
    """A label for a parcel."""
    return f'{text} x{copies!r} {tags}'


@tools.tool_plain(requires_approval=True)
def refund(order_id: int, percent: int = 100) -> str:
    """Give the money for an order back."""
    return f'{percent}% of order {order_id} refunded'


@tools.tool_plain
def broken() -> str:
    """Never works."""
    raise OSError('the printer is on fire')


@tools.tool_plain
async def interrupt() -> None:
    """Press Ctrl-C in a moment in which the main thread does not notice."""
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


@tools.tool_plain
def photo() -> BinaryContent:
    """A picture of the shop."""
    return BinaryContent(b'\x89PNG', media_type='image/png')


in_code_mode = CodeModeToolset(tools, snapshots=Snapshots(key='the key of the shop'))
agent = Agent(script_model('await orders_of(2)'), toolsets=[in_code_mode])
agent_with_deps = Agent(script_model('1'), deps_type=Order, toolsets=[CodeModeToolset(tools)])
_no_refund = FlowRule(source=ToolMatch('orders_of'), sink=ToolMatch('refund'), arguments='percent', then='refuse')
followed = Agent(script_model('1'), toolsets=[tools], capabilities=[CodeMode(flows=Flows(rules=[_no_refund]))])
followed_tools = CodeModeToolset(tools, flows=Flows(rules=[_no_refund], defaults=False))
number = 17
