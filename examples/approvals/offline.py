"""A stand-in for a model, which handles four requests, so that the example runs without a key."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError
from pydantic_ai import ModelMessage
from pydantic_ai.messages import ModelResponse, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from typing_extensions import TypedDict

REFUND = """\
import asyncio

orders = await late_orders()
print(f'{len(orders)} orders came late.')

async def make_up_for(order):
    who = await customer(order['customer_id'])
    try:
        given = await refund(order['id'], order['total'] / 5)
    except PermissionError as refused:
        return f"{who['name']}: {refused}"
    await send_message(who['id'], f"Sorry about the {order['article']}: you get {given['amount']:.2f} euros back.")
    return f"{who['name']}: {given['amount']:.2f} euros for the {order['article']}"

await asyncio.gather(*[make_up_for(order) for order in orders])
"""
FORGET = """\
names = []
for one in await customers():
    if not await orders_of(one['id']):
        await delete_customer(one['id'])
        names.append(one['name'])
names
"""
TELL = """\
notified = []
for one in await customers():
    orders = await orders_of(one['id'])
    days = sum(order['days_late'] for order in orders) / len(orders)
    await send_message(one['id'], f"{one['name']}, we were {days:.1f} days late on average.")
    notified.append(one['name'])
notified
"""
CREDIT = """\
notified = []
for order in await late_orders():
    given = await credit(order['customer_id'], order['days_late'])
    extra = await credit(order['customer_id'], given['balance'] / 10)
    notified.append(f"customer {order['customer_id']} has {extra['balance']:.2f} euros")
notified
"""
TELL_AGAIN = TELL.replace('    days = ', '    if not orders:\n        continue\n    days = ')


@dataclass(frozen=True)
class Job:
    """A request, and the scripts that handle it."""

    asked: str
    scripts: Sequence[str]
    answer: Callable[[list[str]], str]
    """Formats the answer from the list that the last script returned."""


JOBS = [
    Job('Refund a fifth of every late order.', [REFUND], lambda lines: 'Done.\n' + '\n'.join(lines)),
    Job('Delete the customers who never ordered.', [FORGET], lambda names: f'Deleted: {", ".join(names) or "nobody"}.'),
    Job(
        'Tell every customer how late we are.',
        [TELL, TELL_AGAIN],
        lambda names: f'Wrote to {", ".join(names)}. Anyone who never ordered got no message.',
    ),
    Job('Credit everyone for the days they waited.', [CREDIT], lambda lines: 'Done.\n' + '\n'.join(lines)),
]


def offline_model(pace: float = 0) -> FunctionModel:
    """Return the model.

    Args:
        pace: The seconds that each piece of a response takes.
    """

    async def write(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        prompt, steps = _turn(messages)
        job = next((job for job in JOBS if job.asked == prompt), None)
        if job is None:
            yield 'I am not a model, I only play four jobs: ' + ' '.join(job.asked for job in JOBS)
        elif steps < len(job.scripts) and _lines(messages[-1]) is None:
            arguments = json.dumps({'code': job.scripts[steps]})
            for start in range(0, len(arguments), 24):
                await asyncio.sleep(pace)
                yield {0: DeltaToolCall('run_code' if start == 0 else None, arguments[start : start + 24])}
        else:
            lines, first = _lines(messages[-1]), str(_content(messages[-1])).splitlines()[0]
            text = job.answer(lines) if lines is not None else f'I leave it at that. {first}'
            for word in text.split(' '):
                await asyncio.sleep(pace)
                yield word + ' '

    return FunctionModel(stream_function=write, model_name='offline')


def _turn(messages: Sequence[ModelMessage]) -> tuple[str, int]:
    """Return the last request and the number of responses since."""
    prompt, steps = '', 0
    for message in messages:
        if isinstance(message, ModelResponse):
            steps += 1
            continue
        for part in message.parts:
            if isinstance(part, UserPromptPart) and isinstance(part.content, str):
                prompt, steps = part.content.strip(), 0
    return prompt, steps


def _lines(message: ModelMessage) -> list[str] | None:
    """Return the list that the last script returned; `None` if it failed or was not allowed to run."""
    try:
        found = _given.validate_python(_content(message))
    except ValidationError:
        return None
    return found if isinstance(found, list) else found['result']


def _content(message: ModelMessage) -> object:
    parts = [part for part in message.parts if isinstance(part, ToolReturnPart)]
    return parts[-1].content if parts else None


class _Printed(TypedDict):
    """The result of a script that printed: its output is next to its value."""

    stdout: str
    result: list[str]


_given: TypeAdapter[list[str] | _Printed] = TypeAdapter(list[str] | _Printed)
