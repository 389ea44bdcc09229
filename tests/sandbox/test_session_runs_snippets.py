"""The first things a session must do."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from toolscript_sandbox import Call, Completed, Deferred, Function, Sandbox, Session, ToolError

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
