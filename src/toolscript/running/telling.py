"""What a model is told of a script beside its result."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from toolscript.kept.kept_function import KeptFunction
from toolscript.offering.code_functions import CodeFunctions
from toolscript.offering.run_code_tool import RunCodeTool
from toolscript.offering.snippets_made import codes_that_ran
from toolscript.pauses.already_done import memory_lines
from toolscript_sandbox import Failed, variables_of

from .answers import NOT_GIVEN, News
from .dispatch import Dispatcher
from .gone import gone_lines
from .kept_in_run import changed_tools
from .observed import shapes_to_tell, told_shapes
from .run_state import RunState


@dataclass(frozen=True)
class Telling:
    """Advice to a script that failed, and the news of one that did not."""

    run: RunState
    functions: CodeFunctions[Any]
    tool: RunCodeTool[Any]
    dispatcher: Dispatcher[Any]
    kept_functions: Sequence[KeptFunction]
    """Those that the script calls."""
    reuse_results: bool

    def news(self) -> News:
        """The functions that the script found and the shapes that it saw, as far as the model knows neither."""
        found = self.dispatcher.found if self.tool.search_signs else ()
        signed, text = self._signatures(found) if found else ([], '')
        return News(signed, text, self._shapes(), list(self.run.told_shapes))

    def advice(self, outcome: Failed) -> list[str]:
        """What helps to write a better script; shapes that it tells are not told again."""
        shapes = self._shapes()
        self.run.told_shapes.update(dict.fromkeys(shapes))
        not_given = [] if self.dispatcher.given.answer is None else [NOT_GIVEN]
        remembers = remembered(self.run, self.functions, self.reuse_results)
        return [*not_given, *remembers, *self._gone(outcome), *self._of_kept_functions(), *shapes.values()]

    def _signatures(self, found: Iterable[str]) -> tuple[list[str], str]:
        told = self.tool.told(self.dispatcher.ctx.messages)
        signed = [name for name in found if name in self.functions.tools and name not in told]
        self.tool.step.told.update(dict.fromkeys(signed))
        return signed, self.functions.catalog.additions(signed, known=told) if signed else ''

    def _gone(self, outcome: Failed) -> list[str]:
        earlier = {name for code in codes_that_ran(self.dispatcher.ctx.messages) for name in variables_of(code)}
        return gone_lines(outcome.error.message, earlier - self.run.variables)

    def _of_kept_functions(self) -> list[str]:
        """What of the tools that the script's kept functions call has changed since."""
        changed = {one.name: changed_tools(one, self.functions) for one in self.kept_functions}
        return [
            f'The kept function {name} may not fit any more. {lines[0]}' for name, lines in changed.items() if lines
        ]

    def _shapes(self) -> dict[str, str]:
        observations, seen = self.run.observations, self.dispatcher.seen
        if observations is None or observations.shapes.keys().isdisjoint(seen):
            return {}
        told = told_shapes(self.dispatcher.ctx.messages) | self.run.told_shapes.keys()
        return shapes_to_tell(observations, seen, told, self.functions.catalog)


def remembered(run: RunState, functions: CodeFunctions[Any], reuse_results: bool) -> list[str]:
    """What of the calls that failed scripts made will not run again."""

    def name_of(tool_name: str) -> str:
        return functions.catalog.of(tool_name).name if tool_name in functions.tools else tool_name

    return memory_lines(run.memory, name_of) if reuse_results else []
