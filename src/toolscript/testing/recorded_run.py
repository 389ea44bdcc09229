"""A recorded run in a file, with its messages, tools, call results and decisions; and the toolset that records it."""

from dataclasses import KW_ONLY, dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias, TypeGuard

import pydantic_core
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_ai import ModelRetry, RunContext, ToolApproved, ToolDenied, ToolReturn
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.messages import ModelMessage
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from toolscript.mistakes import first_mistake
from toolscript.results.values import jsonable
from toolscript_sandbox import to_json

Ended: TypeAlias = Literal['returned', 'retry', 'failed', 'raised']


@dataclass(frozen=True)
class RecordedCall:
    """A call that reached a tool, and its outcome."""

    tool_name: str
    arguments: dict[str, Any]
    result: Any = None
    ended: Ended = 'returned'
    """`'retry'` and `'failed'`: it raised pydantic-ai's `ModelRetry` or `ToolFailed`; `'raised'`: another exception."""
    error: str | None = None
    error_type: str | None = None
    builtin_error: str = 'Exception'
    """The builtin exception type that the error is a subclass of."""


@dataclass(frozen=True)
class RecordedDecision:
    """A decision about a call that waited."""

    tool_name: str
    arguments: dict[str, Any]
    decision: ToolApproved | ToolDenied | None = None
    """`None` if the call's result came from outside."""
    result: Any = None


class RecordedRun(BaseModel):
    """A run that can be replayed without its model and tools."""

    # The schema of all messages takes a tenth of a second, and most tests need none.
    model_config: ClassVar[ConfigDict] = ConfigDict(populate_by_name=True, defer_build=True)

    version: Literal[1] = Field(default=1, alias='toolscript_recording')
    target: str = ''
    """The target of the tools, as on the command line."""
    messages: list[ModelMessage]
    tools: list[ToolDefinition]
    calls: list[RecordedCall] = []
    """The calls in the order in which they ended."""
    decisions: list[RecordedDecision] = []

    def to_json(self) -> str:
        """Return the content of a recording file."""
        return self.model_dump_json(by_alias=True, indent=1, fallback=str)

    def write(self, file: Path) -> None:
        """Write the recording to a file."""
        file.write_text(self.to_json(), 'utf-8')

    @classmethod
    def read(cls, file: Path) -> 'RecordedRun':
        """Read a file that `write` wrote. Raises `ValueError` if the file is not a recording."""
        try:
            return cls.model_validate_json(file.read_bytes())
        except ValidationError as error:
            raise ValueError(
                f'{file}: this is not a recording of a run: {first_mistake(error)}. Make one with toolscript record.'
            ) from error


def as_json(value: Any) -> Any:
    """Convert a value to one that JSON can represent, as scripts get it."""
    return to_json(jsonable(value, partial(pydantic_core.to_jsonable_python, bytes_mode='base64', fallback=str)))


@dataclass
class RecordedCalls:
    """The tools of a run and its calls."""

    tools: dict[str, ToolDefinition]
    calls: list[RecordedCall]


@dataclass
class RecordCalls(WrapperToolset[AgentDepsT]):
    """The wrapped toolset, whose tools and calls are recorded. Place it inside code mode and search."""

    _: KW_ONLY
    into: RecordedCalls
    """Where the tools and calls are recorded."""

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        tools = await super().get_tools(ctx)
        self.into.tools |= {name: tool.tool_def for name, tool in tools.items()}
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
            how: Ended = 'failed' if isinstance(error, ToolFailed) else 'raised'
            self.into.calls.append(
                RecordedCall(
                    tool_name=name,
                    arguments=arguments,
                    ended='retry' if isinstance(error, ModelRetry) else how,
                    error=str(getattr(error, 'message', error)),
                    error_type=type(error).__name__,
                    builtin_error=next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == 'builtins'),
                )
            )
            raise
        value = result.return_value if _is_tool_return(result) else result
        self.into.calls.append(RecordedCall(tool_name=name, arguments=arguments, result=as_json(value)))
        return result


def _is_tool_return(result: object) -> TypeGuard[ToolReturn[object]]:
    return isinstance(result, ToolReturn)
