"""Decisions about the calls of a script, while it runs."""

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import ToolReturn, UserError
from pydantic_ai.tools import DeferredToolResult, DeferredToolResults, ToolApproved, ToolDenied

from toolscript.guards import is_object

from .decisions import Decisions
from .grants import Allowance, Use
from .pending import PendingCall, PendingKind, Plan, call_digest


@dataclass
class Approvals:
    """The decisions that no call has used yet, and the calls that wait for one."""

    results: DeferredToolResults = field(default_factory=DeferredToolResults)
    allowances: list[Allowance] = field(default_factory=list[Allowance])
    """Approvals that cover more than the waiting calls."""
    waiting: dict[str, PendingCall] = field(default_factory=dict[str, PendingCall])
    taken: set[str] = field(default_factory=set[str])
    """The ids of the decisions that were added."""
    plan: Plan | None = None
    """What the script will do, if that is planned and not used up."""
    asked_lines: set[tuple[str, int | None]] = field(default_factory=set[tuple[str, int | None]])
    """The tools and lines of all rows of earlier plans."""

    def add(self, decisions: Decisions) -> None:
        """Add decisions about the waiting calls, once. Raises `UserError` if one does not match its pending call."""
        if decisions.id in self.taken:
            return
        asked = {call.tool_call_id: call for call in self.asked}
        relevant = _only_for(asked, decisions.results)
        for call_id, call in asked.items():
            _check(call, decisions.shown.get(call_id), relevant)
        self.taken.add(decisions.id)
        self.results.update(relevant)
        rules = [
            Allowance(f'{decisions.id} {place}', rule.tool_name, rule.at_most)
            for place, rule in enumerate(decisions.rules)
        ]
        granted = [call_id for call_id in decisions.grants if call_id in asked and self.is_approved(call_id)]
        grants = [decisions.grants[one].allowance(asked[one], f'{decisions.id} {one}') for one in granted]
        self.allowances = [*grants, *rules, *self.allowances]

    @property
    def asked(self) -> list[PendingCall]:
        """All calls that need an answer, in the script's order: those that wait, and those that are planned."""
        waiting = sorted(self.waiting.values(), key=lambda call: int(call.tool_call_id.rpartition('__')[2]))
        rows = {} if self.plan is None else {row.tool_call_id: row for row in self.plan.to_ask}
        return [*(call for call in waiting if call.tool_call_id not in rows), *rows.values()]

    def decision(self, call_id: str) -> DeferredToolResult | None:
        """Return the decision about exactly this call; it is valid until `used`."""
        if not self.is_decided(call_id):
            return None
        given: object = self.results.calls.get(call_id)
        # Upstream's union leaves a result with files in it as JSON.
        if is_object(given):
            return _tool_return().validate_json(json.dumps(given))
        return self.results.to_tool_call_results()[call_id]

    def is_decided(self, call_id: str) -> bool:
        return call_id in self.results.approvals or call_id in self.results.calls

    def still_waits(self, call_id: str, args: Mapping[str, Any], line: int | None) -> bool:
        """Return whether the call waits and nothing approves it, so that its tool cannot have started."""
        call = self.waiting.get(call_id)
        if call is None or self.is_decided(call_id):
            return False
        return call.kind != 'approval' or self.use_for(call_id, call.tool_name, args, line) is None

    def is_approved(self, call_id: str) -> bool:
        approval = self.results.approvals.get(call_id)
        return approval is True or isinstance(approval, ToolApproved)

    def used(self, call_id: str) -> None:
        """Forget the decision about a call, which has taken effect."""
        results = self.results
        for decided in (results.approvals, results.calls, results.metadata, self.waiting):
            decided.pop(call_id, None)

    def use_for(self, call_id: str, tool_name: str, args: Mapping[str, Any], line: int | None = None) -> Use | None:
        """Return what a call would use of approvals beyond the waiting calls; `None` if they do not cover it.

        They cover no call while a denied row of the same tool and line is still to come.
        """
        for row in [] if self.plan is None else self.plan.to_ask:
            denial = self.results.approvals.get(row.tool_call_id)
            is_denied = denial is False or isinstance(denial, ToolDenied)
            if is_denied and row.tool_name == tool_name and row.row is not None and row.row.line == line:
                return None
        return next((use for one in self.allowances if (use := one.use_for(call_id, tool_name, args))), None)

    def count(self, call_id: str, use: Use | None) -> None:
        """Record that a call has used an approval; recording it twice changes nothing."""
        for one in [] if use is None else self.allowances:
            if use is not None and one.id == use.allowance_id and (one.count is not None or one.total):
                one.uses[call_id] = use


def _check(call: PendingCall, shown: str | None, results: DeferredToolResults) -> None:
    """Check that a decision about a call is about this call, and an answer that it can take."""
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


def _only_for(calls: Container[str], results: DeferredToolResults) -> DeferredToolResults:
    """Return the results without those of other calls, which were answered earlier with the same requests."""
    return DeferredToolResults(
        calls={call_id: result for call_id, result in results.calls.items() if call_id in calls},
        approvals={call_id: result for call_id, result in results.approvals.items() if call_id in calls},
        metadata={call_id: metadata for call_id, metadata in results.metadata.items() if call_id in calls},
    )


_WANTED: Mapping[PendingKind, str] = {'approval': 'an approval', 'external': 'a result', 'question': 'an answer'}


@cache
def _tool_return() -> TypeAdapter[ToolReturn[Any]]:
    return TypeAdapter(ToolReturn[Any])
