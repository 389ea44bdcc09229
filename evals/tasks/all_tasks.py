"""Every task."""

from evals.tasks import analytics_tasks, discovery_tasks, files_tasks, office_tasks, shop_tasks
from evals.tasks.task import Task

TASKS: list[Task] = [
    *shop_tasks.TASKS,
    *files_tasks.TASKS,
    *office_tasks.TASKS,
    *analytics_tasks.TASKS,
    *discovery_tasks.TASKS,
]


def named(name: str) -> Task:
    """The task of that name.

    Raises:
        KeyError: There is none.
    """
    return next((task for task in TASKS if task.name == name), None) or _unknown(name)


def _unknown(name: str) -> Task:
    raise KeyError(f'there is no task {name!r}')
