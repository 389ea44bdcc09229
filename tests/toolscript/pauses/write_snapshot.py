"""Writes a paused script, as this version keeps it, into tests/data/snapshots: once for each release.

Usage: python -m tests.toolscript.pauses.write_snapshot
"""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_ai.tools import DeferredToolRequests

from tests.toolscript.pauses.conversation import KEY, Conversation, conversation
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, MemoryStore, Snapshots

FOLDER = Path(__file__).parents[2] / 'data' / 'snapshots'
CODE = """
import asyncio
def numbers():
    yield from range(3)
notes = [await note(f'before {n}') for n in numbers()]
async def both(n):
    return [await note(f'both {n}'), await sign(f'both {n}')]
signed = await asyncio.gather(*[both(n) for n in range(2)])
last = await note('after')
{'notes': notes, 'signed': signed, 'last': last}
"""
ANSWER = {
    'notes': ['BEFORE 0', 'BEFORE 1', 'BEFORE 2'],
    'signed': [['BOTH 0', 'both 0 signed'], ['BOTH 1', 'both 1 signed']],
    'last': 'AFTER',
}
requests = TypeAdapter(DeferredToolRequests)


def talk_with(snapshots: Snapshots) -> tuple[Conversation, list[str]]:
    """The conversation whose script waits, and what its tools did."""
    log = list[str]()
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    async def note(text: str) -> str:
        log.append(text)
        return text.upper()

    @toolset.tool_plain(requires_approval=True)
    async def sign(text: str) -> str:
        log.append(f'sign {text}')
        return f'{text} signed'

    assert callable(note)
    assert callable(sign)
    return conversation(toolset, run_code(CODE), snapshots=snapshots), log


async def main() -> None:
    """Pause in a store and in the requests, and write both down."""
    written = dict[str, object]()
    for place, store in (('store', MemoryStore()), ('requests', None)):
        talk, _ = talk_with(replace(KEY, store=store, expires_after=timedelta.max))
        await talk.start()
        written[place] = {
            'history': json.loads(talk.history),
            'requests': json.loads(requests.dump_json(talk.requests)),
            'texts': {} if store is None else store.texts,
        }
    path = FOLDER / f'{version("toolscript")}-monty-{version("pydantic-monty")}.json'
    path.write_text(json.dumps(written, indent=1) + '\n')


if __name__ == '__main__':
    asyncio.run(main())
