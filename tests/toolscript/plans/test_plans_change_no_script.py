"""A plan changes how often a script asks, and nothing else: not its calls, values, errors, prints or the world."""

from collections import Counter

import pytest

from tests.sampling import sampled
from tests.toolscript.plans.generated import script
from tests.toolscript.plans.worlds import Planned, World, planned

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


async def ran(code: str, *, plans: bool) -> tuple[World, Planned]:
    world = World()
    talk = planned(world, code, plans=plans)
    await talk.approve_all()
    return world, talk


async def check(code: str) -> Counter[str]:
    (with_plan, talk), (without, other) = await ran(code, plans=True), await ran(code, plans=False)
    assert (sorted(map(repr, with_plan.log)), with_plan.accounts) == (sorted(map(repr, without.log)), without.accounts)
    assert (with_plan.issues, talk.script.answers) == (without.issues, other.script.answers), code
    assert len(talk.questions) <= len(other.questions), code
    return Counter(planned=len(talk.questions), asked=len(other.questions), calls=len(with_plan.log))


@pytest.mark.parametrize('seeds', sampled((range(start, start + 10) for start in range(0, 1_000, 10)), 2), ids=str)
async def test_generated_scripts_do_the_same_with_a_plan_and_never_ask_more_often(seeds: range) -> None:
    counted = Counter[str]()
    for seed in seeds:
        counted += await check(script(seed))
    assert counted['planned'] * 2 < counted['asked']
