"""The scripts of one session, and the state that another session receives."""

from __future__ import annotations

from typing import Any

import pytest
from inline_snapshot import snapshot

from tests.sandbox.outcomes import completed, failed
from tests.sandbox.tables import NOTHING, table
from toolscript_sandbox import Call, Functions, Sandbox, SavedSession, Session, StateError
from toolscript_sandbox.execution.state import SessionState
from toolscript_sandbox.workers.process import Worker
from toolscript_sandbox.workers.workers import Workers

ROOM = 10_000_000


DOUBLE = table('async def double(n: int) -> int: ...')


async def doubled(call: Call) -> int:
    return 2 * call.kwargs['n']


async def run(session: Session, code: str, functions: Functions = DOUBLE) -> Any:
    return completed(await session.run(code, functions, doubled)).value


async def kept_after(*snippets: str, room: int = ROOM) -> SavedSession:
    async with Sandbox.shared().session() as session:
        for code in snippets:
            await run(session, code)
        kept = await session.dump(room)
    assert kept is not None
    return kept


async def test_variables_of_the_script_alone_are_not_listed() -> None:
    kept = await kept_after('_own, shared = 1, 2')
    assert [variable.name for variable in kept.variables] == ['shared']


async def test_values_functions_classes_and_modules_persist() -> None:
    first = """
import re
from datetime import date
from dataclasses import dataclass
@dataclass
class Order:
    id: int
    total: float = 1.5
    def twice(self):
        return 2 * self.total
async def doubles(numbers):
    return [await double(n=n) for n in numbers]
def counter():
    n = 0
    def count():
        nonlocal n
        n += 1
        return n
    return count
count = counter()
orders, day, seen, digits = [Order(1), Order(2)], date(2024, 2, 29), {1, 2}, re.compile(r'[0-9]+')
several = iter([1, 2, 3])
"""
    second = 'count(), next(several)'
    kept = await kept_after(first, second)
    code = """
[o.twice() for o in orders], await doubles([1, 2]), count(), next(several), day.year, sorted(seen), digits.findall('a1b22')
"""
    async with Sandbox.shared().session() as session:
        await session.load(kept.state, DOUBLE)
        assert await run(session, code) == snapshot([[3.0, 3.0], [2, 4], 2, 2, 2024, [1, 2], ['1', '22']])


async def test_variables_are_loaded_into_another_worker_if_the_first_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, lend, dying = await kept_after('a = 5'), Workers.lend, [True]

    async def lend_dying(workers: Workers, *args: Any, **options: Any) -> Worker:
        lent = await lend(workers, *args, **options)
        if dying:
            dying.clear()
            lent.kill()
        return lent

    monkeypatch.setattr(Workers, 'lend', lend_dying)
    async with Sandbox.shared().session() as session:
        await session.load(kept.state, NOTHING)
        assert (await run(session, 'a'), dying) == (5, [])


async def test_a_variable_that_is_too_large_is_dropped_and_the_rest_kept() -> None:
    kept = await kept_after(
        'small = [1, 2, 3]\nbig = "x" * 50_000_000\nasync def f(n):\n    return await double(n=n)\nwords = {"a": "b"}'
    )
    assert len(kept.state) < 100_000
    assert [str(variable) for variable in kept.too_large] == ['big: str of 50,000,000']
    assert [variable.name for variable in kept.variables] == ['f', 'small', 'words']
    async with Sandbox.shared().session() as session:
        await session.load(kept.state, DOUBLE)
        assert session.variables >= {'small', 'f', 'words'}
        assert 'big' not in session.variables
        assert await run(session, '[small, await f(4), words]') == [[1, 2, 3], 8, {'a': 'b'}]
        assert failed(await session.run('big[:10]', NOTHING, doubled)).error.message == snapshot("""\
line 1: big[:10]
        ^^^
Name `big` used when not defined. If it is a variable, set it first; the variables of a function end with it.
Nothing was run.\
""")


