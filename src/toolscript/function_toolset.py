"""Python functions as tools that declare who may call them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Never, overload

import pydantic_ai.toolsets
from pydantic_ai import Tool
from pydantic_ai.tools import AgentDepsT, ToolFuncEither
from typing_extensions import Unpack, deprecated

from .routing.inverses import HowToUndo, undoable
from .routing.placement import AllowedCallers, with_callers, with_deferral
from .tool_registration import (
    OTHER_DEPS,
    Function,
    FunctionToolsetKeywords,
    FunctionWithContext,
    Params,
    PlainToolDecorator,
    ReturnT,
    ToolDecorator,
    ToolsetToolKeywords,
    WithOtherDeps,
    either,
)


class FunctionToolset(pydantic_ai.toolsets.FunctionToolset[AgentDepsT]):
    """pydantic-ai's `FunctionToolset`, whose tools also take `allowed_callers=` and `undo=`.

    Everything else works as upstream: durable engines, `defer_loading=`, `requires_approval=`, `metadata=` and so on.
    """

    def __init__(
        self,
        tools: Sequence[Tool[AgentDepsT] | ToolFuncEither[AgentDepsT, ...]] = (),
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        **options: Unpack[FunctionToolsetKeywords[AgentDepsT]],
    ) -> None:
        """Build the toolset.

        Args:
            tools: Functions or `Tool`s to start with.
            allowed_callers: Who may call the tools that do not set it themselves.
            metadata: Metadata for all tools, as upstream.
            options: All other keywords of pydantic-ai's `FunctionToolset`.

        Raises:
            UserError: `allowed_callers` is not `'direct'`, `'code'` or `'both'`.
        """
        super().__init__(tools, metadata=with_callers(metadata, allowed_callers), **options)

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
        undo: HowToUndo | None = None,
        **options: Unpack[ToolsetToolKeywords[AgentDepsT]],
    ) -> ToolDecorator[AgentDepsT]: ...

    def tool(
        self,
        func: Callable[..., Any] | None = None,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        undo: HowToUndo | None = None,
        **options: Any,
    ) -> Any:
        """Register a function, with or without a leading `RunContext`; takes `allowed_callers=`, `undo=` and upstream's
        keywords.

        Raises:
            UserError: `undo` is not an `Undo`, a function or `'none'`.
        """
        if undo is not None:
            register = partial(self.tool, allowed_callers=allowed_callers, **options)
            return undoable(register, undo, metadata, options.get('name'))
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
        undo: HowToUndo | None = None,
        **options: Unpack[ToolsetToolKeywords[AgentDepsT]],
    ) -> PlainToolDecorator: ...

    def tool_plain(
        self,
        func: Callable[..., Any] | None = None,
        /,
        *,
        allowed_callers: AllowedCallers | None = None,
        metadata: dict[str, Any] | None = None,
        undo: HowToUndo | None = None,
        **options: Any,
    ) -> Any:
        """Register a function without `RunContext`; takes `allowed_callers=`, `undo=` and upstream's keywords.

        Raises:
            UserError: `undo` is not an `Undo`, a function or `'none'`.
        """
        if undo is not None:
            register = partial(self.tool_plain, allowed_callers=allowed_callers, **options)
            return undoable(register, undo, metadata, options.get('name'))
        declared = with_deferral(with_callers(metadata, allowed_callers), options.get('defer_loading'))
        register = super().tool_plain(metadata=declared, **options)
        return register if func is None else register(func)
