"""A session is replayed in another version of Monty, without asking the host again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.outcomes import completed, suspended
from tests.sandbox.tables import table
from toolscript_sandbox import (
    Call,
    Deferred,
    Folder,
    HostClock,
    HostFiles,
    OtherVersion,
    ReplayDiffers,
    Sandbox,
    Session,
    StateError,
    ToolError,
)
from toolscript_sandbox.execution.state import State

TOOLS = table(*[f'async def {name}(x: Any = ..., seconds: float = ...) -> Any: ...' for name in ('say', 'fail', 'ask')])


@dataclass
class Host:
    """Answers and records calls; `ask` waits until it is decided."""

    made: list[Any] = field(default_factory=list[Any])
    decided: bool = False

    async def __call__(self, call: Call) -> Any:
        if call.function == 'ask' and not self.decided:
            raise Deferred
        self.made.append(call.kwargs.get('x', call.args[0] if call.args else None))
        await asyncio.sleep(call.kwargs.get('seconds', 0))
        if call.function == 'fail':
            raise ToolError('ValueError', str(self.made[-1]))
        return self.made[-1]


async def state_of(session: Session, code: str, host: Host) -> bytes:
    return suspended(await session.run(code, TOOLS, host)).state


async def ended(state: bytes, files: HostFiles | None = None) -> tuple[Any, list[Any]]:
    """Return the result of a suspended script, and its calls until then."""
    host = Host(decided=True)
    async with Sandbox.shared().session(files=files) as session:
        outcome = completed(await session.resume(state, TOOLS, host))
    return outcome.value, host.made


@pytest.fixture
async def session() -> AsyncGenerator[Session]:
    async with Sandbox.shared().session() as session:
        yield session


SCRIPTS = {
    'one call': 'await ask(1)',
    'calls side by side, in the order in which they ended': """\
log = []
async def one(n, s):
    log.append(await say(n, seconds=s))
    if len(log) == 2:
        await say(log)
await asyncio.gather(one(1, 0.05), one(2, 0.01), one(3, 0.02))
[log, await ask(4)]""",
    'errors that are caught': 'try:\n    await fail("x")\nexcept ValueError as e:\n    r = str(e)\n[r, await ask(1)]',
    'a deadline': """\
try:
    r = await asyncio.wait_for(say(1, seconds=60), 0.01)
except TimeoutError:
    r = 'late'
[r, await ask(2)]""",
    'sleeps': 'import time\nb = time.monotonic()\nawait asyncio.sleep(0.01)\ntime.sleep(0.01)\nawait ask(3)',
    'chance': 'import random, uuid\n[random.random(), str(uuid.uuid4()), await ask(1), random.random()]',
    'a call that runs beside the one that waits': 'await asyncio.gather(ask(1), say(2, seconds=0.02), ask(3))',
}


@pytest.mark.parametrize('code', SCRIPTS.values(), ids=SCRIPTS)
async def test_a_replayed_script_ends_as_the_original_would(session: Session, code: str) -> None:
    state = await state_of(session, code, Host())
    replayed = await Sandbox.shared().replay(state, TOOLS)
    assert await ended(replayed) == await ended(state)
    assert State.recording_in(replayed) == State.recording_in(state)


async def test_a_clock_read_from_the_host_shows_each_moment_again() -> None:
    async with Sandbox.shared().session(frozen_clock=HostClock()) as session:
        code = 'import datetime, time\na = [time.time(), str(datetime.datetime.now())]\nawait say(a)\n[a, await ask(1)]'
        state = await state_of(session, code, Host())
    assert await ended(await Sandbox.shared().replay(state, TOOLS)) == await ended(state)


async def test_earlier_scripts_are_replayed_first_including_failed_ones(session: Session) -> None:
    host = Host()
    await session.run('import random\nseen = [random.random()]\ndef more(x): seen.append(x)', TOOLS, host)
    await session.run('more(await say("a"))\nraise ValueError("no")', TOOLS, host)
    state = await state_of(session, 'more(await ask("b"))\nseen', host)
    assert await ended(await Sandbox.shared().replay(state, TOOLS)) == await ended(state)


async def test_a_session_that_started_with_saved_variables_is_replayed_from_them() -> None:
    host, saved = Host(), b''
    for number in range(2):
        async with Sandbox.shared().session() as session:
            if saved:
                await session.load(saved, TOOLS)
            await session.run(f'import uuid\nx{number} = [str(uuid.uuid4()), await say({number})]', TOOLS, host)
            kept = await session.dump(10**7)
            assert kept is not None
            saved = kept.state
    async with Sandbox.shared().session() as session:
        await session.load(saved, TOOLS)
        state = await state_of(session, '[x0, x1, await ask(2)]', host)
    assert await ended(await Sandbox.shared().replay(state, TOOLS)) == await ended(state)


async def test_a_script_that_resumed_and_waits_again_is_replayed_in_both_segments(session: Session) -> None:
    first = await state_of(session, 'a = await ask(1)\nb = await say(2)\n[a, b, await ask(3)]', Host())

    async def only_the_first(call: Call) -> Any:
        if call.id == 3:
            raise Deferred
        return call.args[0]

    async with Sandbox.shared().session() as other:
        outcome = suspended(await other.resume(first, TOOLS, only_the_first))
    assert await ended(await Sandbox.shared().replay(outcome.state, TOOLS)) == ([1, 2, 3], [3])


async def test_a_replay_neither_reads_nor_changes_files(tmp_path: Path) -> None:
    files = HostFiles({'/data': Folder(tmp_path, writable=True)})
    (tmp_path / 'a.txt').write_text('first')
    code = """\
