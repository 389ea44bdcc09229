"""How deferred tools are searched, and what a search returns."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Required

from pydantic_ai import RunContext, UserError
from pydantic_ai.tools import ToolDefinition
from typing_extensions import TypedDict

from toolscript.checks import at_least, instance_of, one_of

DEFAULT_SEARCH_TOOL_NAME = 'pai_tool_search_tool'
_TOOL_NAME = re.compile(r'[A-Za-z0-9_-]{1,64}')

SearchFunction = Callable[
    [RunContext[Any], Sequence[str], Sequence[ToolDefinition]], Sequence[str] | Awaitable[Sequence[str]]
]
"""`(ctx, queries, tools) -> names`, best first, sync or async; the callable that pydantic-ai's `ToolSearch` takes."""

SearchAlgorithm = Literal['ranked', 'bm25', 'regex', 'keywords'] | SearchFunction


class DiscoveredToolInfo(TypedDict, total=False):
    """What a search returns about a tool."""

    name: Required[str]
    description: str | None
    signature: str
    """The Python signature of a tool that code may call, unless the model sees it elsewhere."""


class SearchResult(TypedDict):
    """What the search tool returns."""

    message: str
    tools: list[DiscoveredToolInfo]


@dataclass(frozen=True)
class ToolSearchOptions:
    """How `SearchableToolset` searches."""

    algorithm: SearchAlgorithm | None = None
    """`None` and `'ranked'`: the ranked search. `'bm25'`, `'regex'`, `'keywords'`: that algorithm. Or a callable.

    With `None` and `'bm25'`, the provider's native search is used if the model has it and every deferred tool may be
    called directly; with `'regex'` only if `NativeToolSearch` or `toolscript.agent.Agent` asks for it, because a
    toolset alone cannot. In all other cases toolscript searches.
    """
    max_results: int = 5
    """How many tools one search returns if the model does not say: twice as many for several sentences."""
    tool_renderer: Callable[[ToolDefinition], DiscoveredToolInfo] | None = None
    """Return what to show of a found tool; its `name` is always the tool's own. Default: its name and the first
    sentence of its description."""
    tool_name: str = DEFAULT_SEARCH_TOOL_NAME
    """The name of the search tool."""
    prefetch: int | None = None
    """How many tools each user prompt shows at most before the model searches. The ranked search finds them by the
    prompt's own words, whatever `algorithm` says. `None`: 8 if only code may call the deferred tools, else 0."""
    prefetch_tokens: int = 4_000
    """The limit for all of these together, in tokens of their JSON definitions, at four characters per token.
    Signatures in code take about half. Beyond it, later prompts add nothing."""
    on_unsupported: Literal['fallback', 'error'] = 'fallback'
    """If the model has no native `'bm25'` or `'regex'`: toolscript searches after one warning, or raises."""

    def __post_init__(self) -> None:
        if not callable(self.algorithm):
            one_of('algorithm', self.algorithm, (None, 'ranked', 'bm25', 'regex', 'keywords'))
        at_least('max_results', self.max_results, 1)
        if self.prefetch is not None:
            at_least('prefetch', self.prefetch, 0)
        at_least('prefetch_tokens', self.prefetch_tokens, 1)
        one_of('on_unsupported', self.on_unsupported, ('fallback', 'error'))
        instance_of('tool_name', self.tool_name, str)
        if not _TOOL_NAME.fullmatch(self.tool_name):
            raise UserError(
                f'tool_name is {self.tool_name!r}; use at most 64 letters, digits, _ and -, which all providers accept.'
            )
        if self.tool_renderer is not None and not callable(self.tool_renderer):
            raise UserError(f'tool_renderer is {self.tool_renderer!r}; use a function of a ToolDefinition, or None.')
