"""What a model would type to find a tool.

The words stand in `wordings.json`: for each task its needs, and for each need three wordings, the plainest first. They
were written from the tasks' texts alone, by somebody who had not seen the tools, and stayed as they were when they
were assigned to the tools of the tasks' plans. So they know nothing of how a tool is called or described: a search
that finds it only by the third wording, or by none, has shown what it is worth.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter


class Need(NamedTuple):
    """Something that a task has to look up or do."""

    wordings: list[str]
    """The words for it, the plainest first."""
    tools: list[str]
    """The tools of the task's plan that it means; none where the plan does without."""


@cache
def needs() -> dict[str, list[Need]]:
    """The needs of each task, by its name."""
    return TypeAdapter(dict[str, list[Need]]).validate_json(Path(__file__).with_name('wordings.json').read_bytes())


def queries_for(task: str, tool: str) -> list[str]:
    """The task's own words for a tool, then those of other tasks.

    Where they find nothing, the same as expressions, which some searches take.
    """
    words = list(dict.fromkeys((*_meaning(tool, needs().get(task, [])), *_meaning(tool, _of_all_tasks()))))
    long = [[word for word in query.split() if len(word) > _SHORT] for query in words]
    expressions = (*(query.replace(' ', '.*') for query in words), *map('|'.join, filter(None, long)))
    return list(dict.fromkeys((*words, *expressions)))


_SHORT = 3
"""Shorter words stand in every description."""


def _of_all_tasks() -> list[Need]:
    return [need for of_task in needs().values() for need in of_task]


def _meaning(tool: str, among: list[Need]) -> Iterator[str]:
    return (words for need in among if tool in need.tools for words in need.wordings)
