"""The words that a model would type to find a tool.

`wordings.json` contains them: for each task its needs, and for each need three wordings, the plainest first. They were
written from the tasks' texts alone, by an author who had not seen the tools, and were not changed when they were
assigned to the tools of the tasks' plans. So they are independent of the tools' names and descriptions: a search that
finds a tool only by the third wording, or by none, shows its quality.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter


class Need(NamedTuple):
    """Something that a task has to look up or do."""

    wordings: list[str]
    """The wordings, the plainest first."""
    tools: list[str]
    """The tools of the task's plan that meet it; empty if the plan needs none."""


@cache
def needs() -> dict[str, list[Need]]:
    return TypeAdapter(dict[str, list[Need]]).validate_json(Path(__file__).with_name('wordings.json').read_bytes())


def queries_for(task: str, tool: str) -> list[str]:
    """Return the task's own words for a tool, then those of other tasks.

    If they find nothing, the same follow as regular expressions, which some searches accept.
    """
    words = list(dict.fromkeys((*_meaning(tool, needs().get(task, [])), *_meaning(tool, _of_all_tasks()))))
    long = [[word for word in query.split() if len(word) > _SHORT] for query in words]
    expressions = (*(query.replace(' ', '.*') for query in words), *map('|'.join, filter(None, long)))
    return list(dict.fromkeys((*words, *expressions)))


_SHORT = 3
"""Words of this length or shorter occur in every description."""


def _of_all_tasks() -> list[Need]:
    return [need for of_task in needs().values() for need in of_task]


def _meaning(tool: str, among: list[Need]) -> Iterator[str]:
    return (words for need in among if tool in need.tools for words in need.wordings)
