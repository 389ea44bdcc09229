"""Python functions as tools that declare who may call them: pydantic-ai's keywords, and decorators that preserve types.

A `TypedDict` for `**options` is checked by name and type, and unlike a written-out signature it repeats no default:
pydantic-ai decides about unset options. It lists only keywords that every supported release has; a test compares them
with the installed one.

A function without `RunContext` may have any parameters, so to a type checker a function with the `RunContext` of other
deps would pass as one of those. A deprecated overload before it catches that.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, Never, ParamSpec, Protocol, TypedDict, TypeVar, overload

import pydantic_ai.toolsets
from pydantic.json_schema import GenerateJsonSchema
from pydantic_ai import (
    AgentModelSettings,
    AgentRetries,
    AgentToolset,
    AnyConcurrencyLimit,
    EndStrategy,
    RunContext,
    TemplateStr,
    Tool,
)
from pydantic_ai.messages import ToolKindLike
from pydantic_ai.tools import (
    AgentDepsT,
    ArgsValidatorFunc,
    DocstringFormat,
    SystemPromptFunc,
    ToolFuncEither,
    ToolPrepareFunc,
)
from typing_extensions import Unpack, deprecated

from .routing.inverses import HowToUndo, checked_undo, with_undo
from .routing.placement import AllowedCallers, with_callers, with_deferral

_Instruction = TemplateStr[AgentDepsT] | str | SystemPromptFunc[AgentDepsT]
_Instructions = _Instruction[AgentDepsT] | Sequence[_Instruction[AgentDepsT]] | None


class AgentKeywords(TypedDict, Generic[AgentDepsT], total=False):
    """The keywords of `pydantic_ai.Agent` except the model, the types of output and deps, and the capabilities."""

    instructions: _Instructions[AgentDepsT]
    system_prompt: str | Sequence[str]
    name: str | None
    description: TemplateStr[AgentDepsT] | str | None
    model_settings: AgentModelSettings[AgentDepsT] | None
    retries: int | AgentRetries | None
    validation_context: Any
    tools: Sequence[Tool[AgentDepsT] | ToolFuncEither[AgentDepsT, ...]]
    toolsets: Sequence[AgentToolset[AgentDepsT]] | None
    defer_model_check: bool
    end_strategy: EndStrategy
    metadata: dict[str, Any] | Callable[[RunContext[AgentDepsT]], dict[str, Any]] | None
    tool_timeout: float | None
    max_concurrency: AnyConcurrencyLimit


class FunctionToolsetKeywords(TypedDict, Generic[AgentDepsT], total=False):
    """The keywords of pydantic-ai's `FunctionToolset` except the tools and their metadata."""

    max_retries: int | None
    timeout: float | None
    docstring_format: DocstringFormat
    require_parameter_descriptions: bool
    schema_generator: type[GenerateJsonSchema]
    strict: bool | None
    sequential: bool
    requires_approval: bool
    defer_loading: bool
    include_return_schema: bool | None
    id: str | None
    instructions: _Instructions[AgentDepsT]


class ToolKeywords(TypedDict, Generic[AgentDepsT], total=False):
    """The keywords of `tool` of pydantic-ai's agents and toolsets except the metadata. `None`: as the toolset says."""

    name: str | None
    description: str | None
    retries: int | None
    prepare: ToolPrepareFunc[AgentDepsT] | None
    args_validator: ArgsValidatorFunc[AgentDepsT, ...] | None
    strict: bool | None
    tool_kind: 'ToolKindLike | None'
    timeout: float | None
    include_return_schema: bool | None
    docstring_format: DocstringFormat | None
    require_parameter_descriptions: bool | None
    schema_generator: type[GenerateJsonSchema] | None
    sequential: bool | None
    requires_approval: bool | None
    defer_loading: bool | None


