"""What the history and the store know about one `run_code` call."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic_ai import RunContext

from toolscript.approvals.decisions import Decisions
from toolscript.approvals.pause_marks import MadeCall, made_call
from toolscript.durability.checkpoints import Checkpoints
from toolscript.durability.script_state import script_key
from toolscript.durability.snapshots import Snapshots
from toolscript.routing.placement import RUN_CODE
from toolscript.run_code.history import SnippetMade, codes_that_ended, snippets_until


@dataclass
class ScriptRecord:
    """Where a script's state is saved, what was decided about it, and what ran before it."""

    code: str
    """The code to run."""
    ctx: RunContext[Any]
    snapshots: Snapshots
    owners: Sequence[str] = ()
    """The owners that the application names for variables, functions and files."""

    @cached_property
    def id(self) -> str:
        return self.ctx.tool_call_id or RUN_CODE

    @cached_property
    def made(self) -> MadeCall | None:
        return made_call(self.ctx.messages, self.id)

    @property
    def bound_code(self) -> str:
        """The code that identifies the script: what the model sent, even if it was approved with changes."""
        code = None if self.made is None else self.made.code
        return self.code if code is None else code

    @cached_property
    def decisions(self) -> Decisions | None:
        """The decisions about the script's calls, if it waited."""
        return Decisions.from_metadata(self.ctx.tool_call_metadata) if self.ctx.tool_call_approved else None

    @cached_property
    def earlier(self) -> list[SnippetMade]:
        """The snippets that the model wrote before it, the oldest first."""
        return snippets_until(self.ctx.messages, self.id)

    @property
    def sources(self) -> list[str]:
        """The code that ran before, as the model wrote it, and this script's."""
        return [*codes_that_ended(self.ctx.messages), self.code]

    @cached_property
    def checkpoints(self) -> Checkpoints:
        return self._checkpoints(self.id, self.bound_code, sum(made.id == self.id for made in self.earlier))

    @property
    def checkpoints_before(self) -> Checkpoints | None:
        """Where the state of the previous script is saved."""
        last = self.earlier[-1] if self.earlier else None
        return None if last is None else self._checkpoints(last.id, last.code, last.repeat)

    def _checkpoints(self, run_code_id: str, code: str, repeat: int) -> Checkpoints:
        key = script_key(self.ctx.conversation_id, run_code_id, code, repeat, owners=self.owners)
        return Checkpoints(self.snapshots, run_code_id, key)
