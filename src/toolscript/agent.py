"""An agent whose tools say who may call them and whether they are deferred."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

import pydantic_ai
from pydantic_ai.capabilities import AgentCapability
from pydantic_ai.models import KnownModelName, Model
from pydantic_ai.output import OutputDataT
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset

from .code_mode import CodeMode
from .discovery.auto_defer import with_deferral
from .discovery.search_options import ToolSearchOptions
from .offering.configured_search import ProviderSearch
from .offering.provider_search import ProviderOrOwnSearch
from .offering.searchable_toolset import SearchableToolset
from .routing.callers import AllowedCallers, with_callers
from .routing.registration import takes_context

ToolFunction = TypeVar('ToolFunction', bound=Callable[..., Any])


class _BesideProviderSearch(CodeMode[AgentDepsT]):
    """Code mode for an agent that declares its provider's search by itself."""

    def searchable(self, toolset: AbstractToolset[AgentDepsT]) -> SearchableToolset[AgentDepsT]:
        """The agent's tools behind the provider's search or ours."""
        return ProviderOrOwnSearch(toolset, self.search, defer=self.defer)


class Agent(pydantic_ai.Agent[AgentDepsT, OutputDataT]):
    """pydantic-ai's `Agent` with `CodeMode` on board, for tools that ask for it.

    A tool that says nothing stays an ordinary tool; `allowed_callers='code'` or `'both'` puts it inside `run_code`, and
    `defer_loading=True` hides it until a search finds it.
    """

    def __init__(
        self,
        model: Model | KnownModelName | str | None = None,
        *,
        tool_search_options: ToolSearchOptions | None = None,
        capabilities: Sequence[AgentCapability[AgentDepsT]] | None = None,
        **options: Any,
    ) -> None:
        """Build the agent.

        Args:
            model: As upstream.
            tool_search_options: How deferred tools are found.
            capabilities: As upstream.
            options: Every other keyword of pydantic-ai's `Agent`.
        """
        search = tool_search_options or ToolSearchOptions()
        own: list[AgentCapability[AgentDepsT]] = [CodeMode[AgentDepsT](default_callers='direct', search=search)]
        if search.algorithm == 'regex':
            # Only a capability can ask a provider for its regular expressions.
            own = [
                ProviderSearch[AgentDepsT](options=search),
                _BesideProviderSearch[AgentDepsT](default_callers='direct', search=search),
            ]
        super().__init__(model, capabilities=[*(capabilities or ()), *own], **options)

    @overload
    def tool(self, func: ToolFunction, /) -> ToolFunction: ...

    @overload
    def tool(
        self,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        **options: Any,
    ) -> Callable[[ToolFunction], ToolFunction]: ...

    def tool(
        self,
        func: Callable[..., Any] | None = None,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        """Register a function, with `RunContext` first or without it; `allowed_callers=` beside upstream's keywords."""
        said = with_deferral(with_callers(metadata, allowed_callers), options.get('defer_loading'))
        with_context, without = super().tool(metadata=said, **options), super().tool_plain(metadata=said, **options)

        def register(func: ToolFunction) -> ToolFunction:
            (with_context if takes_context(func) else without)(func)
            return func

        return register if func is None else register(func)

    @overload
    def tool_plain(self, func: ToolFunction, /) -> ToolFunction: ...

    @overload
    def tool_plain(
        self,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        **options: Any,
    ) -> Callable[[ToolFunction], ToolFunction]: ...

    def tool_plain(
        self,
        func: Callable[..., Any] | None = None,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        """Register a tool without `RunContext`; `allowed_callers=` beside upstream's keywords."""
        said = with_deferral(with_callers(metadata, allowed_callers), options.get('defer_loading'))
        register = super().tool_plain(metadata=said, **options)
        return register if func is None else register(func)
