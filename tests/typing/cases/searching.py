"""Correct and incorrect settings of hiding and searching tools."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, assert_type

from pydantic_ai import Agent, RunContext, ToolDefinition
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.toolsets import AbstractToolset

from toolscript import (
    ConfigError,
    DeferredToolsReminder,
    DiscoveredToolInfo,
    FunctionToolset,
    MCPServer,
    NativeToolSearch,
    SearchableToolset,
    SearchResult,
    ToolSearchConfig,
    ToolSearchOptions,
    TruncatedNames,
    allowed_callers,
    search_function,
)
from toolscript.search import (
    Algorithm,
    Document,
    Index,
    QueryError,
    ToolNames,
    build_index,
    build_index_in_turns,
    closest_names,
)

tools = FunctionToolset[int]()
found = SearchableToolset(tools, ToolSearchOptions(algorithm='keywords', max_results=3), defer='auto', defer_above=20)
assert_type(found, SearchableToolset[int])
as_toolset: AbstractToolset[int] = found
SearchableToolset(tools, 'keywords')  # error
SearchableToolset(tools, defer='always')  # error
SearchableToolset([tools])  # error


def by_length(ctx: RunContext[Any], queries: Sequence[str], offered: Sequence[ToolDefinition]) -> list[str]:
    """A custom algorithm."""
    return sorted((tool.name for tool in offered), key=len)


async def later(ctx: RunContext[Any], queries: Sequence[str], offered: Sequence[ToolDefinition]) -> Sequence[str]:
    """An async algorithm."""
    return [tool.name for tool in offered]


def of_nothing(queries: str) -> list[str]:
    """Not an algorithm."""
    return [queries]


ToolSearchOptions(algorithm=by_length)
ToolSearchOptions(algorithm=later)
ToolSearchOptions(algorithm=search_function('bm25', max_results=3))
ToolSearchOptions(algorithm=of_nothing)  # error
ToolSearchOptions(algorithm='bm52')  # error
ToolSearchOptions(on_unsupported='ignore')  # error
search_function('best')  # error


def drawn(tool: ToolDefinition) -> DiscoveredToolInfo:
    """Render a tool for search results."""
    return {'name': tool.name, 'description': tool.description}


ToolSearchOptions(tool_renderer=drawn)
ToolSearchOptions(tool_renderer=lambda tool: tool.name)  # error


def names_of(result: SearchResult) -> list[str]:
    """Return the names of the found tools."""
    return [tool['name'] for tool in result['tools']]


server = MCPServer('server', ['--stdio'], env={'TOKEN': 'x'}, defer_loading=['create_issue'], id='github')
short: AbstractToolset[Any] = TruncatedNames(server, longest=32)
MCPServer(['server', '--stdio'])  # error
MCPServer('server', env={'PORT': 80})  # error
TruncatedNames(server, longest='32')  # error

config = ToolSearchConfig.from_data({'enabled': True}, source='agent.json')
assert_type(config, ToolSearchConfig)
assert_type(config.options(), ToolSearchOptions)
ToolSearchConfig(strategy='best')  # error
Agent('test', capabilities=[config.capability(), NativeToolSearch(eager_tools={'github': ['create_issue']})])
reminded: AbstractCapability[int] = DeferredToolsReminder[int]()
NativeToolSearch(eager_tools=['create_issue'])  # error
assert_type(allowed_callers('code'), dict[str, Any])
allowed_callers('model')  # error

algorithm: Algorithm = 'ranked'
index = build_index(algorithm, [Document('create_refund', 'Give money back', tags=('money',))])
assert_type(index, Index)
assert_type(index.search('refund', limit=3), list[str])
assert_type(index.asked_for('Give it back!', limit=3), list[str])
index.search('refund')  # error
build_index('best', [])  # error
building: Awaitable[Index] = build_index_in_turns(algorithm, [])
build_index_in_turns('best', [])  # error
build_index('ranked', ['create_refund'])  # error
Document(3)  # error
near: Mapping[str, float] = {'create_refund': 0.5}
assert_type(index.search_near('refund', near, limit=3), list[str])
assert_type(index.search_near('refund', near, needs={'refund': near}, limit=3), list[str])
assert_type(closest_names('refnd', ['refund']), list[str])
assert_type(ToolNames(['create_refund']).named('createRefund'), list[str])
failures: list[type[Exception]] = [ConfigError, QueryError]