DepsT_co = TypeVar('DepsT_co', covariant=True)
Params = ParamSpec('Params')
ReturnT = TypeVar('ReturnT')
Function = Callable[Params, ReturnT]
FunctionWithContext = Callable[Concatenate[RunContext[DepsT_co], Params], ReturnT]
WithOtherDeps = Callable[Concatenate[RunContext[Never], Params], ReturnT]

OTHER_DEPS = 'The RunContext of this function has another deps type than the agent or toolset that it is added to.'


class ToolDecorator(Protocol[DepsT_co]):
    """Registers a function whose first parameter is the `RunContext` of these deps, or that takes none."""

    @overload
    def __call__(
        self, func: FunctionWithContext[DepsT_co, Params, ReturnT], /
    ) -> FunctionWithContext[DepsT_co, Params, ReturnT]: ...

    @overload
    @deprecated(OTHER_DEPS)
    def __call__(self, func: WithOtherDeps[Params, ReturnT], /) -> Never: ...

    @overload
    def __call__(self, func: Function[Params, ReturnT], /) -> Function[Params, ReturnT]: ...


class PlainToolDecorator(Protocol):
    """Registers a function that takes no `RunContext`."""

    def __call__(self, func: Function[Params, ReturnT], /) -> Function[Params, ReturnT]: ...


def takes_context(func: Callable[..., Any]) -> bool:
    """Return whether the function must be called with a `RunContext` first.

    An unannotated first parameter counts as one; pydantic-ai then asks the author to annotate it.
    """
    first = next(iter(inspect.signature(func).parameters.values()), None)
    if first is None:
        return False
    return first.annotation is inspect.Parameter.empty or Tool[Any](func).takes_ctx


class RegistersTools(Generic[AgentDepsT]):
    """Mixed into an agent or a toolset of pydantic-ai: its tools also take `allowed_callers=` and `undo=`."""

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
        **options: Unpack[ToolKeywords[AgentDepsT]],
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
        """Register a function, with or without a leading `RunContext`.

        Takes `allowed_callers=`, `undo=` and pydantic-ai's keywords.

        Raises:
            UserError: `undo` is not an `Undo`, a function or `'none'`.
        """
        upstream: Any = super()

        def register(**options: Any) -> Callable[[Any], Any]:
            with_context, plain = upstream.tool(**options), upstream.tool_plain(**options)

            def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
                (with_context if takes_context(func) else plain)(func)
                return func

            return decorate

        return _registered(register, func, allowed_callers, metadata, undo, options)

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
        **options: Unpack[ToolKeywords[AgentDepsT]],
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
        """Register a function without `RunContext`; takes `allowed_callers=`, `undo=` and pydantic-ai's keywords.

        Raises:
            UserError: `undo` is not an `Undo`, a function or `'none'`.
        """
        upstream: Any = super()
        return _registered(upstream.tool_plain, func, allowed_callers, metadata, undo, options)


def _registered(
    register: Callable[..., Callable[[Any], Any]],
    func: Callable[..., Any] | None,
    callers: AllowedCallers | None,
    metadata: dict[str, Any] | None,
    undo: HowToUndo | None,
    options: dict[str, Any],
) -> Any:
    declared = with_deferral(with_callers(metadata, callers), options.get('defer_loading'))
    if undo is not None:
        checked_undo('undo', undo)

    def decorate(function: Any) -> Any:
        own = declared if undo is None else with_undo(declared, undo, options.get('name') or function.__name__)
        return register(metadata=own, **options)(function)

    return decorate if func is None else decorate(func)


class FunctionToolset(RegistersTools[AgentDepsT], pydantic_ai.toolsets.FunctionToolset[AgentDepsT]):
    """pydantic-ai's `FunctionToolset`, whose tools also take `allowed_callers=` and `undo=`.

    Everything else works as in pydantic-ai.
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
            metadata: Metadata for all tools, as in pydantic-ai.
            options: All other keywords of pydantic-ai's `FunctionToolset`.

        Raises:
            UserError: `allowed_callers` is not `'direct'`, `'code'` or `'both'`.
        """
        super().__init__(tools, metadata=with_callers(metadata, allowed_callers), **options)
