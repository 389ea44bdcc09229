"""Which tools are shown if not all can be."""

from collections.abc import Iterator, Sequence

from toolscript_signatures.writing.function_text import Detail

from .tool_function import ToolFunction

_PATIENCE = 50


def within_budget(functions: Sequence[ToolFunction], detail: Detail, budget: int) -> list[int]:
    """The positions of functions whose texts fit a number of tokens, in the order in which they were chosen.

    Pinned ones are taken first, then one of each server in turn. One that does not fit is passed over; after fifty in a
    row the search ends.
    """
    left, misses = budget, 0
    taken: list[int] = []
    for index in _by_turns(functions):
        cost = functions[index].work.cost(detail) + 1
        fits = cost <= left
        misses = 0 if fits else misses + 1
        if fits:
            left -= cost
            taken.append(index)
        if misses >= _PATIENCE:
            break
    return taken


def _by_turns(functions: Sequence[ToolFunction]) -> Iterator[int]:
    yield from (index for index, function in enumerate(functions) if function.spec.pinned)
    queues: dict[str | None, list[int]] = {}
    for index, function in enumerate(functions):
        if not function.spec.pinned:
            queues.setdefault(function.spec.server, []).append(index)
    for turn in range(max(map(len, queues.values()), default=0)):
        yield from (queue[turn] for queue in queues.values() if turn < len(queue))
