"""A toolset whose calls are kept."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeGuard

from pydantic_ai import ModelRetry, RunContext, ToolReturn
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from .recorded_run import Ended, RecordedCall, RecordedTool, as_json


@dataclass
class RecordedCalls:
    """What a run had of tools, and did with them."""

    tools: dict[str, RecordedTool]
    calls: list[RecordedCall]


@dataclass
class RecordCalls(WrapperToolset[AgentDepsT]):
    """The wrapped toolset; its tools and calls are put down. It belongs beneath code mode and search."""

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
        """Call the tool, and put down what came of it; a call that waits was not made yet."""
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
