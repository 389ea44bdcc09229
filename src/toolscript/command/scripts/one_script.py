"""One script, run to its end with whatever it has to ask."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pydantic_ai import Agent, ModelMessage
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults
from pydantic_ai.toolsets import AbstractToolset

from toolscript.command.exits import CommandError
from toolscript.guards import fields, is_object
from toolscript.routing.placement import RUN_CODE
from toolscript.testing import script_model

from .seen_calls import SeenCalls

_BESIDE = frozenset({'stdout', 'changed', 'new_functions', 'observed', 'variables'})
"""What may stand beside a script's result."""


@dataclass(frozen=True)
class Ended:
    """A script that came to its end."""

    messages: tuple[ModelMessage, ...]
    stdout: str
    result: Any
    error: str | None
    """Why it failed, as a model would be told."""


async def run_script(
    toolset: AbstractToolset[Any],
    code: str,
    *,
    seen: SeenCalls,
    decide: Callable[[DeferredToolRequests], Awaitable[DeferredToolResults]],
) -> Ended:
    """Run a script as if a model had sent it.

    Args:
        toolset: Offers `run_code`.
        code: The script.
        seen: Is told its calls and prints.
        decide: Says what becomes of calls that wait.

    Raises:
        CommandError: A tool raised what ends a run.
    """
    agent = Agent(script_model(code), toolsets=[toolset], output_type=[str, DeferredToolRequests])
    try:
        result = await agent.run('Run the script.', event_stream_handler=seen.follow)
        while isinstance(result.output, DeferredToolRequests):
            result = await agent.run(
                message_history=result.all_messages(),
                deferred_tool_results=await decide(result.output),
                event_stream_handler=seen.follow,
            )
    except (BrokenPipeError, CommandError):
        # Nobody reads what the script prints any more, or it is told already.
        raise
    except Exception as error:
        # A toolset may raise whatever it likes.
        raise CommandError(f'the script ended with {type(error).__name__}: {error}') from error
    return _ended(result.all_messages())


def _ended(messages: list[ModelMessage]) -> Ended:
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    for part in reversed(parts):
        if isinstance(part, ToolReturnPart) and part.tool_name == RUN_CODE and part.outcome == 'success':
            printed, result = _apart(part.content)
            return Ended(tuple(messages), printed, result, None)
        if part.part_kind in {'tool-return', 'retry-prompt'}:
            content = getattr(part, 'content', '')
            return Ended(tuple(messages), '', None, content if isinstance(content, str) else str(content))
    raise CommandError('the script gave nothing.')


def _apart(content: Any) -> tuple[str, Any]:
    """What was printed, and the result."""
    if not is_object(content) or not content.keys() & _BESIDE or content.keys() - _BESIDE - {'result'}:
        return '', content
    printed = fields(content).get('stdout')
    return printed if isinstance(printed, str) else '', content.get('result')
