"""What is the same for all calls of a function that a snippet makes."""

from dataclasses import dataclass
from typing import Generic

from pydantic_ai.tools import AgentDepsT

from toolscript.routing.effects import Effect, effect_of, may_run_again
from toolscript.run_code.code_output import AnswerTool
from toolscript.run_code.functions import CodeFunctions
from toolscript_signatures import ToolFunction


@dataclass(frozen=True)
class Callee(Generic[AgentDepsT]):
    """A function that a snippet has called, and the tool behind it."""

    function: ToolFunction
    may_run_again: bool
    """Whether a second identical call does no harm."""
    effect: Effect
    """What it does to the world."""
    is_deferred: bool
    """Whether the model has to find it first: a script that calls it has found it."""
    answer: AnswerTool[AgentDepsT] | None
    """The tool, if it gives the output of the run."""


def callee_of(function: ToolFunction, functions: CodeFunctions[AgentDepsT]) -> Callee[AgentDepsT]:
    """All of that for one of the functions of a step."""
    tool, search = functions.tools[function.spec.name].tool, functions.search
    return Callee(
        function,
        may_run_again(tool.tool_def),
        effect_of(tool.tool_def),
        is_deferred=search is not None and function.spec.name in search.hidden,
        answer=tool if isinstance(tool, AnswerTool) else None,
    )
