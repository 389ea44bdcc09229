"""`toolscript call`: one tool, called as a model would call it."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from pydantic_ai import Agent, ModelMessage, ModelResponse, RunContext, TextPart, ToolCallPart
from pydantic_ai.messages import BinaryContent, ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import DeferredToolRequests, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from toolscript.guards import fields, items, strings
from toolscript.mcp.client_config import CONNECT_SECONDS
from toolscript.mcp.server_names import begins_with_server
from toolscript.mcp.supervised_server import prepared
from toolscript.mistakes import closest
from toolscript.routing.rules import RuleBook
from toolscript.search import closest_names

from .approvals import Ask, asker, decide, run_deciding
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

    Text is printed as it is, everything else as JSON. The exit code is 1 if the tool fails. Of several servers, only
    the one in the tool's name starts.

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
    messages = await _played(toolset, ToolCallPart(name, arguments), approve, asker())
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    for part in reversed(parts):
        if isinstance(part, ToolReturnPart) and part.tool_name == name:
            return _Result(part.content, failed=part.outcome != 'success')
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
    what = f'{call.tool_name} failed'
    return await run_deciding(agent, f'Call {call.tool_name}.', lambda asked: decide(asked, approve, ask), what)


_JSON_TYPES: dict[type[Any], str] = {
    bool: 'boolean',
    int: 'integer',
    float: 'number',
    list: 'array',
    dict: 'object',
    type(None): 'null',
}


def read_arguments(words: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a tool, each with the type that its JSON `schema` requires.

    `key=value` is text if the tool accepts text, and otherwise JSON; `key:=value` is always JSON; `key=@file` is the
    content of a file. A repeated key makes a list.

    Raises:
        CommandError: Some arguments are invalid; the message lists all of them.
    """
    properties = fields(schema.get('properties'))
    arguments: dict[str, Any] = {}
    wrong: list[str] = []
    for word in words:
        key, equals, text = word.partition('=')
        is_json = key.endswith(':')
        key = key.removesuffix(':')
        if not equals or not key:
            wrong.append(f'{word!r} is not an argument; write key=value.')
        elif key not in properties and properties and not schema.get('additionalProperties'):
            wrong.append(f'there is no argument {key!r}. {_meant(key, properties)}')
        else:
            types = _types(properties.get(key), schema)
            try:
                value = _json(text, types) if is_json else _value(text, types)
            except ValueError as error:
                wrong.append(f'{key}: {error}')
                value = None
            if key in arguments:
                arguments[key] = [*_as_list(arguments[key]), *_as_list(value)]
            else:
                arguments[key] = _as_list(value) if [*types] == ['array'] else value
    wrong += [f'{key} is missing.' for key in strings(schema.get('required')) if key not in arguments]
    if wrong:
        raise CommandError('\n  '.join(['the arguments cannot be used:', *wrong]), Exit.USAGE)
    return arguments


def _value(text: str, types: frozenset[str]) -> Any:
    if text.startswith('@'):
        try:
            text = Path(text[1:]).read_text('utf-8')
        except OSError as error:
            advice = '(For text that begins with @, write key:=\'"@…"\'.)'
            raise ValueError(f'{text[1:]}: {error.strerror}. {advice}') from error
    if types and 'string' not in types:
        return _json(text, types)
    try:
        value = json.loads(text)
    except ValueError:
        return text
    # The text is also JSON: use the value only if the tool accepts its type, because then text is unlikely to be meant.
    return value if not types or _type_of(value) in types else text


def _json(text: str, types: frozenset[str]) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        if 'array' in types:
            return text
        raise ValueError(f'{text!r} is no {" or ".join(sorted(types)) or "JSON"}.') from error


def _types(schema: object, root: Mapping[str, Any], depth: int = 0) -> frozenset[str]:
    """Return the JSON types that a schema allows; empty if it does not say."""
    keywords = fields(schema)
    declared = keywords.get('type')
    found = {declared} if isinstance(declared, str) else {each for each in items(declared) if isinstance(each, str)}
    inner = [option for key in ('anyOf', 'oneOf', 'allOf') for option in items(keywords.get(key))]
    if isinstance(reference := keywords.get('$ref'), str) and reference.startswith('#/'):
        target: object = root
        for step in reference[2:].split('/'):
            target = fields(target).get(step)
        inner.append(target)
    choices = [*items(keywords.get('enum')), *([keywords['const']] if 'const' in keywords else [])]
    found |= {_type_of(value) for value in choices}
    return frozenset(found).union(*(_types(each, root, depth + 1) for each in inner if depth < 8))


def _type_of(value: object) -> str:
    return _JSON_TYPES.get(type(value), 'string')


def _as_list(value: object) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else [value]


def _meant(key: str, properties: Mapping[str, object]) -> str:
    close = closest(key, properties)
    return f'Is {close!r} meant?' if close else f'It takes {", ".join(properties) or "none"}.'
