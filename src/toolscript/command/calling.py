"""One tool called as a model would call it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, RunContext, TextPart, ToolCallPart
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import DeferredToolRequests, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset, ToolsetTool
from pydantic_ai.usage import RunUsage

from toolscript.discovery.search_tool import as_search_tool
from toolscript.preparing import prepared
from toolscript.routing.rules import RuleBook
from toolscript.run_code.tool import RunCodeTool
from toolscript.search import closest_names

from .approvals import decided
from .exits import CommandError, Exit
from .targets import Connected


async def listed(toolset: AbstractToolset[Any], deps: object = None) -> dict[str, ToolsetTool[Any]]:
    """The tools of a toolset as they are before a run's first step."""
    ctx = RunContext[Any](deps=deps, model=TestModel(), usage=RunUsage(), run_step=1)
    return await (await toolset.for_run(ctx)).get_tools(ctx)


def real_tools(tools: Mapping[str, ToolsetTool[Any]]) -> dict[str, ToolsetTool[Any]]:
    """The tools themselves, in place of `run_code` and of the search that finds them."""
    real: dict[str, ToolsetTool[Any]] = {}
    for name, tool in tools.items():
        if isinstance(tool, RunCodeTool):
            real |= {inner: code_tool.tool for inner, code_tool in tool.functions.tools.items()}
        elif search := as_search_tool(tool):
            real |= search.deferred
        else:
            real.setdefault(name, tool)
    return real


def together(connected: Connected) -> AbstractToolset[Any]:
    """The tools of all sources that can be used."""
    return one_of([source.toolset for source in connected.sources])


def one_of(toolsets: Sequence[AbstractToolset[Any]]) -> AbstractToolset[Any]:
    """Toolsets as one."""
    return toolsets[0] if len(toolsets) == 1 else CombinedToolset(toolsets)


@dataclass(frozen=True)
class Given:
    """What a tool gave."""

    content: Any
    failed: bool
    """Whether the content is what the model would be told to do otherwise."""


def pick(name: str, tools: Mapping[str, ToolsetTool[Any]]) -> ToolDefinition:
    """The definition of a tool.

    Raises:
        CommandError: There is none of that name.
    """
    if name in tools:
        return tools[name].tool_def
    close = closest_names(name, [*tools])
    advice = f'The closest names: {", ".join(close)}.' if close else 'toolscript inspect lists what there is.'
    raise CommandError(f'there is no tool {name!r}. {advice}', Exit.USAGE)


async def call(
    toolset: AbstractToolset[Any], name: str, arguments: Mapping[str, Any], *, approve: tuple[str, ...] = ()
) -> Given:
    """Call a tool with all that a call of a model's has: its validation, and approvals.

    Args:
        toolset: Whose tool it is; whether it is deferred or for code alone does not matter.
        name: The tool.
        arguments: Its arguments.
        approve: See `decided`.
    """

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked = any(isinstance(message, ModelResponse) for message in messages)
        return ModelResponse([TextPart('done') if asked else ToolCallPart(name, dict(arguments))])

    agent = Agent(
        FunctionModel(play, model_name='toolscript call'),
        toolsets=[prepared(toolset, RuleBook(()), _START_SECONDS).prepared(_all_at_hand)],
        output_type=[str, DeferredToolRequests],
    )
    try:
        result = await agent.run(f'Call {name}.')
        while isinstance(result.output, DeferredToolRequests):
            result = await agent.run(
                message_history=result.all_messages(), deferred_tool_results=decided(result.output, approve)
            )
    except CommandError:
        raise
    except Exception as error:
        # A tool may raise whatever it likes.
        raise CommandError(f'{name} failed with {type(error).__name__}: {error}') from error
    return _given(result.all_messages(), name)


_START_SECONDS = 60.0


async def _all_at_hand(ctx: RunContext[Any], tools: list[ToolDefinition]) -> list[ToolDefinition]:
    return [replace(tool, defer_loading=False) for tool in tools]


def _given(messages: list[ModelMessage], name: str) -> Given:
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    for part in reversed(parts):
        if isinstance(part, ToolReturnPart) and part.tool_name == name:
            return Given(part.content, failed=part.outcome != 'success')
        # Older pydantic-ai asks for another try in a part of its own.
        if part.part_kind == 'retry-prompt':
            return Given(part.model_response(), failed=True)
    raise CommandError(f'{name} gave nothing.')
