"""Every task, those with mistakes separately, and some of them for agents with 40, 400 or 4,000 tools."""

from dataclasses import replace
from typing import get_args

from evals.tasks.task import Task, WorldName, tasks_of

_SIZES = (40, 400, 4000)
_AMONG_OTHERS = ('shop-restock', 'office-book', 'analytics-errors-by-site', 'shop-late-total')


def _of_size(task: Task, size: int) -> Task:
    requests = {**task.requests, 'code + search': task.requests['code + search'] + (size > 400)}
    return replace(task, name=f'{task.name}-of-{size}', kind='discovery', crowd=size, requests=requests)


_BY_NAME = {task.name: task for world in get_args(WorldName) for task in tasks_of(world)}
TASKS = [
    *(task for task in _BY_NAME.values() if not task.draft),
    *(_of_size(_BY_NAME[name], size) for size in _SIZES for name in _AMONG_OTHERS),
]
ONE_BY_ONE = replace(
    _BY_NAME['office-cancel-interviews'],
    name='office-cancel-interviews-one-by-one',
    plan="""
events = await list_events(email='jun.sato@office.example', day='2026-03-05')
short = [event['id'] for event in events if event['minutes'] == 30]
for number in short:
    await cancel_event(event_id=number)
short
""",
)
"""A loop that asks the user in each turn, unless its changes are planned."""
MISTAKES = [task for task in _BY_NAME.values() if task.draft]
"""Tasks whose program the scripted model first writes with a typical mistake of models."""


def named(name: str) -> Task:
    """Return the task of that name.

    Raises:
        KeyError: There is no such task.
    """
    found = next((task for task in (*TASKS, ONE_BY_ONE) if task.name == name), None) or _BY_NAME.get(name)
    if found is None:
        raise KeyError(f'there is no task {name!r}')
    return found
