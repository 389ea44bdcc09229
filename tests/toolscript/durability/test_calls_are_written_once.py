"""What a script keeps of its calls grows with them, however many there are, and is all there for anyone who continues."""

from collections import Counter
from dataclasses import dataclass, replace

import pytest
from pydantic_ai import ModelMessage, ToolReturn

from tests.sampling import sampled
from tests.toolscript.approvals.conversation import KEY, Conversation, conversation
from tests.toolscript.durability.test_decisions_survive_a_crash import DyingStore
from tests.toolscript.durability.test_half_of_a_store_is_enough import die_after, losing
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, MemoryStore

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

IN_TURN = 'for n in range({calls}):\n    last = await note(n)\nlast'
AT_ONCE = 'import asyncio\nlen(await asyncio.gather(*[note(n) for n in range({calls})]))'
IN_TASKS = 'import asyncio\nlen(await asyncio.gather(*[asyncio.create_task(note(n)) for n in range({calls})]))'
BOTH = """
import asyncio
async def reported(call):
    try:
        return await call
    except RuntimeError as error:
        return str(error).partition(':')[0]
found = [await reported(note(n)) for n in range(40)]
found += await asyncio.gather(*[reported(note(n)) for n in range(40, 75)])
found
"""
WHOLE = [n * 10 for n in range(75)]


@dataclass
class CountingStore(MemoryStore):
    """Counts what is written."""

    written: int = 0

    async def save(self, key: str, text: str, /) -> None:
        self.written += len(text)
        await super().save(key, text)


def desk() -> tuple[FunctionToolset[object], list[int]]:
    log: list[int] = []
    toolset = FunctionToolset[object]()

    async def note(n: int) -> ToolReturn[int]:
        log.append(n)
        return ToolReturn(n * 10, metadata={'noted': n})

    toolset.tool_plain(note)
    return toolset, log


@pytest.mark.parametrize('code', [IN_TURN, AT_ONCE, IN_TASKS])
async def test_twice_as_many_calls_write_twice_as_much(code: str) -> None:
    sizes = list[int]()
    for calls in (32, 64, 128):
        store = CountingStore()
        talk = conversation(desk()[0], run_code(code.format(calls=calls)), snapshots=replace(KEY, store=store))
        await talk.start()
        sizes.append(store.written)
    few, many = sizes[1] - sizes[0], sizes[2] - sizes[1]
    assert many < 2.1 * few


async def dead(writes: int) -> tuple[Conversation, list[int], list[ModelMessage] | None]:
    """A conversation whose process died at its n-th write, in a script that makes 75 calls."""
    toolset, log = desk()
    store = DyingStore()
    talk = conversation(toolset, run_code(BOTH), snapshots=replace(KEY, store=store))
    return talk, log, await die_after(writes, talk, store)


@pytest.mark.parametrize('writes', sampled(range(100, 190, 3), 2))
async def test_a_script_whose_process_died_after_many_calls_resumes_and_repeats_nothing(writes: int) -> None:
    talk, log, history = await dead(writes)
    assert history is not None
    losing(talk, lambda key: False)
    await talk.agent.run(message_history=history)
    assert max(Counter(log).values()) == 1
    (answer,) = talk.script.answers
    assert [value for value, right in zip(answer, WHOLE, strict=True) if value not in (right, 'UnknownOutcome')] == []
    calls = talk.script.parts[0].metadata['tool_calls']
    assert [call['tool_call_id'].rpartition('__')[2] for call in calls] == [str(n) for n in range(1, 76)]
    finished = [number for number, call in enumerate(calls) if call['status'] == 'finished']
    assert [calls[number].get('metadata') for number in finished] == [{'noted': number} for number in finished]
