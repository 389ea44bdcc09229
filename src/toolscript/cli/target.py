"""What a command is about."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, TypeGuard

from pydantic_ai.agent import AbstractAgent
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from toolscript.cli.python_object import load_object
from toolscript.cli.troubles import log_of
from toolscript.guards import items
from toolscript.mcp.client_config import ServerConfig, read_client_config
from toolscript.mcp.mistakes import TargetError
from toolscript.mcp.server_names import NamedAfterServer
from toolscript.mcp.servers import server_toolset
from toolscript.mcp.variables import Input


@dataclass(frozen=True)
class Source:
    """One place that tools come from: a server, or a toolset."""

    name: str
    toolset: AbstractToolset[Any]
    config: ServerConfig | None = None
    """Where it is a server of a client's configuration."""


@dataclass(frozen=True)
class Target:
    """What a command is about."""

    text: str
    """As it was named."""
    sources: tuple[Source, ...]
    agent: AbstractAgent[Any, Any] | None = None
    """Where it is one; the sources are its toolsets then."""

    @property
    def toolset(self) -> AbstractToolset[Any]:
        """The tools of all sources."""
        return self.sources[0].toolset if len(self.sources) == 1 else CombinedToolset([s.toolset for s in self.sources])


def load_target(
    text: str,
    *,
    inputs: Mapping[str, str] | None = None,
    ask: Callable[[Input], str] | None = None,
    logs: Path | None = None,
    **options: Any,
) -> Target:
    """What `mcp.json` or `module:attribute` names. Nothing connects before a toolset is entered.

    The tools of a configuration's servers are called `SERVER_TOOL` (`names_with_server`), and carry their server's
    name in `metadata['server']`.

    Args:
        text: The path of a client's configuration, or `module:attribute` of a toolset, several toolsets, or an agent.
        inputs: Values for the configuration's `${input:id}`.
        ask: Asks for the others.
        logs: A folder for what started servers write on their standard error: `NAME.log` each.
        options: Keywords of pydantic-ai's `MCPToolset`, for each server.

    Raises:
        TargetError: There is no such thing, or it cannot be used; the message says what to do.
        ImportError: The MCP client is not installed.
    """
    if is_config(text):
        servers = read_client_config(Path(text), inputs=inputs, ask=ask)
        return Target(text, tuple(_source(server, logs, options) for server in servers))
    module, colon, attribute = text.rpartition(':')
    if not colon or not module or not attribute:
        advice = 'name an mcp.json, or module:attribute of a toolset or an agent (shop.tools:orders)'
        raise TargetError(text, [f'there is no such file; {advice}.'])
    return _of_object(text, attribute, load_object(module, attribute, text))


def is_config(text: str) -> bool:
    """Whether a target is a client's configuration rather than something in a module."""
    return text.endswith(('.json', '.jsonc')) or Path(text).is_file()


def _source(config: ServerConfig, logs: Path | None, options: Mapping[str, Any]) -> Source:
    log = None if logs is None else log_of(logs, config.name)
    toolset = server_toolset(config, log_file=log, **options)
    return Source(config.name, NamedAfterServer(toolset, config.name), config)


def _of_object(text: str, attribute: str, found: object) -> Target:
    if _is_agent(found):
        return Target(text, _sources(attribute, found.toolsets), found)
    if _is_toolset(found):
        return Target(text, (Source(_label(found, attribute), found),))
    toolsets = [each for each in items(found) if _is_toolset(each)]
    if toolsets and len(toolsets) == len(items(found)):
        return Target(text, _sources(attribute, toolsets))
    hint = '; name what it gives' if isinstance(found, FunctionType) else ''
    what = f'is {_article(type(found).__name__)}{hint}. A target is a toolset, a list of them, or an agent.'
    raise TargetError(text, [what])


def _is_agent(found: object) -> TypeGuard[AbstractAgent[Any, Any]]:
    return isinstance(found, AbstractAgent)


def _is_toolset(found: object) -> TypeGuard[AbstractToolset[Any]]:
    return isinstance(found, AbstractToolset)


def _sources(attribute: str, toolsets: Sequence[AbstractToolset[Any]]) -> tuple[Source, ...]:
    return tuple(Source(_label(each, f'{attribute}[{n}]'), each) for n, each in enumerate(toolsets))


def _label(toolset: AbstractToolset[Any], otherwise: str) -> str:
    return (toolset.id or otherwise).strip('<>')


def _article(name: str) -> str:
    return f'an {name}' if name[0] in 'AEIOUaeiou' else f'a {name}'