from pathlib import Path
p = Path('/data/a.txt')
text = p.read_text()
with open('/data/log.txt', 'a') as f:
    f.write(text)
try:
    Path('/data/none').read_text()
except FileNotFoundError:
    names = sorted(str(one) for one in [*Path('/data').iterdir(), *Path('/data').glob('a*')])
size = p.stat().st_size
[text, p.read_bytes().decode(), names, size, await ask(1)]"""
    async with Sandbox.shared().session(files=files) as session:
        state = await state_of(session, code, Host())
    (tmp_path / 'a.txt').write_text('something else')
    (tmp_path / 'log.txt').write_text('changed since')
    replayed = await Sandbox.shared().replay(state, TOOLS, files=files)
    assert await ended(replayed, files) == (
        ['first', 'first', ['/data/a.txt', '/data/a.txt', '/data/log.txt'], 5, 1],
        [1],
    )
    assert (tmp_path / 'log.txt').read_text() == 'changed since'


@pytest.mark.parametrize(
    ('old', 'new', 'difference'),
    [
        ('"a"', '"b"', 'a script calls say("b") now, and called say("a") then'),
        ('await say("a")\n', '', 'a script calls ask(1) now, and called say("a") then'),
        ('ask(1)', 'ask(2)', 'a script calls ask(2) now, and called ask(1) then'),
        ('await ask(1)', '1', 'a script calls nothing now, and called ask(1) then'),
        (
            'await ask(1)',
            '1 / 0',
            'a script fails now, and called ask(1) then: line 2: 1 / 0\n        ^^^^^\nZeroDivisionError: division by zero. Test the divisor first.',
        ),
        (
            'ask',
            'gone',
            'a script is refused now: line 2: await gone(1)\n              ^^^^\n'
            'Name `gone` used when not defined. Did you mean None?\nNothing was run.',
        ),
    ],
)
async def test_a_script_that_behaves_differently_is_refused(
    session: Session, old: str, new: str, difference: str
) -> None:
    state = State.from_bytes(await state_of(session, 'await say("a")\nawait ask(1)', Host()))
    assert state.recording is not None
    script = state.recording.segments[-1].scripts[-1]
    script.code = script.code.replace(old, new)
    with pytest.raises(ReplayDiffers) as error:
        await Sandbox.shared().replay(state.to_bytes(), TOOLS)
    assert str(error.value) == difference


@pytest.mark.parametrize(
    ('new', 'difference'),
    [
        ('open("/data/a", "w").write("2")', "append_text of '/data/a' now, and had other arguments then"),
        ('open("/data/a", "w").write("1")\n' * 2, "open of '/data/a' now, and asked for nothing then"),
    ],
)
async def test_different_files_are_refused(tmp_path: Path, new: str, difference: str) -> None:
    files = HostFiles({'/data': Folder(tmp_path, writable=True)})
    code = 'open("/data/a", "w").write("1")\nawait ask(1)'
    async with Sandbox.shared().session(files=files) as session:
        state = State.from_bytes(await state_of(session, code, Host()))
    assert state.recording is not None
    state.recording.segments[-1].scripts[-1].code = f'{new}\nawait ask(1)'
    (tmp_path / 'a').write_text('as it is')
    with pytest.raises(ReplayDiffers) as error:
        await Sandbox.shared().replay(state.to_bytes(), TOOLS, files=files)
    assert str(error.value) == f'a script asks for {difference}'
    assert (tmp_path / 'a').read_text() == 'as it is'


async def test_the_state_of_a_running_script_has_no_recording(session: Session) -> None:
    states = list[bytes]()

    async def save(state: bytes, _: Any) -> None:
        states.append(state)

    await session.run('await say(1)', TOOLS, Host(), checkpoint=save)
    with pytest.raises(ReplayDiffers, match='it cannot be replayed, because the process ended while the script ran'):
        await Sandbox.shared().replay(states[0], TOOLS)


async def test_results_that_are_too_large_end_only_the_recording(session: Session) -> None:
    state = await state_of(session, 'for n in range(3):\n    await say("x" * 1_000_000)\nawait ask(1)', Host())
    with pytest.raises(ReplayDiffers, match='what its calls and files returned takes more than'):
        await Sandbox.shared().replay(state, TOOLS)
    assert await ended(state) == (1, [1])
    assert len(state) < 100_000


async def test_another_version_is_named_and_invalid_bytes_have_no_recording(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = await state_of(session, 'await ask(1)', Host())
    monkeypatch.setattr(State, 'READERS', 'pydantic-monty 99.0')
    with pytest.raises(OtherVersion):
        await ended(state)
    assert await ended(await Sandbox.shared().replay(state, TOOLS)) == (1, [1])
    for damaged in (b'', state[:-40], b'toolscript script\x02' + state):
        with pytest.raises(StateError):
            await Sandbox.shared().replay(damaged, TOOLS)
