"""How many questions 42 realistic scripts ask, with a plan and with an approval for each call; `realistic.txt` has them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.toolscript.plans.company import Company
from tests.toolscript.plans.worlds import Planned
from tests.toolscript.scripted import Script, run_code

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

QUESTIONS = {
    'loop that ignores results': (7, 60, 60),
    'loop that reads results': (7, 63, 63),
    'try and retry': (7, 28, 28),
    'gather': (5, 7, 41),
    'create, then use': (6, 34, 34),
    'read, change, write': (8, 28, 28),
    'helpers': (4, 35, 35),
    'computed amounts': (9, 20, 20),
}
"""By kind: questions with a plan, questions without, changing calls."""


def cases() -> Iterator[tuple[str, str, str]]:
    """The kind, the title and the code of each script."""
    text = Path(__file__).with_name('realistic.txt').read_text(encoding='utf-8')
    for block in text.split('=== ')[1:]:
        title, _, code = block.partition('\n')
        kind, _, name = title.partition(': ')
        yield kind, name, code


async def ran(code: str, *, plans: bool) -> tuple[Company, Planned]:
    company = Company()
    talk = Planned(company.toolset, Script([run_code(code)]), plans=plans)
    await talk.approve_all()
    return company, talk


@pytest.mark.parametrize('kind', sampled(QUESTIONS, 3))
async def test_realistic_scripts_do_the_same_with_few_questions(kind: str) -> None:
    planned, asked, calls = 0, 0, 0
    for title, code in [(title, code) for one, title, code in cases() if one == kind]:
        (with_plan, talk), (without, other) = await ran(code, plans=True), await ran(code, plans=False)
        assert sorted(map(repr, with_plan.log)) == sorted(map(repr, without.log)), title
        assert talk.script.answers == other.script.answers, title
        assert len(talk.questions) <= len(other.questions), title
        planned, asked = planned + len(talk.questions), asked + len(other.questions)
        calls += len(with_plan.log)
    assert (planned, asked, calls) == QUESTIONS[kind]


def test_there_are_42_scripts_and_at_most_60_questions() -> None:
    assert len([*cases()]) == 42
    assert sum(planned for planned, _, _ in QUESTIONS.values()) <= 60
    assert sum(calls for _, _, calls in QUESTIONS.values()) >= 300
