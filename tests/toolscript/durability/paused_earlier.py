"""A conversation whose second script is paused, with tools that count their calls, and a program that saves it.

`paused_by_monty_1_3.json` was written by this program, with Python 3.11 and pydantic-monty 1.3.0:

    PYTHONPATH=signatures:sandbox:src:. python -m tests.toolscript.durability.paused_earlier FILE
"""

import asyncio
import json
import sys
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_ai.tools import DeferredToolRequests

from tests.toolscript.approvals.conversation import Conversation, conversation
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, Snapshots

REQUESTS = TypeAdapter(DeferredToolRequests)
FOR_A_CENTURY = Snapshots(key='the key of the tests', ttl=timedelta(days=36_500))

FIRST = """\
import random
lucky = random.randint(1, 10**9)
people = await asyncio.gather(*[look_up(name=n) for n in ('Ada', 'Bo')])
def total():
    return sum(p['age'] for p in people)
total()"""
SECOND = """\
try:
    await look_up(name='Zoe')
except ValueError as e:
    print(e)
await asyncio.sleep(0.01)
paid = await pay(amount=total(), note=f'for {people[0]["name"]} {lucky}')
last = await look_up(name='Cy')
[paid, last, lucky, random.randint(1, 10**9)]"""


def talk_of(made: list[str], age: int = 30) -> Conversation:
    """Return the conversation; `made` receives the calls that reach a tool."""
    toolset = FunctionToolset[object]()

    async def look_up(name: str) -> dict[str, str | int]:
        made.append(f'look_up {name}')
        if name == 'Zoe':
            raise ValueError('no Zoe')
        return {'name': name, 'age': age}

    async def pay(amount: int, note: str) -> str:
        made.append(f'pay {amount} {note}')
        return f'paid {amount}'

    toolset.tool_plain(metadata={'read_only': True})(look_up)
    toolset.tool_plain(requires_approval=True)(pay)
    return conversation(toolset, run_code(FIRST), run_code(SECOND), 'done', snapshots=FOR_A_CENTURY)


async def _written() -> str:
    """Return the conversation as JSON, up to its pause."""
    talk = talk_of(list[str]())
    assert await talk.start()
    requests = REQUESTS.dump_python(talk.requests, mode='json')
    parts = {'monty': version('pydantic-monty'), 'history': json.loads(talk.history), 'requests': requests}
    return f'{json.dumps(parts, indent=1)}\n'


if __name__ == '__main__':
    Path(sys.argv[1]).write_text(asyncio.run(_written()))
