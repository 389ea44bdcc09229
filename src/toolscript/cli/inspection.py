"""Determines what a model is shown of a target, and its price in tokens."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias

from pydantic import JsonValue
from pydantic_ai import Agent, ModelMessage, ModelResponse, ToolCallPart, capture_run_messages
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelRequest
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset

from toolscript.catalog.tool_specs import catalog_of
from toolscript.code_mode_toolset import CodeModeToolset
from toolscript.discovery.search_options import DEFAULT_SEARCH_TOOL_NAME
from toolscript.discovery.search_tool import SearchTool
from toolscript.discovery.searchable_toolset import SearchableToolset
from toolscript.flows.rules import FlowRule, matches
from toolscript.guards import fields, items
from toolscript.history import RecordTools
from toolscript.mcp.unreadable_tools import unreadable_tools
from toolscript.routing.effects import read_only_of
from toolscript.routing.placement import first_listed
from toolscript.run_code.tool import RunCodeTool
from toolscript.settings import CodeModeSettings
from toolscript.testing import PrefixChange, RecordingModel, RequestPrefix, prefix_changes
from toolscript.testing.prefixes import text_of, tool_line
from toolscript_signatures import estimate_tokens, identifier, without_invisible

from .connections import Connected, listed, real_tools, servers_in
from .target import one_of

Kind: TypeAlias = Literal['down', 'unreadable', 'clash', 'hidden', 'name', 'long', 'silent', 'returns', 'reads']

_MAX_NAME = 64
"""The limit of OpenAI and Anthropic."""
_MAX_DESCRIPTION = 1024
"""The limit of OpenAI; a model rarely needs more to choose and call a tool."""
_NAME = re.compile(r'[A-Za-z0-9_-]+')

HEADINGS: Mapping[Kind, str] = {
    'down': 'Servers that are down',
    'unreadable': 'Tools that the MCP client cannot read, so they are left out',
    'clash': 'Names that clash',
    'hidden': 'Tools with invisible characters',
    'name': 'Names that some providers refuse (use at most 64 letters, digits, _ and -)',
    'long': f'Descriptions of more than {_MAX_DESCRIPTION:,} characters',
    'silent': 'Tools without a description',
    'returns': 'Tools without a return schema, so that code gets Any',
    'reads': 'Tools without readOnlyHint',
}
"""Most important first."""


@dataclass(frozen=True)
class ToolWarning:
    kind: Kind
    name: str
    text: str = ''
    """Details; empty if the kind says everything."""


def warnings_of(tool: ToolDefinition) -> Iterator[ToolWarning]:
    name, description = tool.name, tool.description or ''
    texts = (name, description, *_strings(tool.parameters_json_schema))
    if any(without_invisible(text) != text for text in texts):
        yield ToolWarning('hidden', name)
    if len(name) > _MAX_NAME or not _NAME.fullmatch(name):
        yield ToolWarning('name', name, f'{len(name)} characters' if len(name) > _MAX_NAME else '')
    if len(description) > _MAX_DESCRIPTION:
        yield ToolWarning('long', name, f'{len(description):,} characters')
    if not description.strip():
        yield ToolWarning('silent', name)
    if not tool.return_schema:
        yield ToolWarning('returns', name)
    if read_only_of(tool) is None:
        yield ToolWarning('reads', name)


def clashes(tools: Sequence[tuple[str, ToolDefinition]]) -> Iterator[ToolWarning]:
    """Yield warnings about names that several sources share, and names that are equal in Python."""
    sources = defaultdict[str, list[str]](list)
    names = defaultdict[str, set[str]](set)
    for source, tool in tools:
        sources[tool.name].append(source)
        names[identifier(tool.name)].add(tool.name)
    for name, having in sources.items():
        if len(having) > 1:
            yield ToolWarning('clash', name, f'is in {" and ".join(having)}; the first one is used, rename the others')
    for python, same in names.items():
        if len(same) > 1:
            text = f'is the name of {" and ".join(sorted(same))} in code; rename all but one'
            yield ToolWarning('clash', python, text)


def _strings(value: object) -> Iterator[str]:
    todo: list[object] = [value]
    while todo:
        match todo.pop():
            case str() as text:
                yield text
            case other:
                todo += [*fields(other), *fields(other).values(), *items(other)]


@dataclass(frozen=True)
class WeighedTool:
    name: str
    source: str
    signature: str
    """What code mode shows of it, including types and docstring."""
    json_tokens: int
    signature_tokens: int
    """The number of tokens as a signature in `run_code`."""
    only_reads: bool | None
    """`None` if the tool does not say."""
    needs_approval: bool


@dataclass(frozen=True)
class FlowEffect:
    """A rule about data flows, and the tools that it concerns."""

    then: str
    sources: tuple[str, ...]
    sinks: tuple[str, ...]
    arguments: tuple[str, ...] | None
    """The names of the arguments; `None` for all."""


@dataclass(frozen=True)
class FirstRequests:
    """The first request of a run, and the one after a discovery if there is something to discover."""

    messages: tuple[ModelMessage, ...]
    """The history, including the tools of each request."""
    requests: tuple[RequestPrefix, ...]
    found: str | None

    @property
    def first_tokens(self) -> int:
        return estimate_tokens(_text(self.requests[0]))

    @property
    def change(self) -> PrefixChange | None:
        """The first change that the discovery made to the first request; `None` if it only appended."""
        return next(iter(prefix_changes(self.requests)), None)

    @property
    def read_again(self) -> int:
        """The tokens that the provider rereads after the discovery: all that was appended, or follows the change."""
        if len(self.requests) < 2:
            return 0
        before, after = map(_text, self.requests)
        if self.change is None:
            return estimate_tokens(after) - estimate_tokens(before)
        return estimate_tokens(after.encode()[self.change.byte :].decode(errors='replace'))


# When a task ends, the event loop formats its result, which would take a second with ten thousand tools.
@dataclass(frozen=True, repr=False)
class Inspection:
    """What a model is shown of a target, and its price."""

    target: str
    sources: tuple[str, ...]
    tools: tuple[WeighedTool, ...]
    warnings: tuple[ToolWarning, ...]
    """Most important first."""
    flows: tuple[FlowEffect, ...]
    """In the order in which the rules are applied."""
    shown: FirstRequests
    all_deferred: FirstRequests | None
    """The same if all tools were deferred; `None` if they are, or if the target already uses code mode."""

    @property
    def discovery(self) -> FirstRequests:
        """The run with a discovery: of the target, or of the target with all tools deferred."""
        return self.shown if self.shown.found is not None or self.all_deferred is None else self.all_deferred

    def pays_below(self, tool: WeighedTool) -> float | None:
        """Return the share of requests, from 0 to 1, below which deferring the tool pays off.

        As long as nothing needs the tool, each request is shorter by its signature; the request that needs it costs a
        discovery. `None` if there is no discovery.
        """
        costs = self.discovery.read_again
        return tool.signature_tokens / (tool.signature_tokens + costs) if costs else None

    def as_data(self) -> dict[str, JsonValue]:
        """Return the inspection as JSON; docs/cli.md describes the keys."""
        shown, change = self.shown, self.shown.change
        discovery: dict[str, JsonValue] = {
            'tool': shown.found,
            'read_again': shown.read_again,
            'change': None if change is None else {'section': change.section, 'byte': change.byte},
        }
        return {
            'target': self.target,
            'sources': [*self.sources],
            'tokens': {
                'json': sum(tool.json_tokens for tool in self.tools),
                'signatures': sum(tool.signature_tokens for tool in self.tools),
                'first_request': shown.first_tokens,
            },
            'requests': [asdict(request) for request in shown.requests],
            'messages': ModelMessagesTypeAdapter.dump_python([*shown.messages], mode='json'),
            'discovery': None if shown.found is None else discovery,
            'tools': [{**asdict(tool), 'defer_below': self.pays_below(tool)} for tool in self.tools],
            'flows': [asdict(effect) for effect in self.flows],
            'warnings': [asdict(warning) for warning in self.warnings],
        }


async def inspect(live: Connected, prompt: str) -> Inspection:
    """Inspect a target whose servers are running. The words of `prompt` reveal tools that match them."""
    named: list[tuple[str, ToolDefinition]] = []
    offered: set[str] = set()
    distinct: list[AbstractToolset[Any]] = []
    parts: list[object] = []
    is_plain = True
    if live.target.agent is not None:
        live.target.agent.root_capability.apply(parts.append)
    for source in live.sources:
        own = await listed(source.toolset)
        parts += [tool.toolset for tool in own.values() if isinstance(tool, RunCodeTool)]
        distinct.append(_without(source.toolset, frozenset(offered)))
        is_plain = is_plain and first_listed(own, RunCodeTool) is None and first_listed(own, SearchTool) is None
        offered |= own.keys()
        named += [(source.name, tool.tool_def) for tool in real_tools(own).values()]
    known = {tool.name: (source, tool) for source, tool in reversed(named)}
    known = {tool.name: known[tool.name] for _, tool in named}
    warnings = [
        *(ToolWarning('down', name, text) for name, text in live.down.items()),
        *(
            ToolWarning('unreadable', name, text)
            for source in live.sources
            for server in servers_in(source.toolset)
            for name, text in unreadable_tools(server).items()
        ),
        *clashes(named),
        *(warning for _, tool in known.values() for warning in warnings_of(tool)),
    ]
    tools, names, order = one_of(distinct), [*known], [*HEADINGS]
    shown = await _first_requests(live.target.agent or (_in_code_mode(tools) if is_plain else tools), names, prompt)
    deferred = None
    if is_plain and shown.found is None:
        deferred = await _first_requests(_in_code_mode(tools.defer_loading()), names, prompt)
    return Inspection(
        target=live.target.text,
        sources=tuple(source.name for source in live.sources),
        tools=tuple(_weighed([*known.values()])),
        warnings=tuple(sorted(warnings, key=lambda warning: order.index(warning.kind))),
        flows=tuple(
            _effect(rule, known)
            for part in parts
            if isinstance(part, CodeModeSettings) and part.flows is not None
            for rule in part.flows.all_rules
        ),
        shown=shown,
        all_deferred=deferred,
    )


def _effect(rule: FlowRule, known: Mapping[str, tuple[str, ToolDefinition]]) -> FlowEffect:
    sources, sinks = (
        tuple(name for name, (_, tool_def) in known.items() if matches(match, tool_def))
        for match in (rule.source, rule.sink)
    )
    arguments = (rule.arguments,) if isinstance(rule.arguments, str) else rule.arguments
    return FlowEffect(rule.then, sources, sinks, None if arguments is None else tuple(arguments))


def _weighed(tools: Sequence[tuple[str, ToolDefinition]]) -> list[WeighedTool]:
    catalog = catalog_of([tool for _, tool in tools])
    signatures = [catalog.of(tool.name).render() for _, tool in tools]
    return [
        WeighedTool(
            name=tool.name,
            source=source,
            signature=signature,
            json_tokens=estimate_tokens(tool_line(tool)),
            signature_tokens=estimate_tokens(signature),
            only_reads=read_only_of(tool),
            needs_approval=tool.kind == 'unapproved',
        )
        for (source, tool), signature in zip(tools, signatures, strict=True)
    ]


async def _first_requests(
    subject: AbstractToolset[Any] | AbstractAgent[Any, Any], names: Sequence[str], prompt: str
) -> FirstRequests:
    """Play a run as far as needed: its first request, and one after the discovery of a tool that it does not show."""
    found: list[str] = []

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        search = next((tool for tool in info.function_tools if tool.name == DEFAULT_SEARCH_TOOL_NAME), None)
        text = '\n'.join(f'{tool.name}( {tool.description}' for tool in info.function_tools)
        hidden = next((name for name in names if f'{name}(' not in text), None) if search and not found else None
        if search is None or hidden is None:
            raise _Inspected
        found.append(hidden)
        return ModelResponse([ToolCallPart(search.name, {'query': f'select:{hidden}'}, tool_call_id='search')])

    model = RecordingModel(FunctionModel(play, model_name='inspect'))
    agent = subject if isinstance(subject, AbstractAgent) else Agent(toolsets=[subject])
    with capture_run_messages() as messages, suppress(_Inspected):
        await agent.run(prompt, model=model, capabilities=[RecordTools()])
    # The times of the requests are meaningless here, and no model answers the last one.
    shown = [replace(each, timestamp=None) if isinstance(each, ModelRequest) else each for each in messages]
    last = ModelResponse([], model_name='no model is asked')
    return FirstRequests((*shown, last), tuple(model.requests), found[0] if found else None)


class _Inspected(Exception):
    """Ends a run that is only inspected."""


def _in_code_mode(toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
    return CodeModeToolset(SearchableToolset(toolset, defer='auto'))


def _without(toolset: AbstractToolset[Any], taken: frozenset[str]) -> AbstractToolset[Any]:
    return toolset.filtered(lambda _, tool: tool.name not in taken) if taken else toolset


def _text(request: RequestPrefix) -> str:
    return text_of((*request.tools, *request.system, *request.messages))
