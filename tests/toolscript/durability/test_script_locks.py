"""With a store, a script continues in one place at a time."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import AgentRunResult, DeferredToolResults

from tests.toolscript.approvals.conversation import KEY, Conversation, at_desk, conversation, interrupted
from tests.toolscript.every_store import PlainStore, StoreMaker
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, MemoryStore, ScriptLocked, SnapshotStore


@dataclass
class Office:
    """A tool that needs approval and takes as long as the test wants."""

    signing: asyncio.Event = field(default_factory=asyncio.Event)
    signed: asyncio.Event = field(default_factory=asyncio.Event)
    log: list[str] = field(default_factory=list[str])

    async def sign(self, what: str) -> str:
        self.log.append(what)
        self.signing.set()
        await self.signed.wait()
        return f'signed {what}'


def talk_at(office: Office, store: SnapshotStore) -> Conversation:
    toolset = FunctionToolset[object]()
    toolset.tool_plain(requires_approval=True)(office.sign)
    return conversation(toolset, run_code("await sign('it')"), snapshots=replace(KEY, store=store))


async def under_way(
    store: SnapshotStore,
) -> tuple[Office, Conversation, DeferredToolResults, asyncio.Task[AgentRunResult[Any]]]:
    """A script that was approved and is executing its call."""
    office = Office()
    talk = talk_at(office, store)
    await talk.start()
    results = talk.approved
    first = asyncio.create_task(talk.agent.run(message_history=talk.messages, deferred_tool_results=results))
    await office.signing.wait()
    return office, talk, results, first


async def test_of_two_simultaneous_continuations_one_is_refused_and_the_other_unaffected(
    make: StoreMaker, tmp_path: Path
) -> None:
    office, talk, results, first = await under_way(make(tmp_path))
    with pytest.raises(ScriptLocked) as error:
        await talk.agent.run(message_history=talk.messages, deferred_tool_results=results)
    assert str(error.value) == snapshot(
        'Another task or process is running this script, so nothing was run here. If it dies, run the agent again with the same history and decisions.'
    )
    office.signed.set()
    assert (await first).output == 'done'
    assert (talk.script.answers, office.log) == (['signed it'], ['it'])


async def test_a_cancelled_script_can_be_continued(make: StoreMaker, tmp_path: Path) -> None:
    office, talk, results, first = await under_way(make(tmp_path))
    first.cancel()
    await asyncio.wait([first])
    await talk.agent.run(message_history=talk.messages, deferred_tool_results=results)
    assert 'UnknownOutcome: sign' in talk.script.answers[0]
    assert office.log == ['it']


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.glob('**/*')}


async def test_locks_leave_nothing_behind(make: StoreMaker, tmp_path: Path) -> None:
    store = make(tmp_path)
    async with store.lock('a') as held, store.lock('a') as again, store.lock('b') as other:
        assert (held, again, other) == (True, False, True)
    async with store.lock('a') as held:
        assert held
    assert names_in(tmp_path) <= {'files', 'state.db-claims'}


async def test_a_store_without_locks_is_sufficient() -> None:
    office = Office()
    office.signed.set()
    talk = talk_at(office, PlainStore())
    await talk.start()
    await talk.decide(sign=True)
    assert talk.script.answers == ['signed it']


@dataclass
class BrokenStore(MemoryStore):
    """Fails once, at one of its operations."""

    left: int = 0

    async def save(self, key: str, text: str, /) -> None:
        self._count()
        await super().save(key, text)

    async def load(self, key: str, /) -> str | None:
        self._count()
        return await super().load(key)

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise OSError(28, 'No space left on device')


CATCHES_ALL = """
async def reported(call):
    try:
        return await call
    except Exception as error:
        return str(error).partition(':')[0]
[await reported(note(n)) for n in '012']
"""


async def test_a_failing_store_stops_the_script_and_nothing_is_lost_or_repeated() -> None:
    messages = list[str]()
    while not messages or messages[-1]:
        talk, log = at_desk(CATCHES_ALL, store=BrokenStore(left=len(messages) + 1))
        history, error = await interrupted(talk)
        messages.append(str(error or ''))
        if error:
            await talk.agent.run(message_history=history)
        assert log == ['note 0', 'note 1', 'note 2']
        assert talk.script.answers[0].count('UnknownOutcome') == (talk.script.answers[0] != ['0', '1', '2'])
    assert len(messages) > 8
    assert sorted(set(messages)) == [
        '',
        'BrokenStore could not load the state of a script: OSError: [Errno 28] No space left on device. The script was stopped. When the store works, run the agent again with the same history and decisions. The script resumes, and calls with an unknown outcome raise UnknownOutcome in it.',
        'BrokenStore could not save the state of a script: OSError: [Errno 28] No space left on device. The script was stopped. When the store works, run the agent again with the same history and decisions. The script resumes, and calls with an unknown outcome raise UnknownOutcome in it.',
    ]
