"""Decisions about the calls of a script, while it runs."""

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import ToolReturn, UserError
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import DeferredToolResult, DeferredToolResults, ToolApproved

from toolscript.guards import is_object

from .decisions import ApproveCalls, Decisions
from .pending import PendingCall, PendingKind, Plan, call_digest


@dataclass
class Approvals:
    """The decisions that no call has used yet, and the calls that wait for one."""

    results: DeferredToolResults = field(default_factory=DeferredToolResults)
    rules: list[ApproveCalls] = field(default_factory=list[ApproveCalls])
    waiting: dict[str, PendingCall] = field(default_factory=dict[str, PendingCall])
    taken: set[str] = field(default_factory=set[str])
    """The decisions that were taken in, by their ids."""
    plan: Plan | None = None
    """What the script will do, where that is planned and not used up."""

    def add(self, decisions: Decisions) -> None:
        """Take in what the application decided about the calls that wait, once.

        Raises:
            UserError: A decision does not match its pending call.
        """
        if decisions.id in self.taken:
            return
        asked = {call.tool_call_id: call for call in self.asked}
        about = _about(asked, decisions.results)
        for call_id, call in asked.items():
            _check(call, decisions.shown.get(call_id), about)
        self.taken.add(decisions.id)
        self.results.update(about)
        self.rules = [*decisions.rules, *self.rules]

    @property
    def asked(self) -> list[PendingCall]:
        """All calls that need an answer, as the script makes them: those that wait, and those that are planned."""
        waiting = sorted(self.waiting.values(), key=_place)
        rows = {} if self.plan is None else {row.tool_call_id: row for row in self.plan.to_ask}
        return [*(call for call in waiting if call.tool_call_id not in rows), *rows.values()]

    def decision(self, part: ToolCallPart) -> DeferredToolResult | None:
        """The decision about a call; it is valid until `used`."""
        if not (self.waiting or self.results.approvals or self.results.calls):
            return None
        return self._own(part.tool_call_id) or self._by_rule(part)

    def is_decided(self, call_id: str) -> bool:
        """Whether there is a decision about exactly this call."""
        return call_id in self.results.approvals or call_id in self.results.calls

    def is_approved(self, call_id: str) -> bool:
        """Whether there is an approval of exactly this call."""
        approval = self.results.approvals.get(call_id)
        return approval is True or isinstance(approval, ToolApproved)

    def undecided(self, call_id: str) -> bool:
        """Whether the call waits for a decision that does not exist yet."""
        return call_id in self.waiting and self._own(call_id) is None

    def used(self, call_id: str) -> None:
        """Forget the decision about a call, which has had its effect."""
        results = self.results
        for decided in (results.approvals, results.calls, results.metadata, self.waiting):
            if call_id in decided:
                del decided[call_id]

    def used_before(self, part: ToolCallPart) -> None:
        """As `used`, for a call that ran before the process died: it may have been a rule that approved it."""
        if self._own(part.tool_call_id) is None:
            self.approves(part.tool_name)
        self.used(part.tool_call_id)

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

    def _own(self, call_id: str) -> DeferredToolResult | None:
        if call_id not in self.results.approvals and call_id not in self.results.calls:
            return None
        given: object = self.results.calls.get(call_id)
        # Upstream's union leaves a result with files in it as the JSON that it was.
        return _returned(given) if is_object(given) else self.results.to_tool_call_results()[call_id]

    def _by_rule(self, part: ToolCallPart) -> ToolApproved | None:
        waits = self.waiting.get(part.tool_call_id) if self.waiting else None
        if waits is None or waits.kind != 'approval' or not self.approves(part.tool_name):
            return None
        del self.waiting[part.tool_call_id]
        return ToolApproved()


def _place(call: PendingCall) -> int:
    """The place of a nested call among those of its script."""
    return int(call.tool_call_id.rpartition('__')[2])


def _returned(given: Mapping[str, object]) -> ToolReturn[Any]:
    return _tool_return().validate_json(json.dumps(given))


def _check(call: PendingCall, shown: str | None, results: DeferredToolResults) -> None:
    """See that what is decided about a call is about this call, and an answer that it can take."""
    call_id = call.tool_call_id
    approval, result = results.approvals.get(call_id), call_id in results.calls
    if approval is None and not result:
        return
    if shown != call_digest(call):
        raise UserError(
            f'The decision for {call_id} does not match the pending call to {call.tool_name}. Nothing was run. '
            'Decide about the calls in pending_calls(requests).'
        )
    approved = approval is True or isinstance(approval, ToolApproved)
    if (approved and (result or call.kind != 'approval')) or (result and call.kind == 'approval'):
        raise UserError(
            f'{call_id} ({call.tool_name}) needs {_WANTED[call.kind]}, but the decisions contain something else. '
            'Nothing was run. Build them with toolscript.resolve(requests, decisions).'
        )


def _about(calls: Container[str], results: DeferredToolResults) -> DeferredToolResults:
    """Without what was decided about others: those had their answer when the same requests were answered before."""
    return DeferredToolResults(
        calls={call_id: result for call_id, result in results.calls.items() if call_id in calls},
        approvals={call_id: result for call_id, result in results.approvals.items() if call_id in calls},
        metadata={call_id: metadata for call_id, metadata in results.metadata.items() if call_id in calls},
    )


_WANTED: Mapping[PendingKind, str] = {'approval': 'an approval', 'external': 'a result', 'question': 'an answer'}


@cache
def _tool_return() -> TypeAdapter[ToolReturn[Any]]:
    return TypeAdapter(ToolReturn[Any])
