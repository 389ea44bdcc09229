"""The first things a session must do."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from inline_snapshot import snapshot

from toolscript_sandbox import Call, Completed, Deferred, Failed, Function, Sandbox, Session, Suspended, ToolError

pytestmark = pytest.mark.anyio

GET_USER = """\
from typing import TypedDict

class User(TypedDict):
    id: int

async def get_user(user_id: int) -> User: ...
"""


class Table(dict[str, Function]):
    """Functions by name."""

    def hint(self, name: str, /) -> str | None:
        """Always the same."""
        return f'Did you mean get_user, not {name}?'


TABLE = Table(
    get_user=Function('get_user', GET_USER),
    count=Function('count', 'def count() -> int: ...\n', sequential=True),
    approve=Function('approve', 'async def approve(what: str) -> str: ...\n'),
)


async def dispatch(call: Call) -> Any:
    """Answer the calls of the table."""
    if call.function == 'approve':
        raise Deferred({'ask': call.args[0]})
    if call.args == (13,):
        raise ToolError('ValueError', 'unlucky')
    return {'id': call.args[0]} if call.args else call.id


@pytest.fixture
async def session() -> AsyncIterator[Session]:
    """A session of the shared sandbox."""
    async with Sandbox.shared().session() as session:
        yield session


async def test_the_final_expression_is_the_value(session: Session) -> None:
    outcome = await session.run("user = await get_user(3)\nuser['id']", TABLE, dispatch)
    assert isinstance(outcome, Completed)
    assert (outcome.value, outcome.name) == snapshot((3, 'result_1'))


async def test_variables_live_on_in_the_next_snippet(session: Session) -> None:
    await session.run('user = await get_user(3)', TABLE, dispatch)
    outcome = await session.run("user['id'] + 1", TABLE, dispatch)
    assert isinstance(outcome, Completed)
    assert outcome.value == 4


async def test_a_later_snippet_knows_the_heirs_and_properties_of_earlier_classes(session: Session) -> None:
    classes = """class A:
    @property
    def size(self): return 5
class B(A): pass
b = B()"""
    assert isinstance(await session.run(classes, TABLE, dispatch), Completed)
    outcome = await session.run(
        '[isinstance(b, A), isinstance(b, (int, A)), issubclass(B, A), b.size]', TABLE, dispatch
    )
    assert isinstance(outcome, Completed)
    assert outcome.value == [True, True, True, 5]


async def test_a_later_snippet_calls_earlier_classes_with_what_they_inherit(session: Session) -> None:
    classes = """class A:
    def __init__(self, x): self.x = x
class B(A): pass
class E(Exception): pass
"""
    assert isinstance(await session.run(classes, TABLE, dispatch), Completed)
    outcome = await session.run('B(5).x', TABLE, dispatch)
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == 5
    caught = 'try:\n    raise E(1, 2)\nexcept E as error:\n    found = [*error.args]\nfound'
    outcome = await session.run(caught, TABLE, dispatch)
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == [1, 2]


async def test_a_misspelt_key_stops_the_snippet_before_any_call(session: Session) -> None:
    outcome = await session.run("user = await get_user(3)\nuser['idd']", TABLE, dispatch)
    assert isinstance(outcome, Failed)
    assert (outcome.error.kind, outcome.calls) == ('types', ())


async def test_a_snippet_can_be_checked_without_running(session: Session) -> None:
    refused = await session.check("user = await get_user(3)\nuser['nam']", TABLE)
    assert refused is not None
    assert refused.error.kind == 'types'
    assert await session.check('x = await get_user(3)', TABLE) is None
    assert session.variables == frozenset()


async def test_a_session_takes_its_worker_when_it_is_told_to(session: Session) -> None:
    await session.warm()
    warmed = session.worker
    assert warmed is not None
    await session.run('1', TABLE, dispatch)
    assert session.worker is warmed


async def test_the_script_catches_the_error_of_a_call(session: Session) -> None:
    outcome = await session.run(
        'try:\n    await get_user(13)\nexcept ValueError as e:\n    caught = str(e)\ncaught', TABLE, dispatch
    )
    assert isinstance(outcome, Completed)
    assert outcome.value == 'unlucky'


async def test_a_waiting_call_suspends_the_snippet_and_a_fresh_session_goes_on(session: Session) -> None:
    outcome = await session.run("import asyncio\nawait asyncio.gather(get_user(1), approve('it'))", TABLE, dispatch)
    assert isinstance(outcome, Suspended)
    assert [waiting.payload for waiting in outcome.waiting] == [{'ask': 'it'}]

    async def decided(call: Call) -> Any:
        return f'{call.id} approved'

    async with Sandbox.shared().session() as fresh:
        resumed = await fresh.resume(outcome.state, TABLE, decided)
    assert isinstance(resumed, Completed)
    assert resumed.value == [{'id': 1}, '2 approved']
