"""Tasks of the other files, in agents that have 40, 400 or 4,000 tools."""

from dataclasses import replace

from evals.tasks import analytics_tasks, office_tasks, shop_tasks
from evals.tasks.task import Task

SIZES = (40, 400, 4000)
_NAMES = ('shop-restock', 'office-book', 'analytics-errors-by-site', 'shop-late-total')


def _with_crowds() -> list[Task]:
    others = {task.name: task for task in (*shop_tasks.TASKS, *office_tasks.TASKS, *analytics_tasks.TASKS)}
    return [
        replace(others[name], name=f'{name}-of-{size}', kind='discovery', crowd=size)
        for size in SIZES
        for name in _NAMES
    ]


TASKS = _with_crowds()
