"""Correct and incorrect uses of agents and toolsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_type

import pydantic_ai
from pydantic_ai import RunContext
from pydantic_ai.toolsets import AbstractToolset

import toolscript.agent
from toolscript import AllowedCallers, FunctionToolset


@dataclass
class Answer:
    text: str


agent = toolscript.agent.Agent('test', output_type=Answer, deps_type=int)
assert_type(agent, toolscript.agent.Agent[int, Answer])
assert_type(agent.run_sync('', deps=1).output, Answer)
agent.run_sync('', deps='1')  # type: ignore
as_upstream: pydantic_ai.Agent[int, Answer] = agent
of_other_deps: pydantic_ai.Agent[str, Answer] = agent  # type: ignore
assert_type(toolscript.agent.Agent('test'), toolscript.agent.Agent[object, str])
MYPY = False  # It checks several output types less strictly.
if not MYPY:
    assert_type(toolscript.agent.Agent('test', output_type=[Answer, str]).run_sync('').output, Answer | str)

toolscript.agent.Agent('test', retrys=3)  # type: ignore
toolscript.agent.Agent('test', retries='3')  # type: ignore
toolscript.agent.Agent('test', end_strategy='soon')  # type: ignore
toolscript.agent.Agent('test', tool_search_options='regex')  # type: ignore
toolscript.agent.Agent(
    'test', retries={'tools': 2}, name='a', instructions='Be brief.', tool_timeout=1.5, max_concurrency=2
)


@agent.tool
def with_context(ctx: RunContext[int], city: str) -> int:
    return ctx.deps


@agent.tool(allowed_callers='code', retries=3, defer_loading=True)
async def with_keywords(ctx: RunContext[int], city: str) -> int:
    """Take the deps later."""
    return ctx.deps


@agent.tool
def without_context(city: str) -> int:
    return len(city)


@agent.tool_plain(allowed_callers='both', sequential=True)
def plain(city: str) -> int:
    return len(city)


assert_type(without_context('a'), int)
assert_type(plain('a'), int)
without_context(1)  # type: ignore
print(with_context.no_such_attribute)  # type: ignore


@agent.tool  # pyright: ignore
def of_other_deps_than_the_agent(ctx: RunContext[str], city: str) -> str:
    return ctx.deps


agent.tool(retrys=3)  # type: ignore
agent.tool(allowed_callers='model')  # type: ignore
agent.tool(defer_loading='yes')  # type: ignore
agent.tool_plain(retrys=3)  # type: ignore
agent.tool_plain(timeout='long')  # type: ignore

tools = FunctionToolset[int](max_retries=3, allowed_callers='code', defer_loading=True, id='tools')
as_toolset: AbstractToolset[int] = tools
FunctionToolset[int](max_retrys=3)  # type: ignore
FunctionToolset[int](defer_loading='yes')  # type: ignore
FunctionToolset[int](allowed_callers='all')  # type: ignore


@tools.tool(allowed_callers='both', defer_loading=None, requires_approval=True)
def in_a_toolset(ctx: RunContext[int], city: str) -> int:
    return ctx.deps


@tools.tool  # pyright: ignore
def in_a_toolset_of_other_deps(ctx: RunContext[str], city: str) -> str:
    return ctx.deps


@tools.tool_plain
def plain_in_a_toolset(city: str) -> int:
    return len(city)


assert_type(plain_in_a_toolset('a'), int)
tools.tool(retrys=3)  # type: ignore
tools.tool(defer_loading='yes')  # type: ignore
tools.tool_plain(allowed_callers='model')  # type: ignore
callers: AllowedCallers = 'neither'  # type: ignore
