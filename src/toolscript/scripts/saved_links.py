"""Links for scripts that may save functions."""

from dataclasses import dataclass

from toolscript.durability.journal import CallRaised, Finished
from toolscript.sessions.functions_in_run import Saving
from toolscript.sessions.saved_function import SAVE_FUNCTION
from toolscript_sandbox import ToolError

from .nested_call import Link, NestedCall, Result


@dataclass
class ChecksSaved:
    """The link that checks a function before it is saved: it must be valid on its own."""

    next: Link
    saving: Saving

    async def __call__(self, call: NestedCall) -> Result:
        if call.part.tool_name == SAVE_FUNCTION:
            try:
                await self.saving.check(call.part.args_as_dict())
            except ToolError as error:
                return Result(CallRaised.of(error), 'refusal')
        return await self.next(call)


@dataclass
class NotesSaved:
    """The link that records which functions the script has saved: from then on it may save others that call them."""

    next: Link
    saving: Saving

    async def __call__(self, call: NestedCall) -> Result:
        result = await self.next(call)
        if call.kind == 'tool' and call.part.tool_name == SAVE_FUNCTION and isinstance(result.outcome, Finished):
            self.saving.saved(call.part.args_as_dict())
        return result
