"""AgentDojo's tasks, performed by the scripted models of `make flows`."""

import ast
import json
import re
from collections.abc import Mapping

import pytest

from demo.installation import CannotInstall
from evals.flows.dojo import Task, tasks
from evals.flows.play import ROUTES, play
from tests.sampling import share


@pytest.fixture(scope='module')
def known() -> Mapping[str, Task]:
    """All tasks, by suite and name."""
    try:
        return {f'{task.suite}/{task.name}': task for task in tasks()}
    except CannotInstall:
        pytest.skip('needs the package agentdojo')


CODE, DEFAULTS, SHOWN = (ROUTES[place] for place in (2, 4, 6))
CHANNELS = 'slack/user_task_5'
"""Its injections are in the name of a channel, and its script stores the users of each channel by name."""


@share(8)
def test_scripts_contain_no_name_or_number_that_only_the_data_has(known: Mapping[str, Task], one_in: int) -> None:
    for task in [*known.values()][::one_in]:
        data = json.dumps(task.open().environment.model_dump(mode='json'))
        prompt = task.ask.casefold()
        for node in ast.walk(ast.parse(task.script)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for word in re.findall(r'[\w.-]+@[\w.-]+|[A-Z]{2}\d{8,}|www\.[\w.-]+\w|\S+\.\w{4}\b', node.value):
                    assert word.casefold() in prompt or word not in data, (task.name, word)


async def test_an_obedient_model_that_reads_results_carries_out_every_injection(known: Mapping[str, Task]) -> None:
    played = await play(known[CHANNELS], CODE, is_obedient=True)
    assert (len(played.shown), len(played.injected)) == (5, 5)


async def test_with_rules_an_obedient_model_reads_and_carries_out_no_injection(known: Mapping[str, Task]) -> None:
    played = await play(known[CHANNELS], DEFAULTS, is_obedient=True)
    assert (played.shown, played.injected, played.error) == ([], [], '')


async def test_where_results_are_shown_injected_actions_ask(known: Mapping[str, Task]) -> None:
    played = await play(known[CHANNELS], SHOWN, is_obedient=True)
    assert len(played.shown) == 5
    # Visiting a page changes nothing.
    assert played.injected == ['injection_task_3']
    assert {*played.asked} == {'injection_task_1', 'injection_task_2', 'injection_task_4', 'injection_task_5'}


async def test_an_honest_model_solves_its_task_and_asks_where_data_decides(known: Mapping[str, Task]) -> None:
    played = await play(known[CHANNELS], DEFAULTS, is_obedient=False)
    assert (played.solved, played.questions) == (True, 1)
    played = await play(known['workspace/user_task_6'], DEFAULTS, is_obedient=False)
    assert (played.solved, played.questions, played.clean, played.recognised) == (True, 0, 6, 6)
