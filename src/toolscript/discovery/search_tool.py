"""The tool with which a model finds deferred tools."""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import ToolReturn
from pydantic_ai.messages import ModelMessage
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from toolscript.catalog.tool_specs import spec_of
from toolscript_signatures import without_invisible

from .discoveries import DISCOVERED_KEY
from .prefetching import NOTHING_KNOWN, KnownTools
from .search_options import DiscoveredToolInfo, SearchResult, ToolSearchOptions

SEARCH_DESCRIPTION = """\
Find tools that are not listed yet, to use from the next step on.
query: what the tool does ("refund payment"); +word for a word that must match; select:name_a,name_b for exact names."""

FOREIGN_SEARCH_TOOLS = frozenset(
    {'pai_tool_search_tool', 'search_tools', 'tool_search', 'tool_search_tool_bm25', 'tool_search_tool_regex'}
)
"""Names of search tools in other frameworks, providers and settings."""

_MAX_LINE = 200
"""Characters. The whole description is shown with the tool itself."""

_SENTENCE_END = re.compile(r'(?<=[.!?])\s|\n|(?<=[。！？])')
_MAX_READ = 4_000
_MIN_LINE = 20
"""A full stop before this many characters ends an abbreviation, not a sentence."""


class SearchArguments(TypedDict, total=False):
    query: str
    max_results: int


_arguments = SchemaValidator(TypeAdapter(SearchArguments).core_schema)


@dataclass(kw_only=True)
class SearchTool(ToolsetTool[AgentDepsT]):
    """The search tool of one step, with the tools it can find."""

    owner: AbstractToolset[AgentDepsT]
    """The toolset that it belongs to, even if another one lists it."""
    hidden: Mapping[str, ToolsetTool[AgentDepsT]]
    """Deferred tools that nothing has found yet, by name."""
    deferred: Mapping[str, ToolsetTool[AgentDepsT]]
    """All deferred tools, found or not, by name."""
    options: ToolSearchOptions
    known: KnownTools
    """The tools that the history and users' own words found."""


@dataclass(kw_only=True)
class RunsCode(ToolsetTool[AgentDepsT], ABC):
    """A tool that runs code in which found tools are functions: what searches need to know about `run_code`."""

    @property
    @abstractmethod
    def searched(self) -> SearchTool[AgentDepsT] | None:
        """The search of its code."""

    @property
    @abstractmethod
    def names(self) -> Collection[str]:
        """The names of the functions that its code may call."""

    @abstractmethod
    def with_signatures(
        self, result: ToolReturn[Any], search: SearchTool[Any], messages: Sequence[ModelMessage]
    ) -> ToolReturn[Any]:
        """Return the result of a search, with the signatures of functions that nothing else shows."""


def search_tool(
    toolset: AbstractToolset[AgentDepsT],
    options: ToolSearchOptions,
    *,
    deferred: Mapping[str, ToolsetTool[AgentDepsT]],
    hidden: Mapping[str, ToolsetTool[AgentDepsT]],
    max_retries: int,
    known: KnownTools = NOTHING_KNOWN,
) -> SearchTool[AgentDepsT]:
    return SearchTool(
        toolset=toolset,
        tool_def=ToolDefinition(
            name=options.tool_name,
            description=SEARCH_DESCRIPTION,
            parameters_json_schema={
                'type': 'object',
                'properties': {
                    'query': {'type': 'string'},
                    'max_results': {'type': 'integer', 'default': options.max_results},
                },
                'required': ['query'],
                'additionalProperties': False,
            },
        ),
        max_retries=max_retries,
        # The search itself answers a missing or blank query with advice.
        args_validator=_arguments,
        owner=toolset,
        hidden=hidden,
        deferred=deferred,
        options=options,
        known=known,
    )


def search_return(
    query: str, found: list[DiscoveredToolInfo], deferred: Sequence[ToolDefinition], listed: Collection[str]
) -> ToolReturn[Any]:
    """Return the result of a search among `deferred` tools; `listed` ones need no search."""
    from .searching import advice_on, shortened

    result = f'Found {len(found)} of {len(deferred)} deferred tools.'
    message = result if found else f"No tools found for '{shortened(query.strip())}'"
    if advice := advice_on(query, [info['name'] for info in found], deferred, listed):
        message = f'{message} {advice}' if found else f'{message}. {advice}'
    result = SearchResult(message=message, tools=found)
    names = [info['name'] for info in found]
    # With the names here too, pydantic-ai records the reveal next to the result, so that a run which ends now and
    # resumes from its history later sends the same request prefix.
    return ToolReturn(return_value=result, metadata={DISCOVERED_KEY: names}, tools=names or None)


def info_of(tool_def: ToolDefinition, options: ToolSearchOptions) -> DiscoveredToolInfo:
    """Return what one tool is for. The tool itself is shown in the next step."""
    if options.tool_renderer is None:
        return {'name': tool_def.name, 'description': one_line(tool_def)}
    return {**options.tool_renderer(tool_def), 'name': tool_def.name}


def one_line(tool_def: ToolDefinition) -> str | None:
    """Return the first sentence of a tool's description; `None` if it has none."""
    text = without_invisible((spec_of(tool_def).description or '')[:_MAX_READ]).strip()
    if not text:
        return None
    end = _SENTENCE_END.search(text, min(_MIN_LINE, len(text)))
    line = ' '.join(text[: end.start() if end else None][: _MAX_LINE * 4].split())
    return line if len(line) <= _MAX_LINE else f'{line[: _MAX_LINE - 1]}…'
