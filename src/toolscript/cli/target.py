"""Targets of commands: the servers of a client's configuration, or a module's toolset or agent."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeGuard, cast

from pydantic_ai.agent import AbstractAgent
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from toolscript.guards import items
from toolscript.mcp.client_config import Input, ServerConfig, read_client_config, server_toolset
from toolscript.mcp.server_names import NamedAfterServer
from toolscript.mistakes import TargetError


@dataclass(frozen=True)
class ToolSource:
    name: str
    toolset: AbstractToolset[Any]
    config: ServerConfig | None = None
    log: Path | None = None
    """The file with the standard error of a started server."""


@dataclass(frozen=True)
class Target:
    text: str
    sources: tuple[ToolSource, ...]
    agent: AbstractAgent[Any, Any] | None = None
    """The agent, if the target is one; the sources are then its toolsets."""
    unusable: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why each unusable server cannot be used, by name."""

    @property
    def toolset(self) -> AbstractToolset[Any]:
        return one_of([source.toolset for source in self.sources])


def one_of(toolsets: Sequence[AbstractToolset[Any]]) -> AbstractToolset[Any]:
    return toolsets[0] if len(toolsets) == 1 else CombinedToolset(toolsets)


def load_target(
    text: str,
    *,
    inputs: Mapping[str, str] | None = None,
    ask: Callable[[Input], str] | None = None,
    logs: Path | None = None,
) -> Target:
    """Load what `mcp.json` or `module:attribute` names. Nothing connects until a toolset is entered.

    The tools of a configuration's servers are named `SERVER_TOOL` (`names_with_server`), and have their server's name
    in `metadata['server']`.

    Args:
        text: The path of a client's configuration, or `module:attribute` of a toolset, several toolsets, or an agent.
        inputs: Values for the configuration's `${input:id}`.
        ask: Asks the user for the other values.
        logs: A folder for the standard error of started servers.

    Raises:
        TargetError: The target does not exist or cannot be used; the message says what to do.
        ImportError: The MCP client is not installed.
    """
    if text.endswith(('.json', '.jsonc')) or Path(text).is_file():
        found = read_client_config(Path(text), inputs=inputs, ask=ask)
        sources = tuple(_source(name, server, logs) for name, server in found.servers.items())
        return Target(text, sources, unusable=found.unusable)
    module, colon, attribute = text.rpartition(':')
    if not colon or not module or not attribute:
        advice = 'name an mcp.json, or module:attribute of a toolset or an agent (shop.tools:orders)'
        raise TargetError(text, [f'there is no such file; {advice}.'])
    return _from_object(text, attribute, _load_object(module, attribute, text))


def _source(name: str, config: ServerConfig, logs: Path | None) -> ToolSource:
    log = None if logs is None else logs / f'{name.replace("/", "_")}.log'
    toolset = server_toolset(name, config, log_file=log)
    return ToolSource(name, NamedAfterServer(toolset, name), config, log)


def _from_object(text: str, attribute: str, found: object) -> Target:
    if _is_agent(found):
        return Target(text, _sources(attribute, found.toolsets), found)
    if _is_toolset(found):
        return Target(text, (ToolSource(_label(found, attribute), found),))
    toolsets = [each for each in items(found) if _is_toolset(each)]
    if toolsets and len(toolsets) == len(items(found)):
        return Target(text, _sources(attribute, toolsets))
    kind = type(found).__name__
    article = 'an' if kind[0] in 'AEIOUaeiou' else 'a'
    hint = '; name what it returns' if isinstance(found, FunctionType) else ''
    raise TargetError(text, [f'is {article} {kind}{hint}. A target is a toolset, a list of them, or an agent.'])


def _is_agent(found: object) -> TypeGuard[AbstractAgent[Any, Any]]:
    return isinstance(found, AbstractAgent)


def _is_toolset(found: object) -> TypeGuard[AbstractToolset[Any]]:
    return isinstance(found, AbstractToolset)


def _sources(attribute: str, toolsets: Sequence[AbstractToolset[Any]]) -> tuple[ToolSource, ...]:
    return tuple(ToolSource(_label(each, f'{attribute}[{n}]'), each) for n, each in enumerate(toolsets))


def _label(toolset: AbstractToolset[Any], otherwise: str) -> str:
    return (toolset.id or otherwise).strip('<>')


def _load_object(module: str, attribute: str, text: str) -> object:
    """Load what `module:attribute` names. The current folder is searched, too; `path/to/file.py` is also a module."""
    loaded = _load_module(module, text)
    found: object = loaded
    for step in attribute.split('.'):
        if not hasattr(found, step):
            raise TargetError(text, [f'{module} has no {attribute!r}. {_usable_names(loaded)}'])
        found = getattr(found, step)
    return found


def _load_module(module: str, text: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return _from_file(Path(module)) if module.endswith('.py') else importlib.import_module(module)
    except FileNotFoundError as error:
        raise TargetError(text, [f'there is no file {module}.']) from error
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(f'{error.name}.')):
            advice = f'there is no module {error.name!r} in {here} or among the installed packages.'
            raise TargetError(text, [advice]) from error
        raise TargetError(text, [f'importing {module} failed: {error}. Install what it needs.']) from error
    except Exception as error:
        # The user's module may raise any exception.
        raise TargetError(text, [f'importing {module} failed with {type(error).__name__}: {error}']) from error


def _from_file(file: Path) -> ModuleType:
    if not file.is_file():
        raise FileNotFoundError(file)
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def _usable_names(module: ModuleType) -> str:
    found = [
        f'{name} ({type(value).__name__})'
        for name, value in cast(dict[str, object], vars(module)).items()
        if _is_toolset(value) or _is_agent(value)
    ]
    return f'It has {", ".join(found)}.' if found else 'It has no toolset and no agent.'
