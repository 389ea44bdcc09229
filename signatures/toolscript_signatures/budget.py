"""Which tools are shown if not all can be."""

from collections.abc import Iterator, Sequence

from .function_text import Detail
from .tokens import estimate_tokens
from .tool_function import ToolFunction


def within_budget(functions: Sequence[ToolFunction], detail: Detail, budget: int) -> list[ToolFunction]:
    """The functions whose texts fit a number of tokens, in their own order.

    Pinned ones are taken first, then one of each server in turn. One that does not fit is passed over.
    """
    left = budget
    taken: set[int] = set()
    for index in _by_turns(functions):
        cost = estimate_tokens(functions[index].render(detail)) + 2
        if cost <= left:
            left -= cost
            taken.add(index)
    return [function for index, function in enumerate(functions) if index in taken]


def _by_turns(functions: Sequence[ToolFunction]) -> Iterator[int]:
    yield from (index for index, function in enumerate(functions) if function.spec.pinned)
    queues: dict[str | None, list[int]] = {}
    for index, function in enumerate(functions):
        if not function.spec.pinned:
            queues.setdefault(function.spec.server, []).append(index)
    for turn in range(max(map(len, queues.values()), default=0)):
        yield from (queue[turn] for queue in queues.values() if turn < len(queue))
