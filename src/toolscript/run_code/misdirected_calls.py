"""Direct calls of tools that only code may call: each is answered with the code to run instead."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from pydantic_ai import RunContext
from pydantic_ai.tools import AgentDepsT

from toolscript.discovery.misdirected_calls import Answer, MisdirectedCalls
from toolscript.routing.placement import RUN_CODE

from .functions import CodeFunctions
from .tool import RunCodeTool


@dataclass(frozen=True)
class MisdirectedCodeCalls(MisdirectedCalls[AgentDepsT]):
    """Answers to calls of tools that only code may call, and of tools that a search has not found yet."""

    functions: CodeFunctions[AgentDepsT]

    order: ClassVar[int] = 0

    def __iter__(self) -> Iterator[str]:
        code_only = self.functions.code_only
        yield from code_only
        if self.search is not None:
            yield from (name if name in code_only else self.names.of(name) for name in self.search.hidden)

    def way_to(self, name: str) -> str:
        if name in self.functions.code_only:
            return f'{name}, called from code, in {self.functions.shown_name(RUN_CODE)}'
        return super().way_to(name)

    def answer(self, name: str) -> Answer | None:
        return partial(_use_code, self.functions, name) if name in self.functions.code_only else super().answer(name)

    @property
    def search_name(self) -> str:
        return '' if self.search is None else self.functions.shown_name(self.search.tool_def.name)


def misdirected_code_calls(
    ctx: RunContext[AgentDepsT], run_code: RunCodeTool[AgentDepsT]
) -> MisdirectedCalls[AgentDepsT] | None:
    """Returns the answers that code mode gives in a step; `None` outside of a run."""
    if ctx.tool_manager is None:
        return None
    functions = run_code.functions
    outermost = ctx.tool_manager.toolset
    return MisdirectedCodeCalls(run_code.owner, functions.search, run_code.max_retries, outermost, functions)


def _use_code(functions: CodeFunctions[Any], name: str, arguments: Mapping[str, Any]) -> str:
    function = functions.catalog.of(name)
    names = {parameter.key: parameter.name for parameter in function.parameters}
    given = ', '.join(f'{names.get(key, key)}={value!r}' for key, value in arguments.items())
    wait = '' if function.spec.sequential else 'await '
    run_code = functions.shown_name(RUN_CODE)
    return (
        f'{name} is called from code. Call {run_code} with this code, or use it in a longer script:\n\n'
        f'{wait}{function.name}({given})'
    )