async def test_a_large_object_that_looks_small_is_measured() -> None:
    kept = await kept_after(
        'class Holder:\n    pass\nholder = Holder()\nholder.text = "x" * 1_000_000\nlist_of_ones = [1] * 100\n'
        'other = {"a": "x" * 100}',
        room=200_000,
    )
    assert [variable.name for variable in kept.too_large] == ['holder']
    assert {variable.name for variable in kept.variables} == {'Holder', 'list_of_ones', 'other'}


async def test_functions_that_are_no_longer_offered_cannot_be_called() -> None:
    kept = await kept_after('async def doubles(n):\n    return await double(n=n)')
    async with Sandbox.shared().session() as session:
        await session.load(kept.state, NOTHING)
        indirect = failed(await session.run('await doubles(2)', NOTHING, doubled))
        direct = failed(await session.run('await double(2)', NOTHING, doubled))
    assert "name 'double' is not defined" in indirect.error.message
    assert 'Nothing was run.' in direct.error.message


@pytest.mark.parametrize('change', [b'', b'another', b'toolscript session\x03\0\0\0\x02{}'])
async def test_the_state_of_another_version_is_refused(change: bytes) -> None:
    async with Sandbox.shared().session() as session:
        with pytest.raises(StateError):
            await session.load(change, NOTHING)
        assert await run(session, '1 + 1') == 2


@pytest.mark.parametrize('before', ['import uuid\n[uuid.uuid4().hex, str(uuid.uuid4())]', 'x = 1'])
async def test_two_continuations_of_one_state_draw_different_tokens(before: str) -> None:
    kept = await kept_after(before)
    drawn = list[Any]()
    for _ in range(2):
        async with Sandbox.shared().session() as session:
            await session.load(kept.state, DOUBLE)
            drawn.append(await run(session, 'import uuid\n[uuid.uuid4().hex, str(uuid.uuid4())]'))
    assert not any(one == other for one, other in zip(*drawn, strict=True))


async def test_only_the_format_of_this_version_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(SessionState, 'READERS', 'toolscript 0.0.1 with pydantic-monty 0.1')
        kept = await kept_after('x = 1')
    async with Sandbox.shared().session() as session:
        with pytest.raises(
            StateError, match=r'^toolscript 0.0.1 with pydantic-monty 0.1 wrote the variables of a session'
        ):
            await session.load(kept.state, NOTHING)


async def test_a_snippet_can_be_checked_without_running() -> None:
    async with Sandbox.shared().session() as session:
        refused = await session.check("x = await double(n='one')", DOUBLE)
        assert refused is not None
        assert refused.error.kind == 'types'
        assert await session.check('x = await double(n=1)', DOUBLE) is None
        assert session.variables == frozenset()


async def test_a_session_starts_its_worker_on_demand() -> None:
    async with Sandbox.shared().session() as session:
        await session.warm()
        warmed = session.worker
        assert warmed is not None
        await run(session, '1')
        assert session.worker is warmed


async def test_an_attribute_that_earlier_functions_may_read_is_not_deleted() -> None:
    deletes = 'class Row: pass\nrow = Row()\nrow.x = 1\ndel row.x\nhasattr(row, "x")'
    async with Sandbox.shared().session() as session:
        await run(session, 'import json\nn = 1')
        assert await run(session, deletes) is False
    async with Sandbox.shared().session() as session:
        await run(session, 'def show(row): return row.x')
        refused = failed(await session.run(deletes, NOTHING, doubled))
    assert 'if no earlier script has functions or classes. Set it to None.' in refused.error.message


async def test_the_doc_of_an_earlier_function_is_refused() -> None:
    async with Sandbox.shared().session() as session:
        await run(session, 'def f():\n    "Text."')
        error = failed(await session.run('f.__doc__', NOTHING, doubled)).error
    assert 'Only functions and classes of the same script have one.' in error.message
