"""A run in a file, and what records it: messages, tools, the results of their calls, and decisions."""

from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias, TypeGuard

import pydantic_core
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_ai import ModelRetry, RunContext, ToolReturn
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.messages import ModelMessage
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

Ended: TypeAlias = Literal['returned', 'retry', 'failed', 'raised']


class RecordedTool(BaseModel):
    """What a tool says of itself."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True)

    name: str
    description: str | None = None
    parameters_json_schema: dict[str, Any]
    return_schema: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    sequential: bool = False
    defer_loading: bool = False
    needs_approval: bool = False

    @classmethod
    def of(cls, tool: ToolDefinition) -> 'RecordedTool':
        """A tool's own words."""
        return cls(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=as_json(tool.parameters_json_schema),
            return_schema=as_json(tool.return_schema),
            metadata=as_json(tool.metadata),
            sequential=tool.sequential,
            defer_loading=tool.defer_loading,
            needs_approval=tool.kind == 'unapproved',
        )

    def definition(self) -> ToolDefinition:
        """The tool, to be shown to a model."""
        return ToolDefinition(
            name=self.name,
            description=self.description,
            parameters_json_schema=self.parameters_json_schema,
            return_schema=self.return_schema,
            metadata=self.metadata,
            sequential=self.sequential,
            defer_loading=self.defer_loading,
            kind='unapproved' if self.needs_approval else 'function',
        )


class RecordedCall(BaseModel):
    """A call that reached a tool, and what came of it."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True)

    tool_name: str
    arguments: dict[str, Any]
    result: Any = None
    ended: Ended = 'returned'
    """`'retry'` and `'failed'`: with pydantic-ai's `ModelRetry` or `ToolFailed`; `'raised'`: with something else."""
    error: str | None = None
    error_type: str | None = None
    builtin_error: str = 'Exception'
    """The type of Python's own that it is a kind of."""


class RecordedDecision(BaseModel):
    """What was decided about a call that waited."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True)

    tool_name: str
    arguments: dict[str, Any]
    approved: bool = False
    changed: dict[str, Any] | None = None
    """The arguments that it was approved with instead."""
    why_not: str | None = None
    """What a denial said."""
    answered: bool = False
    """Whether its result came from outside."""
    result: Any = None


class RecordedRun(BaseModel):
    """A run that can be replayed without its model and tools."""

    model_config: ClassVar[ConfigDict] = ConfigDict(populate_by_name=True)

    version: Literal[1] = Field(default=1, alias='toolscript_recording')
    target: str = ''
    """The target of the tools, as on the command line."""
    messages: list[ModelMessage]
    tools: list[RecordedTool]
    calls: list[RecordedCall] = []
    """In the order in which they ended."""
    decisions: list[RecordedDecision] = []

    def write(self, file: Path) -> None:
        """Keep it."""
        file.write_text(self.model_dump_json(by_alias=True, exclude_defaults=False, indent=1), 'utf-8')

    @classmethod
    def read(cls, file: Path) -> 'RecordedRun':
        """What `write` wrote.

        Raises:
            ValueError: The file is no recording; the message says why.
        """
        try:
            return cls.model_validate_json(file.read_bytes())
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = '.'.join(map(str, first['loc'])) or 'its start'
            raise ValueError(
                f'{file}: this is no recording of a run: {first["msg"]} (at {where}). Make one with toolscript record.'
            ) from error


def as_json(value: Any) -> Any:
    """A value as JSON can hold it."""
    return pydantic_core.to_jsonable_python(value, fallback=str, inf_nan_mode='strings')


@dataclass
class RecordedCalls:
    """The tools of a run, and its calls."""

    tools: dict[str, RecordedTool]
    calls: list[RecordedCall]


@dataclass
class RecordCalls(WrapperToolset[AgentDepsT]):
    """The wrapped toolset, which records its tools and calls. Put it inside code mode and search."""

    _: KW_ONLY
    into: RecordedCalls
    """Where."""

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """The wrapped tools."""
        tools = await super().get_tools(ctx)
        self.into.tools |= {name: RecordedTool.of(tool.tool_def) for name, tool in tools.items()}
        return tools

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Call the tool and record the outcome; a call that waits is not recorded yet."""
        arguments = as_json(tool_args)
        try:
            result: object = await super().call_tool(name, tool_args, ctx, tool)
        except (ApprovalRequired, CallDeferred):
            raise
        except Exception as error:
            self.into.calls.append(
                RecordedCall(
                    tool_name=name,
                    arguments=arguments,
                    ended=_how(error),
                    error=str(getattr(error, 'message', error)),
                    error_type=type(error).__name__,
                    builtin_error=next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == 'builtins'),
                )
            )
            raise
        value = result.return_value if _is_tool_return(result) else result
        self.into.calls.append(RecordedCall(tool_name=name, arguments=arguments, result=as_json(value)))
        return result


def _how(error: Exception) -> Ended:
    match error:
        case ModelRetry():
            return 'retry'
        case ToolFailed():
            return 'failed'
        case _:
            return 'raised'


def _is_tool_return(result: object) -> TypeGuard[ToolReturn[object]]:
    return isinstance(result, ToolReturn)
