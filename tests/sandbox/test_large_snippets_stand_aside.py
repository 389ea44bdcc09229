"""A large snippet holds up nobody else on the event loop."""

import threading

import pytest

from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Completed, Function, Sandbox

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(('lines', 'aside'), [(10, False), (150, False), (200, True), (2_000, True)])
async def test_a_large_snippet_is_prepared_and_judged_beside_the_event_loop(lines: int, aside: bool) -> None:
    here, seen = threading.get_ident(), set[int]()

    class Watching:
        """Takes down which thread asks."""

        def get(self, name: str, /) -> Function | None:
            """The function of that name."""
            seen.add(threading.get_ident())
            return TABLE.get(name)

        def hint(self, name: str, /) -> str | None:
            """What the table says."""
            return TABLE.hint(name)

    code = '\n'.join(f'x{number} = sorted([{number}])' for number in range(lines)) + "\n(await get_user(1))['id']"
    async with Sandbox.shared().session() as session:
        outcome = await session.run(code, Watching(), answer)
    assert isinstance(outcome, Completed)
    assert bool(seen - {here}) == aside
