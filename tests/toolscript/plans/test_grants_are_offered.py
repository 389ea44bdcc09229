"""At the second question about a line, the command and the server offer to approve more calls like it."""

from collections.abc import Iterator
from typing import Any

import pytest
from mcp_types import ElicitResult

from tests.toolscript.plans.test_grants import HALVES
from tests.toolscript.plans.worlds import Planned, World, planned
from toolscript.cli.approvals import decide
from toolscript.serve.approvals import SessionApprovals

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


async def second_question() -> tuple[World, Planned]:
    world = World()
    talk = planned(world, HALVES)
    await talk.start()
    await talk.decide_each([True] * len(talk.waiting))
    return world, talk


class Typed:
    """A user who types these lines, then `y`."""

    def __init__(self, *lines: str) -> None:
        self._lines: Iterator[str] = iter(lines)
        self.questions = list[str]()

    async def __call__(self, question: str) -> str:
        self.questions.append(question)
        return next(self._lines, 'y')


async def test_the_command_offers_more_calls_only_at_the_second_question() -> None:
    world = World()
    talk = planned(world, HALVES)
    await talk.start()
    first = Typed()
    waiting = await talk.resume(await decide(talk.requests, [], first))
    assert not any('[m]ore' in question for question in first.questions)
    user = Typed('m', '10', '{"amount": 50}')
    assert waiting
    assert await talk.resume(await decide(talk.requests, [], user)) == []
    assert '[m]ore like this' in user.questions[0]
    assert [entry[2] for entry in world.log] == [50, 25, 12, 6, 3, 2]


@pytest.mark.parametrize(
    'lines', [('m', 'many'), ('m', '0', ''), ('m', '1', '[]'), ('m', '1', '{"x": 1}'), ('m', '1', '{"amount": "x"}')]
)
async def test_what_is_no_limit_is_asked_for_again(lines: tuple[str, ...]) -> None:
    world, talk = await second_question()
    user = Typed(*lines)
    await talk.resume(await decide(talk.requests, [], user))
    assert sum('Approve?' in question for question in user.questions) == 1 + len(talk.waiting) or len(world.log) == 2


@pytest.mark.parametrize(
    ('content', 'made'),
    [
        ({'decision': 'approve', 'more_calls': 10, 'limit': 50}, 6),
        ({'decision': 'approve', 'more_calls': 10, 'limit': 11}, 2),
        ({'decision': 'approve', 'more_calls': 1, 'limit': 50}, 3),
        ({'decision': 'approve', 'more_calls': 0, 'limit': 50}, 2),
        ({'decision': 'approve', 'more_calls': True, 'limit': 50}, 2),
        ({'decision': 'approve'}, 2),
        ({'decision': 'deny', 'more_calls': 10, 'limit': 50}, 1),
    ],
)
async def test_the_server_offers_more_calls_at_the_second_question(content: dict[str, Any], made: int) -> None:
    world, talk = await second_question()
    forms = list[dict[str, Any]]()

    async def ask(text: str, form: dict[str, Any]) -> ElicitResult:
        forms.append(form)
        return ElicitResult(action='accept', content=content)

    await talk.resume(await SessionApprovals().decide(talk.requests, ask))
    assert len(world.log) == made
    assert 'more_calls' in forms[0]['properties']
