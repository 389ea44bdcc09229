"""What a tool returns or raises, as the outcome of a call."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Generic

from pydantic import ValidationError
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import AgentDepsT

from toolscript.catalog.file_types import takes_files
from toolscript.durability.call_cache import unknown_outcome
from toolscript.durability.journal import CallRaised, Finished
from toolscript.results.tool_errors import ENDS_THE_RUN, expected_error, raised_by_activity, report, unexpected_error
from toolscript.results.values import Frozen, frozen
from toolscript.sessions.binary_files import BinaryFiles, with_paths
from toolscript_sandbox import ToolError

from .nested_call import NestedCall, Result, ScriptContext, Source


@dataclass
class ToolResults(Generic[AgentDepsT]):
    """Converts what tools return or raise into the outcomes of one script's calls."""

    script: ScriptContext[AgentDepsT]
    files: BinaryFiles | None = None
    """The store for the bytes of files, if scripts have a folder for them."""

    async def finished(self, call: NestedCall, given: object) -> Finished:
        """Returns the outcome of a call whose tool returned `given`: JSON, with handles for files."""
        self.script.running.check_open()
        taken = given if isinstance(given, Frozen) else await frozen(call.part.tool_name, given, self.script.limits)
        if taken.files:
            self.script.state.run.files.by_id.update(taken.files)
        if taken.taken.too_large:
            failure = taken.taken.failure(self.script.functions.catalog.of(call.part.tool_name).name)
            return Finished(taken.taken.value, taken.returned, too_large=failure.message)
        self._note(call, taken.taken.changes)
        value = taken.taken.value
        if self.files is not None and taken.files:
            paths, changes = await self.files.left(taken.files)
            self._note(call, changes)
            value = with_paths(value, paths)
        return Finished(value, taken.returned, dict(taken.files))

    def failed(self, call: NestedCall, error: Exception, source: Source, *, reached: bool = False) -> Result:
        """Returns the result of a call that raised `error`. `reached`: its tool had accepted the arguments.

        Raises:
            Exception: The error itself, if it is meant for the developer or the run.
        """
        raised = raised_by_activity(error)
        error = unknown_outcome(call.part.tool_name) if raised is None else raised
        if isinstance(error, ENDS_THE_RUN):
            raise error
        self.script.running.check_open()
        # A validation error in a tool that has accepted its arguments says nothing about these.
        meant = None if reached and isinstance(error, ValidationError) else expected_error(call.part.tool_name, error)
        failure = meant or self._unexpected(call, error)
        ends_the_run = meant is None and self.script.tool_errors == 'raise'
        return Result(CallRaised.of(failure), source, error if ends_the_run else None)

    async def with_files(self, call: NestedCall, part: ToolCallPart) -> ToolCallPart:
        """Returns the part with files in place of their paths. Raises `ToolError` if a file does not exist."""
        if self.files is None or call.callee is None or not takes_files(call.callee.tool_def):
            return part
        try:
            return replace(part, args=await self.files.given(part.args_as_dict()))
        except OSError as error:
            raise ToolError(type(error).__name__, str(error)) from error

    def _unexpected(self, call: NestedCall, error: Exception) -> ToolError:
        script, name = self.script, call.part.tool_name
        # Errors of tools that were left behind are not reported.
        is_over = script.running.is_closed
        reference = '' if is_over else report(name, error, script.ctx, call.id, script.span)
        return unexpected_error(name, error, reference, with_message=script.tool_errors == 'message')

    def _note(self, call: NestedCall, changes: Iterable[str]) -> None:
        for change in changes:
            self.script.changes[f'{call.part.tool_name}: {change}'] = None
