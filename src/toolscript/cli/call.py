"""`toolscript call`: one tool, called as a model would call it."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer
from pydantic_ai import Agent, ModelMessage, ModelResponse, RunContext, TextPart, ToolCallPart
from pydantic_ai.messages import BinaryContent, ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import DeferredToolRequests, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from toolscript.mcp.client_config import CONNECT_SECONDS
from toolscript.mcp.server_names import begins_with_server
from toolscript.preparing import prepared
from toolscript.routing.rules import RuleBook
from toolscript.search import closest_names

from .approvals import Ask, asker, decide
from .arguments import read_arguments
from .connections import listed, opened
from .terminal import Approve, CommandError, Exit, Inputs, TargetText, complain, write_value


def call_command(
    target: TargetText,
    tool: Annotated[str, typer.Argument(help='The name of the tool.', show_default=False)],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar='[KEY=VALUE]...', help="Typed by the tool's schema; KEY:=JSON, KEY=@FILE.", show_default=False
        ),
    ] = None,
    approve: Approve = None,
    inputs: Inputs = None,
) -> None:
    """Call one tool, and print its result.

    Text is printed as it is, all else as JSON. Ends with 1 if the tool fails. Of a configuration with many servers,
    only the one starts that the tool is named for.

    Examples:

    toolscript call mcp.json git_log repo_path=. max_count:=3

    toolscript call shop.tools:orders order text=@letter.txt urgent=true
    """
    result = asyncio.run(_call(target, tool, arguments or [], approve or [], inputs or []))
    if result.failed:
        complain(str(result.content))
        raise typer.Exit(Exit.NO)
    content = result.content
    if not isinstance(content, BinaryContent):
        write_value(content)
    elif sys.stdout.isatty():
        size = f'{content.media_type}, {len(content.data):,} bytes'
        raise CommandError(f'{size}; write it to a file: toolscript call … > FILE', Exit.USAGE)
    else:
        sys.stdout.buffer.write(content.data)


@dataclass(frozen=True)
class _Result:
    content: Any
    failed: bool
    """Whether the content is a message to the model about a failure."""


async def _call(text: str, name: str, words: list[str], approve: list[str], inputs: list[str]) -> _Result:
    async with opened(text, inputs, only=lambda source: begins_with_server(name, source.name)) as live:
        tools = await listed(live.toolset)
        if name in tools or len(live.sources) == len(live.target.sources):
            return await _called(live.toolset, tools, name, words, approve)
    async with opened(text, inputs) as live:
        return await _called(live.toolset, await listed(live.toolset), name, words, approve)


async def _called(
    toolset: AbstractToolset[Any],
    tools: Mapping[str, ToolsetTool[Any]],
    name: str,
    words: Sequence[str],
    approve: Sequence[str],
) -> _Result:
    if name not in tools:
        close = closest_names(name, [*tools])
        advice = f'The closest names: {", ".join(close)}.' if close else 'toolscript inspect lists the tools.'
        raise CommandError(f'there is no tool {name!r}. {advice}', Exit.USAGE)
    arguments = read_arguments(words, tools[name].tool_def.parameters_json_schema)
    try:
        messages = await _played(toolset, ToolCallPart(name, arguments), approve, asker())
    except CommandError:
        raise
    except Exception as error:
        # A tool may raise any exception.
        raise CommandError(f'{name} failed with {type(error).__name__}: {error}') from error
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    for part in reversed(parts):
        if isinstance(part, ToolReturnPart) and part.tool_name == name:
            return _Result(part.content, failed=part.outcome != 'success')
        # Older versions of pydantic-ai request retries with a separate part.
        if part.part_kind == 'retry-prompt':
            return _Result(part.model_response(), failed=True)
    raise CommandError(f'{name} returned nothing.')


async def _played(
    toolset: AbstractToolset[Any], call: ToolCallPart, approve: Sequence[str], ask: Ask | None
) -> list[ModelMessage]:
    """Return the messages of a run whose model makes the call, with validation and approvals."""

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked = any(isinstance(message, ModelResponse) for message in messages)
        return ModelResponse([TextPart('done') if asked else call])

    async def undeferred(ctx: RunContext[Any], tools: list[ToolDefinition]) -> list[ToolDefinition]:
        return [replace(tool, defer_loading=False) for tool in tools]

    agent = Agent(
        FunctionModel(play, model_name='toolscript call'),
        toolsets=[prepared(toolset, RuleBook(()), CONNECT_SECONDS).prepared(undeferred)],
        output_type=[str, DeferredToolRequests],
    )
    result = await agent.run(f'Call {call.tool_name}.')
    while isinstance(result.output, DeferredToolRequests):
        decisions = await decide(result.output, approve, ask)
        result = await agent.run(message_history=result.all_messages(), deferred_tool_results=decisions)
    return result.all_messages()
