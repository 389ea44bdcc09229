"""Plans of scripts: when and how they are made, and the links that ask before the first change and enforce them."""

import time
from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from pydantic_ai.tools import ToolApproved

from toolscript.approvals.approvals import Approvals
from toolscript.approvals.pending import FIRST_READ, PendingCall, Plan, digest
from toolscript.approvals.review import one_line_call
from toolscript.catalog.result_shapes import ResultShapes
from toolscript.durability.journal import CallRaised, CallWaits
from toolscript.durability.script_state import ScriptState
from toolscript.routing.effects import plans_writes
from toolscript.routing.ruled_toolset import uncounted
from toolscript.scripts.nested_call import Link, NestedCall, Result, ScriptContext
from toolscript.scripts.tools import CallTool
from toolscript_sandbox import HostClock, Session

from .clues import clues_of
from .placeholders import Placeholders
from .preview import SECONDS, Preview, PreviewChain, planned_rows
from .rows import as_known, filled, is_same, row_of, values_of


@dataclass
class Planner:
    """Plans the changing calls of the scripts of one run."""

    everything: bool
    """Whether to plan all tools that are not known to be read-only, in addition to those whose rule requires it."""
    clock: HostClock
    open_session: Callable[[HostClock], Session]
    shapes: ResultShapes | None
    handles_files: bool = False
    """Whether tools take and return files by path."""

    def asks(self, link: Link, tool: CallTool[Any]) -> Link:
        return AskedFirst(link, tool, self._is_planned)

    def commits(self, link: Link, state: ScriptState) -> Link:
        plan = state.approvals.plan
        self.clock.moment = plan.moment if plan is not None and plan.open_rows else None
        return Committed(link, state, self.clock)

    async def plan(self, script: ScriptContext[Any], execution: bytes, code: str) -> None:
        """Predict what a waiting script will do, and store the plan with the waiting calls in its state.

        `execution` is where the script will resume. `code` is everything that determines what it does.
        """
        state, chain = script.state, PreviewChain(script)
        approvals = state.approvals
        before, approvals.plan = approvals.plan, None
        left = [] if before is None else [row for row in before.to_ask if row.tool_call_id not in approvals.waiting]
        left = [row for row in left if approvals.is_approved(row.tool_call_id)]
        if before is not None:
            values = values_of(before, state.ended)
            left = [replace(row, args=as_known(row, values)) for row in left]
        if not any(call.kind == 'approval' for call in approvals.waiting.values()):
            return
        # Recorded clock values are rounded to four digits of a second. So is this one, or clocks would go back here.
        moment, reads = datetime.fromtimestamp(round(time.time(), 4), UTC), dict[str, list[Result]]()

        async def preview(*, latest_first: bool = False, succeeds: bool = True) -> Preview:
            one = Preview(
                Placeholders(clues_of(code)),
                chain,
                approvals.waiting,
                self._is_planned,
                self.shapes,
                reads,
                succeeds=succeeds,
                handles_files=self.handles_files,
            )
            with uncounted():
                async with self.open_session(HostClock(moment, self.clock.seed)) as session:
                    await session.preview(
                        execution, chain.functions, one.dispatch, latest_first=latest_first, seconds=SECONDS
                    )
            return one

        first = await preview()
        if not first.has_planned:
            # Its calls wait for individual approvals.
            return
        second = await preview(latest_first=True)
        pessimistic = await preview(succeeds=False)
        prefix = f'{chain.script_id}__plan{state.pauses}'
        rows = planned_rows(first, second, pessimistic, row_id=lambda n: f'{prefix}_{n}')
        rows = _compared(rows, left, approvals.asked_lines)
        approvals.asked_lines.update(_line(row) for row in rows)
        approvals.waiting.update((row.tool_call_id, row) for row in rows if row.tool_call_id in approvals.waiting)
        approvals.plan = Plan(rows, moment, state.pauses)

    def _is_planned(self, call: NestedCall) -> bool:
        """Return whether calls of the tool wait for the approval of a plan."""
        if call.callee is None or call.is_read_only:
            return False
        rule = plans_writes(call.callee.tool_def)
        return self.everything if rule is None else rule


def _line(row: PendingCall) -> tuple[str, int | None]:
    return row.tool_name, row_of(row).line


def _compared(
    rows: list[PendingCall], left: list[PendingCall], lines: Set[tuple[str, int | None]]
) -> list[PendingCall]:
    """Return the rows, with their differences from earlier plans.

    `left` has the rows of the last plan that were approved but not executed, `lines` the tools and lines of all plans.
    """
    compared, left = list[PendingCall](), [*left]
    for row in rows:
        wanted = digest(row.tool_name, row.args)
        same = next((one for one in left if digest(one.tool_name, one.args) == wanted), None)
        if same is not None:
            left.remove(same)
        status = 'new' if same is None else 'approved'
        compared.append(replace(row, row=replace(row_of(row), status=status, asked_before=_line(row) in lines)))
    if compared and left:
        first = replace(row_of(compared[0]), skipped=tuple(one_line_call(row.tool_name, row.args) for row in left))
        compared[0] = replace(compared[0], row=first)
    return compared


@dataclass
class AskedFirst:
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
