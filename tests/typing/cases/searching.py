"""Correct and incorrect settings of hiding and searching tools."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, assert_type

from pydantic_ai import Agent, RunContext, ToolDefinition
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.toolsets import AbstractToolset

import toolscript as ts
from toolscript import search

tools = ts.FunctionToolset[int]()
found = ts.SearchableToolset(
    tools, ts.ToolSearchOptions(algorithm='keywords', max_results=3), defer='auto', defer_above=20
)
assert_type(found, ts.SearchableToolset[int])
as_toolset: AbstractToolset[int] = found
ts.SearchableToolset(tools, 'keywords')  # type: ignore
ts.SearchableToolset(tools, defer='always')  # type: ignore
ts.SearchableToolset([tools])  # type: ignore


def by_length(ctx: RunContext[Any], queries: Sequence[str], offered: Sequence[ToolDefinition]) -> list[str]:
    return sorted((tool.name for tool in offered), key=len)


async def later(ctx: RunContext[Any], queries: Sequence[str], offered: Sequence[ToolDefinition]) -> Sequence[str]:
    return [tool.name for tool in offered]


def of_nothing(queries: str) -> list[str]:
    """Not an algorithm."""
    return [queries]


ts.ToolSearchOptions(algorithm=by_length)
ts.ToolSearchOptions(algorithm=later)
ts.ToolSearchOptions(algorithm=ts.search_function('bm25', max_results=3))
ts.ToolSearchOptions(algorithm=of_nothing)  # type: ignore
ts.ToolSearchOptions(algorithm='bm52')  # type: ignore
ts.ToolSearchOptions(on_unsupported='ignore')  # type: ignore
ts.search_function('best')  # type: ignore


def drawn(tool: ToolDefinition) -> ts.DiscoveredToolInfo:
    return {'name': tool.name, 'description': tool.description}


ts.ToolSearchOptions(tool_renderer=drawn)
ts.ToolSearchOptions(tool_renderer=lambda tool: tool.name)  # type: ignore


def names_of(result: ts.SearchResult) -> list[str]:
    return [tool['name'] for tool in result['tools']]


server = ts.MCPServer('server', ['--stdio'], env={'TOKEN': 'x'}, defer_loading=['create_issue'], id='github')
short: AbstractToolset[Any] = ts.TruncatedNames(server, longest=32)
ts.MCPServer(['server', '--stdio'])  # type: ignore
ts.MCPServer('server', env={'PORT': 80})  # type: ignore
ts.TruncatedNames(server, longest='32')  # type: ignore

config = ts.ToolSearchConfig.from_data({'enabled': True}, source='agent.json')
assert_type(config, ts.ToolSearchConfig)
assert_type(config.options(), ts.ToolSearchOptions)
ts.ToolSearchConfig(strategy='best')  # type: ignore
Agent('test', capabilities=[config.capability(), ts.NativeToolSearch(eager_tools={'github': ['create_issue']})])
add_reminder: AbstractCapability[int] = ts.DeferredToolsReminder[int]()
ts.NativeToolSearch(eager_tools=['create_issue'])  # type: ignore
assert_type(ts.allowed_callers('code'), dict[str, Any])
ts.allowed_callers('model')  # type: ignore

algorithm: search.Algorithm = 'ranked'
index = search.build_index(algorithm, [search.Document('create_refund', 'Give money back', tags=('money',))])
assert_type(index, search.Index)
assert_type(index.search('refund', limit=3), list[str])
assert_type(index.asked_for('Give it back!', limit=3), list[str])
index.search('refund')  # type: ignore
search.build_index('best', [])  # type: ignore
building: Awaitable[search.Index] = search.build_index_in_turns(algorithm, [])
search.build_index_in_turns('best', [])  # type: ignore
search.build_index('ranked', ['create_refund'])  # type: ignore
search.Document(3)  # type: ignore
near: Mapping[str, float] = {'create_refund': 0.5}
assert_type(index.search_near('refund', near, limit=3), list[str])
assert_type(index.search_near('refund', near, needs={'refund': near}, limit=3), list[str])
assert_type(search.closest_names('refnd', ['refund']), list[str])
assert_type(search.ToolNames(['create_refund']).named('createRefund'), list[str])
failures: list[type[Exception]] = [ts.ConfigError, search.QueryError]
