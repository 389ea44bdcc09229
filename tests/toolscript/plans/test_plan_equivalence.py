"""A plan changes how often a script asks, and nothing else: its calls, values, errors, prints and effects are the same."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from tests.sampling import sampled
from tests.toolscript.plans.company import Company
from tests.toolscript.plans.worlds import Planned, World
from tests.toolscript.scripted import Script, run_code

_BLOCKS = Path(__file__).with_name('blocks.txt').read_text().split('---\n')


def generated(seed: int) -> str:
    """A script that reads and changes a world."""
    random = Random(seed)
    blocks = [
        block.format(i=i, n=random.randint(1, 60), m=random.randint(1, 90), k=random.randint(1, 4))
        for i, block in enumerate(random.choices(_BLOCKS, k=random.randint(1, 4)))
    ]
    return 'import asyncio\nseen = []\n' + ''.join(blocks) + 'seen\n'


async def compared(code: str, make: Callable[[], World | Company]) -> Counter[str]:
    """Run a script with a plan and with an approval for each call, and count the questions and the changing calls."""
    worlds, talks = [make(), make()], list[Planned]()
    for world, plans in zip(worlds, (True, False), strict=True):
        talks.append(Planned(world.toolset, Script([run_code(code)]), plans=plans))
        await talks[-1].approve_all()
    assert worlds[0] == worlds[1], code
    made, made_without = [sorted(map(repr, world.log)) for world in worlds]
    assert made == made_without, code
    planned, asked = talks
    assert planned.script.answers == asked.script.answers, code
    assert len(planned.questions) <= len(asked.questions), code
    return Counter(planned=len(planned.questions), asked=len(asked.questions), calls=len(made))


LONG = [pytest.param(range(start, start + 10), marks=pytest.mark.long) for start in range(0, 1_000, 10)]


@pytest.mark.parametrize('seeds', [range(5), *LONG], ids=str)
async def test_generated_scripts_behave_the_same_with_a_plan_and_never_ask_more_often(seeds: range) -> None:
    counted = Counter[str]()
    for seed in seeds:
        counted += await compared(generated(seed), World)
    assert counted['planned'] * 2 < counted['asked']


QUESTIONS = {
    'try and retry': (7, 28, 28),
    'loop that ignores results': (7, 60, 60),
    'loop that reads results': (7, 63, 63),
    'gather': (5, 7, 41),
    'create, then use': (6, 34, 34),
    'read, change, write': (8, 28, 28),
    'helpers': (4, 35, 35),
    'computed amounts': (9, 20, 20),
}
"""By kind of the scripts in `realistic.txt`: questions with a plan, questions without, changing calls."""


def realistic() -> Iterator[tuple[str, str]]:
    """The kind and the code of each script."""
    text = Path(__file__).with_name('realistic.txt').read_text(encoding='utf-8')
    for block in text.split('=== ')[1:]:
        title, _, code = block.partition('\n')
        yield title.partition(': ')[0], code


@pytest.mark.parametrize('kind', sampled(QUESTIONS, 1))
async def test_realistic_scripts_behave_the_same_with_few_questions(kind: str) -> None:
    counted = Counter[str]()
    for code in [code for one, code in realistic() if one == kind]:
        counted += await compared(code, Company)
    assert (counted['planned'], counted['asked'], counted['calls']) == QUESTIONS[kind]


def test_42_scripts_ask_at_most_60_questions() -> None:
    assert len([*realistic()]) == 42
    assert sum(planned for planned, _, _ in QUESTIONS.values()) <= 60
    assert sum(calls for _, _, calls in QUESTIONS.values()) >= 300
