"""Searches over tool definitions."""

import inspect
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Literal

from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.tools import ToolDefinition

from toolscript.catalog.tool_specs import ContentCache, spec_of
from toolscript.guards import strings
from toolscript.search import Document, QueryError, ToolNames, build_index_in_turns
from toolscript.search.query import parse
from toolscript_signatures import ToolSpec

from .search_options import SearchAlgorithm, SearchFunction

_MAX_MISSED = 10
_MAX_SERVERS = 20
_MAX_REPEATED = 200


def search_function(
    algorithm: Literal['ranked', 'bm25', 'regex', 'keywords'] = 'ranked', *, max_results: int = 10
) -> SearchFunction:
    """Return a search for `ToolSearch(strategy=search_function())`.

    OpenAI and Anthropic then use its results as those of their own tool search, run by the client. Every query of a
    call is searched separately; the best results of each come first.

    Args:
        algorithm: How to search.
        max_results: How many tools one query may find. `ToolSearch` has its own limit for all of them.
    """

    async def search(ctx: RunContext[Any], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        found = [await found_names(ctx, algorithm, query, tools, max_results) for query in queries]
        return list(dict.fromkeys(name for row in zip_longest(*found) for name in row if name is not None))

    return search


async def found_names(
    ctx: RunContext[Any],
    algorithm: SearchAlgorithm | None,
    query: str,
    tools: Sequence[ToolDefinition],
    limit: int,
    *,
    only_best: bool = True,
) -> list[str]:
    """Return the names of the tools that match, best first: at most `limit`, but all those that the query names.

    With `only_best`, the list ends before the first tool that scores far below the best one.

    Raises:
        ModelRetry: The query is blank or invalid. The message says what to write instead.
    """
    if not callable(algorithm):
        documents = await documents_in_turns(tools)
        index = await build_index_in_turns(algorithm or 'ranked', documents)
        try:
            return index.worth_reading(query, limit=limit) if only_best else index.search(query, limit=limit)
        except QueryError as error:
            raise ModelRetry(str(error)) from error
    if not query.strip():
        raise ModelRetry('query is required')
    names = algorithm(ctx, [query], tools)
    known = {tool.name for tool in tools}
    return [name for name in (await names if inspect.isawaitable(names) else names) if name in known][:limit]


def advice_on(
    query: str, found: Sequence[str], tools: Sequence[ToolDefinition], listed: Collection[str] = ()
) -> str | None:
    """Return advice on selected names that no deferred tool has, or on a query that finds nothing."""
    names = ToolNames(tool.name for tool in tools)
    selected = names.missed(query)
    missed = [name for name in selected if name not in listed][:_MAX_MISSED]
    known = [name for name in selected if name in listed][:_MAX_MISSED]
    if found and not missed and not known:
        return None
    misspelt = missed or ([] if found or known else [query])
    close = list(dict.fromkeys(name for word in misspelt for name in names.closest(word)))
    return ' '.join(
        [
            *([f'No search is needed to call {", ".join(known)}.'] if known else []),
            *([f'No tool is called {", ".join(map(shortened, missed))}.'] if found and missed else []),
            *([f'The closest names: {", ".join(close)}.'] if close else []),
            *([f'No server is called {shortened(server)}.'] if (server := _missed_server(query, tools)) else []),
            *(['Write select:name_a,name_b.'] if query.strip().casefold() == 'select:' else []),
            *([f'The tools come from {servers}.'] if not found and (servers := _servers(tools)) else []),
        ]
    )


def _missed_server(query: str, tools: Sequence[ToolDefinition]) -> str | None:
    """Return the value of `server:` in the query that no server's name contains."""
    known = {server.casefold() for tool in tools if (server := spec_of(tool).server)}
    plain = [part for part in parse(query).servers if not {'*', '?'}.intersection(part)]
    return next((part for part in plain if not any(part.casefold() in server for server in known)), None)


def _servers(tools: Sequence[ToolDefinition]) -> str:
    """Return the names of the tools' servers, those with the most tools first."""
    count = Counter(server for tool in tools if (server := spec_of(tool).server))
    named = [shortened(server) for server, _ in count.most_common(_MAX_SERVERS)]
    return ', '.join([*named, *([f'{len(count) - len(named)} more'] if len(count) > len(named) else [])])


def shortened(text: str) -> str:
    return text if len(text) <= _MAX_REPEATED else f'{text[:_MAX_REPEATED]}…'


async def documents_in_turns(tools: Sequence[ToolDefinition]) -> tuple[Document, ...]:
    """Return the tools as the search sees them: the same objects for the same content, so an index is built once."""
    return await _listings.in_turns(tools)


def _document_of(tool: ToolDefinition) -> Document:
    return _document(spec_of(tool), tuple(strings((tool.metadata or {}).get('tags'))))


@lru_cache(maxsize=200_000)
def _document(spec: ToolSpec, tags: tuple[str, ...]) -> Document:
    return Document(spec.name, spec.description, spec.parameters, spec.server, tags)


_listings = ContentCache[Document, tuple[Document, ...]](_document_of, tuple)
