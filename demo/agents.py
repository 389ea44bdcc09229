"""The two agents that do the job, with the same tools, called from code or directly; and a live model for them."""

from collections.abc import Callable, Sequence
from typing import Any

from pydantic_ai import Agent, UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from demo.database import Database
from demo.shop import shop
from demo.watched import Watched
from toolscript import CodeModeToolset, SearchableToolset

OnCall = Callable[[str, dict[str, Any]], None]
Servers = Sequence[AbstractToolset[object]]

_ALWAYS_SHOWN = {'today', 'list_regions'}


def code_agent(model: Model, servers: Servers, on_call: OnCall) -> Agent[Database, str]:
    """Return an agent whose tools are called from code; all but two of them have to be found first."""
    deferred = [name for name in shop.tools if name not in _ALWAYS_SHOWN]
    tools = [shop.defer_loading(deferred), *(server.defer_loading() for server in servers)]
    return _agent(model, CodeModeToolset(SearchableToolset(Watched(CombinedToolset(tools), on_call=on_call))))


def direct_agent(model: Model, servers: Servers, on_call: OnCall) -> Agent[Database, str]:
    """Return plain pydantic-ai: every tool is shown, and the model calls each directly."""
    return _agent(model, Watched(CombinedToolset([shop, *servers]), on_call=on_call))


def _agent(model: Model, tools: AbstractToolset[Database]) -> Agent[Database, str]:
    return Agent(model, deps_type=Database, toolsets=[tools], instructions='Answer in plain text, with exact figures.')


class NoModel(Exception):
    """The model is not available. The text says what to do."""


def live_model(name: str) -> Model:
    """Return the named model.

    Raises:
        NoModel: The name, the key or the provider's package is missing.
    """
    provider, _, model = name.partition(':')
    if not model:
        raise NoModel(f'MODEL is {name!r}; write it as provider:name, like anthropic:claude-sonnet-4-5.')
    try:
        return infer_model(name)
    except ImportError as error:
        install = f".venv/bin/uv pip install 'pydantic-ai-slim[{provider.partition('-')[0]}]'"
        raise NoModel(f'The package of {provider!r} is not installed. Run: {install}') from error
    except UserError as error:
        raise NoModel(f'{name} cannot be used. {str(error).partition(". ")[0]}.') from error
