"""The agent of a support desk, and its tools. Workflows import this module outside their sandbox."""

import asyncio
import json
import os
from datetime import timedelta
from pathlib import Path

from pydantic_ai import Agent, DeferredToolRequests, ModelMessage, ModelResponse, TextPart
from pydantic_ai.durable_exec.temporal import TemporalDurability
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from temporalio.common import RetryPolicy

from toolscript import CodeMode

SCRIPT = """
import asyncio
orders = await orders_of(customer='ada')
deliveries = await asyncio.gather(*[delivery(order=order) for order in orders])
damaged = [one for one in deliveries if one['state'] == 'damaged']
total = sum(one['price'] for one in damaged)
receipt = await refund(amount=total)
await write(customer='ada', text=f'{len(damaged)} parcels were damaged. {receipt}.')
"""


def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Send the script, then answer with its result."""
    last = messages[-1].parts[-1]
    if last.part_kind == 'tool-return':
        return ModelResponse([TextPart(json.dumps(last.content))])
    return ModelResponse([ToolCallPart('run_code', {'code': SCRIPT}, 'script')])


desk = Agent(
    os.environ.get('MODEL') or FunctionModel(play),
    name='desk',
    deps_type=type(None),
    output_type=[str, DeferredToolRequests],
    capabilities=[
        CodeMode(),
        TemporalDurability(
            activity_config={
                'start_to_close_timeout': timedelta(minutes=2),
                # After this time without a heartbeat, a worker counts as dead and its activity runs on another one.
                'heartbeat_timeout': timedelta(seconds=2),
                'retry_policy': RetryPolicy(initial_interval=timedelta(milliseconds=100)),
            }
        ),
    ],
)

_AT_MOST_ONCE = {'temporal': {'retry_policy': {'maximum_attempts': 1}}}


def note(line: str) -> None:
    """Write a line to the ledger, with the name of this worker."""
    with Path(os.environ['LEDGER']).open('a') as ledger:
        ledger.write(f'{os.environ["WORKER"]}: {line}\n')


@desk.tool_plain
async def orders_of(customer: str) -> list[int]:
    """The numbers of a customer's orders."""
    note(f'orders of {customer}')
    return [1, 2, 3]


@desk.tool_plain
async def delivery(order: int) -> dict[str, str | int]:
    """How an order was delivered, and its price."""
    note(f'delivery {order}')
    await asyncio.sleep(order / 2)
    return {'state': 'delivered' if order == 2 else 'damaged', 'price': 10 * order}


@desk.tool_plain(requires_approval=True, metadata=_AT_MOST_ONCE)
async def refund(amount: int) -> str:
    """Refund an amount."""
    note(f'refund {amount}')
    return f'{amount} euros were refunded'


@desk.tool_plain(metadata=_AT_MOST_ONCE)
async def write(customer: str, text: str) -> str:
    """Write to a customer."""
    note(f'write to {customer}')
    return text
