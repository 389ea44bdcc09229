"""Our search as the function that pydantic-ai's `ToolSearch` takes."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Literal

from pydantic_ai import RunContext
from pydantic_ai.tools import ToolDefinition

from .search_options import SearchFunction
from .searching import found_names


def search_function(
    algorithm: Literal['ranked', 'bm25', 'regex', 'keywords'] = 'ranked', *, max_results: int = 10
) -> SearchFunction:
    """A search for `ToolSearch(strategy=search_function())`.

    OpenAI and Anthropic then take what it finds as the result of their own tool search, run by the client. Every query
    of a call is searched by itself; the best of each come first.

    Args:
        algorithm: How to search.
        max_results: How many tools one query may find. `ToolSearch` has a bound of its own for all of them.
    """

    async def search(ctx: RunContext[Any], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        found = [await found_names(ctx, algorithm, query, tools, max_results) for query in queries]
        return list(dict.fromkeys(name for row in zip_longest(*found) for name in row if name is not None))

    return search
