"""An agent whose tools declare who may call them and whether they are deferred."""

from collections.abc import Callable, Sequence
from typing import Any, Never, overload

import pydantic_ai
from pydantic_ai import UserError
from pydantic_ai.capabilities import AgentCapability
from pydantic_ai.models import KnownModelName, Model
from pydantic_ai.output import OutputDataT, OutputSpec
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset
from typing_extensions import TypeForm, Unpack, deprecated

from .code_mode import CodeMode
from .discovery.native_tool_search import ProviderOrOwnSearch, ProviderSearch
from .discovery.search_options import ToolSearchOptions
from .discovery.searchable_toolset import SearchableToolset
from .routing.placement import AllowedCallers, with_callers, with_deferral
from .tool_registration import (
    OTHER_DEPS,
    AgentKeywords,
    AgentToolKeywords,
    Function,
    FunctionWithContext,
    Params,
    PlainToolDecorator,
    ReturnT,
    ToolDecorator,
    WithOtherDeps,
    either,
)


class _CodeModeWithProviderSearch(CodeMode[AgentDepsT]):
    """Code mode for an agent that declares its provider's search itself."""

    def searchable(self, toolset: AbstractToolset[AgentDepsT]) -> SearchableToolset[AgentDepsT]:
        return ProviderOrOwnSearch(toolset, self.search, defer=self.defer)


class Agent(pydantic_ai.Agent[AgentDepsT, OutputDataT]):
    """pydantic-ai's `Agent` with `CodeMode` built in, for tools that ask for it.

    Tools without these settings stay ordinary tools. `allowed_callers='code'` or `'both'` puts a tool in `run_code`;
    `defer_loading=True` hides it until a search finds it.
    """

    def __init__(
        self,
        model: Model | KnownModelName | str | None = None,
        *,
        output_type: OutputSpec[OutputDataT] = str,
        deps_type: type[AgentDepsT] | TypeForm[AgentDepsT] = object,
        tool_search_options: ToolSearchOptions | None = None,
        capabilities: Sequence[AgentCapability[AgentDepsT]] | None = None,
        **options: Unpack[AgentKeywords[AgentDepsT]],
    ) -> None:
        """Build the agent.

        Args:
            model: As upstream.
            output_type: As upstream.
            deps_type: As upstream.
            tool_search_options: How deferred tools are found.
            capabilities: As upstream.
            options: All other keywords of pydantic-ai's `Agent`.
        """
        search = tool_search_options or ToolSearchOptions()
        own: list[AgentCapability[AgentDepsT]] = [CodeMode[AgentDepsT](default_callers='direct', search=search)]
        if search.algorithm == 'regex':
            # Only a capability can request the provider's regex search.
            own = [
                ProviderSearch[AgentDepsT](options=search),
                _CodeModeWithProviderSearch[AgentDepsT](default_callers='direct', search=search),
            ]
        if any(isinstance(one, CodeMode) for one in capabilities or ()):
            # Engines record steps by the capability's id, so an agent has one code mode.
            if tool_search_options is not None:
                raise UserError(
                    'Give the search to the CodeMode of the agent: CodeMode(search=ToolSearchOptions(...)).'
                )
            own = []
        super().__init__(
            model, output_type=output_type, deps_type=deps_type, capabilities=[*(capabilities or ()), *own], **options
        )

    @overload
    def tool(
        self, func: FunctionWithContext[AgentDepsT, Params, ReturnT], /
    ) -> FunctionWithContext[AgentDepsT, Params, ReturnT]: ...

    @overload
    @deprecated(OTHER_DEPS)
    def tool(self, func: WithOtherDeps[Params, ReturnT], /) -> Never: ...

    @overload
    def tool(self, func: Function[Params, ReturnT], /) -> Function[Params, ReturnT]: ...

    @overload
    def tool(
        self,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        **options: Unpack[AgentToolKeywords[AgentDepsT]],
    ) -> ToolDecorator[AgentDepsT]: ...

    def tool(
        self,
        func: Callable[..., Any] | None = None,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        """Register a function, with or without `RunContext` first; takes upstream's keywords and `allowed_callers=`."""
        declared = with_deferral(with_callers(metadata, allowed_callers), options.get('defer_loading'))
        register = either(super().tool(metadata=declared, **options), super().tool_plain(metadata=declared, **options))
        return register if func is None else register(func)

    @overload
    def tool_plain(self, func: Function[Params, ReturnT], /) -> Function[Params, ReturnT]: ...

    @overload
    def tool_plain(
        self,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        **options: Unpack[AgentToolKeywords[AgentDepsT]],
    ) -> PlainToolDecorator: ...

    def tool_plain(
        self,
        func: Callable[..., Any] | None = None,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        """Register a function without `RunContext`; takes `allowed_callers=` and upstream's keywords."""
        declared = with_deferral(with_callers(metadata, allowed_callers), options.get('defer_loading'))
        register = super().tool_plain(metadata=declared, **options)
        return register if func is None else register(func)
