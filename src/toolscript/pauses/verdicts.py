"""What is decided about the calls of a script, while it runs."""

from dataclasses import field
from typing import Any

from pydantic.dataclasses import dataclass
from pydantic_ai import UserError
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import DeferredToolResult, DeferredToolResults, ToolApproved

from toolscript.results.returned import JSON

from .decisions import Decisions
from .pending import PendingCall, digest
from .rules import ApproveCalls


@dataclass(config=JSON)
class Verdicts:
    """The decisions that no call has used yet, and the calls that wait for one."""

    results: DeferredToolResults = field(default_factory=DeferredToolResults)
    shown: dict[str, str] = field(default_factory=dict[str, str])
    rules: list[ApproveCalls] = field(default_factory=list[ApproveCalls])
    waiting: dict[str, PendingCall] = field(default_factory=dict[str, PendingCall])

    def add(self, decisions: Decisions) -> None:
        """Take in what the application decided."""
        self.results.update(decisions.results)
        self.shown.update(decisions.shown)
        self.rules = [*decisions.rules, *self.rules]

    def decision(self, part: ToolCallPart) -> DeferredToolResult | None:
        """The decision about a call; it stands until `used`.

        Raises:
            UserError: The call is not the one that the decision was about.
        """
        call_id = part.tool_call_id
        if call_id not in self.results.approvals and call_id not in self.results.calls:
            return self._by_rule(part)
        decision = self.results.to_tool_call_results()[call_id]
        if self.shown.get(call_id) != digest(part.tool_name, part.args_as_dict()):
            raise UserError(
                f'What was decided about {call_id} is about another call than {part.tool_name}; nothing ran.'
            )
        return decision

    def used(self, call_id: str) -> None:
        """Forget the decision about a call, which has had its effect."""
        self.results.approvals.pop(call_id, None)
        self.results.calls.pop(call_id, None)
        self.waiting.pop(call_id, None)

    def metadata(self, call_id: str) -> dict[str, Any] | None:
        """What the application tells the tool with its decision."""
        return self.results.metadata.get(call_id)

    def approves(self, tool_name: str) -> bool:
        """Whether a rule approves one more call of the tool, which then counts."""
        for index, rule in enumerate(self.rules):
            if rule.tool_name == tool_name and not rule.used_up:
                left = None if rule.at_most is None else rule.at_most - 1
                self.rules[index] = ApproveCalls(tool_name, left)
                return True
        return False

    def _by_rule(self, part: ToolCallPart) -> ToolApproved | None:
        waits = self.waiting.get(part.tool_call_id)
        if waits is None or waits.kind != 'approval' or not self.approves(part.tool_name):
            return None
        del self.waiting[part.tool_call_id]
        return ToolApproved()
