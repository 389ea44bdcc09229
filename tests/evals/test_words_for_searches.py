"""The words with which the scripted model searches belong to the tasks, not to the tools."""

from evals.ladders import LADDERS
from evals.playing.program import tools_of
from evals.playing.queries import needs, queries_for
from evals.tasks.all_tasks import TASKS


def test_every_task_has_needs_of_three_wordings_each() -> None:
    assert sorted(needs()) == sorted(task.name for task in TASKS)
    counts = {len(need.wordings) for of_task in needs().values() for need in of_task}
    assert counts == {3}


def test_the_needs_of_a_task_mean_just_the_tools_of_its_plan() -> None:
    for task in TASKS:
        meant = {tool for need in needs()[task.name] for tool in need.tools}
        assert (task.name, meant) == (task.name, set(tools_of(task.plan)))


def test_no_wording_is_the_name_of_a_function() -> None:
    assert [words for of_task in needs().values() for need in of_task for words in need.wordings if '_' in words] == []


def test_a_task_without_needs_of_its_own_takes_the_words_of_the_others() -> None:
    tasks = [rung.task for ladder in LADDERS for rung in ladder.rungs]
    assert [task.name for task in tasks for tool in tools_of(task.plan) if not queries_for(task.name, tool)] == []
    assert queries_for('sum-stock-of-1', 'product') == queries_for('shop-stock', 'product')
