"""Links for scripts with planned changes: one asks before the first change, the other enforces the plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai.tools import ToolApproved

from toolscript.approvals.approvals import Approvals
from toolscript.approvals.pending import FIRST_READ, PendingCall, Plan
from toolscript.durability.journal import CallRaised, CallWaits
from toolscript.durability.script_state import ScriptState
from toolscript.scripts.nested_call import Link, NestedCall, Result
from toolscript.scripts.tools import CallTool
from toolscript_sandbox import HostClock

from .rows import filled, is_same, row_of, values_of


@dataclass
class AsksFirst:
    """Makes a changing call wait for an approval, as if its tool required one."""

    next: Link
    tool: CallTool[Any]
    asks: Callable[[NestedCall], bool]

    async def __call__(self, call: NestedCall) -> Result:
        if call.approval is not None or not self.asks(call):
            return await self.next(call)
        refused = await self.tool.validate(call)
        return refused or Result(CallWaits(self.tool.pending(call, 'approval', None)), 'decision')


@dataclass
class Committed:
    """Gives each planned call the decision about its row of the plan, and marks the row as used.

    The first call that equals a row uses it, once the rows before it are used. All other changing calls have no
    decision, so they wait.
    """

    next: Link
    state: ScriptState
    clock: HostClock

    async def __call__(self, call: NestedCall) -> Result:
        plan = self.state.approvals.plan
        if plan is not None:
            self._claim(call)
            if not plan.open_rows:
                # The following calls were not in the preview.
                self.clock.moment = None
        return await self.next(call)

    def _claim(self, call: NestedCall) -> None:
        approvals = self.state.approvals
        plan = approvals.plan
        assert plan is not None
        own = (row for row, number in plan.claimed.items() if number == call.number)
        if (number := next(own, None)) is not None:
            # The process died just before the call started.
            call.row = plan.place(number)
            return
        is_decided, name, args = approvals.is_decided(call.id), call.part.tool_name, call.part.args_as_dict()
        values, in_its_place = values_of(plan, self.state.ended), None
        plan.void = self._void(plan)
        passed = plan.claimed.keys() | plan.void
        for row in plan.rows:
            facts = row_of(row)
            if facts.number in plan.claimed:
                continue
            is_its_own = row.tool_call_id == call.id
            if is_its_own and not is_decided:
                return
            if not is_its_own and (call.id in approvals.waiting or is_decided):
                continue
            may_come = passed >= {*facts.after}
            if is_its_own or (may_come and is_same(row, name, args, values)):
                if facts.asks_again and not is_its_own and approvals.is_approved(row.tool_call_id):
                    return
                if facts.number >= FIRST_READ or is_its_own or self._decide(approvals, row, call):
                    call.row = plan.place(facts.number)
                    plan.claim(call.row, call.number)
                return
            is_alike = (row.tool_name, facts.line) == (name, call.call.line) and facts.number < FIRST_READ
            if may_come and is_alike and in_its_place is None and approvals.is_approved(row.tool_call_id):
                in_its_place = row
        if in_its_place is not None and approvals.use_for(call.id, name, args, call.call.line) is not None:
            # The preview had other values. The grant approves these, and the following rows are unchanged.
            approvals.used(in_its_place.tool_call_id)
            call.row = plan.place(row_of(in_its_place).number)
            plan.claim(call.row, call.number)

    def _void(self, plan: Plan) -> set[int]:
        """Return the rows whose calls depend on the success of another call that has failed, as shown in the table."""
        ended, void = self.state.ended, set[int]()
        for row in map(row_of, plan.rows):
            needed = row.only_if
            entry = ended.get(plan.claimed.get(needed, 0)) if needed is not None else None
            if needed in void or (entry is not None and isinstance(entry.outcome, CallRaised)):
                void.add(row.number)
        return void - plan.claimed.keys()

    def _decide(self, approvals: Approvals, row: PendingCall, call: NestedCall) -> bool:
        """Assign the decision about a row to its call. Returns whether there was one."""
        decision = approvals.results.approvals.pop(row.tool_call_id, None)
        if decision is None:
            return False
        if isinstance(decision, ToolApproved) and decision.override_args is not None:
            assert approvals.plan is not None
            values = values_of(approvals.plan, self.state.ended)
            decision = replace(decision, override_args=filled(row, decision.override_args, values))
        approvals.results.approvals[call.id] = decision
        metadata = approvals.results.metadata.pop(row.tool_call_id, None)
        if metadata is not None:
            approvals.results.metadata[call.id] = metadata
        return True
