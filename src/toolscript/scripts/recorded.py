"""The link that records calls: those that finished return their results again and do not run again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolscript.approvals.approvals import Approvals
from toolscript.durability.call_cache import outdated_result, unknown_outcome
from toolscript.durability.changes import Changes
from toolscript.durability.journal import CallEntry, CallRaised, CallWaits, Finished, Journal, Outcome, Started
from toolscript.durability.script_state import ScriptState
from toolscript_sandbox import serialize

from .nested_call import Kind, Link, NestedCall, Result, RunningCalls, ScriptContext


@dataclass
class CallRecorder:
    """Records the outcomes of one script's calls: in its state, and in the journal if there is a store."""

    state: ScriptState
    running: RunningCalls
    journal: Journal | None = None
    changes: Changes | None = None
    """The record of calls that can be undone, if some can."""

    async def started(self, call: NestedCall) -> None:
        """Record that the tool is about to be called. Calls that may run again need no record."""
        self.running.check_open()
        await self._add_change(call, flush=call.may_run_again)
        if call.may_run_again:
            return
        cache = self.state.run.cache
        entry = call.entry(Started(), began=cache.tick())
        cache.running[call.number] = entry
        if self.journal is not None:
            await self.journal.append(call.number, entry)

    async def ended(self, call: NestedCall, outcome: Outcome, *, is_new: bool = True) -> None:
        cache = self.state.run.cache
        started = cache.running.pop(call.number, None)
        if call.decision == 'answered' and isinstance(outcome, Finished):
            await self._add_change(call, flush=False)
        if self.changes is not None and call.change is not None and call.reached:
            await self.changes.ended(call.change, outcome)
        if isinstance(outcome, CallWaits):
            if self.journal is not None:
                await self.journal.append(call.number, call.entry(outcome))
            return
        ended = cache.tick()
        began = ended if started is None else started.began
        if isinstance(outcome, Finished) and call.kind == 'tool' and call.callee and call.callee.effect != 'reads':
            # A call that failed is trusted to have done nothing.
            cache.change(call.part.tool_name, began)
        await self.add(call, call.entry(outcome, began=began, ended=ended), is_new=is_new)

    async def _add_change(self, call: NestedCall, *, flush: bool) -> None:
        """Record that the tool, or who answers in its place, may change something."""
        call.reached = True
        if self.changes is not None and not call.is_read_only:
            call.change = await self.changes.started(call.id, call.part.tool_name, call.arguments, flush=flush)

    async def add(self, call: NestedCall, entry: CallEntry, *, is_new: bool = True) -> None:
        """Add the entry of a call that ended; one that `is_new` also goes into the journal."""
        self.state.ended[call.number] = entry.without_value()
        if self.journal is not None and is_new:
            await self.journal.append(call.number, entry)


@dataclass
class Recorded:
    """Answers calls that already ran, in a process that died or in a script that failed. Records all others."""

    routes: Mapping[Kind, Link]
    record: CallRecorder
    script: ScriptContext[Any]
    _approvals: Approvals = field(init=False)

    def __post_init__(self) -> None:
        self._approvals = self.record.state.approvals

    async def __call__(self, call: NestedCall) -> Result:
        kind, record = call.kind, self.record
        if kind == 'tool':
            if record.journal is not None or not call.may_run_again:
                # Computed now from the script's arguments, because capabilities may change them.
                _ = call.digest
            earlier = await self._earlier(call)
            if earlier is not None:
                return earlier
        result = await self.routes[kind](call)
        record.running.check_open()
        await record.ended(call, result.outcome)
        if kind == 'tool' and not isinstance(result.outcome, CallWaits):
            # Only after the outcome is recorded: then nothing asks for the decision again.
            self._approvals.used(call.id)
        if result.error is not None:
            raise result.error
        return result

    async def _earlier(self, call: NestedCall) -> Result | None:
        """Return the recorded result of the call; `None` if it must run now."""
        outcome, is_new = await self._from_journal(call)
        if call.row is not None and self._approvals.plan is not None:
            self._approvals.plan.claim(call.row, call.number)
        if outcome is None:
            return await self._from_failed_scripts(call)
        if isinstance(outcome, Started) and self._approvals.still_waits(
            call.id, call.part.args_as_dict(), call.call.line
        ):
            # It seems to have started only because the journal is lost.
            return None
        if isinstance(outcome, CallWaits):
            if outcome.call.tool_call_id == call.id:
                self._approvals.waiting.setdefault(call.id, outcome.call)
            return None
        self._approvals.used(call.id)
        if isinstance(outcome, Started):
            return Result(CallRaised.of(unknown_outcome(call.part.tool_name)), 'refusal')
        await self.record.ended(call, outcome, is_new=is_new)
        return await self._replay(call, outcome)

    async def _from_journal(self, call: NestedCall) -> tuple[Outcome | Started | None, bool]:
        """Return the call's outcome before the process died, and whether the journal has it under another number."""
        state, journal, is_new = self.record.state, self.record.journal, False
        entry = await journal.read(call.number, call.digest) if self.script.resumed and journal is not None else None
        if entry is not None:
            self._approvals.count(call.id, entry.use)
        if entry is None and (entries := state.earlier_attempt.get(call.digest) if state.earlier_attempt else None):
            entry, is_new = entries.pop(0), True
        outcome = None if entry is None else entry.outcome
        if entry is not None:
            call.row, call.use, call.change = entry.row, entry.use, entry.change
        if outcome is None and call.number <= state.lost_calls:
            outcome = Started()
        return None if isinstance(outcome, Started) and call.may_run_again else outcome, is_new

    async def _from_failed_scripts(self, call: NestedCall) -> Result | None:
        cache = self.record.state.run.cache
        if not self.script.reuse or call.may_run_again or not (cache.earlier or cache.lost):
            return None
        entry = cache.next_of(call.digest)
        if entry is not None and isinstance(entry.outcome, Finished):
            assert call.callee is not None
            # What acted has acted for good; any other result may be different by now.
            since = None if call.callee.effect == 'acts' else cache.since(entry, self.script.plan)
            if since is not None:
                cache.outdated.add(call.digest)
                return Result(CallRaised.of(outdated_result(call.part.tool_name, entry.outcome, since)), 'refusal')
        entry = cache.recall(call.digest)
        if entry is None and not cache.lost:
            return None
        if entry is None or not isinstance(entry.outcome, Finished):
            return Result(CallRaised.of(unknown_outcome(call.part.tool_name)), 'refusal')
        if call.callee is not None and call.callee.effect != 'reads':
            cache.replayed = max(cache.replayed, entry.began)
        call.change = entry.change
        await self.record.add(call, call.entry(entry.outcome, began=entry.began, ended=entry.ended))
        return await self._replay(call, entry.outcome)

    async def _replay(self, call: NestedCall, outcome: Finished | CallRaised) -> Result:
        """Return the outcome of a call that ran before, as if it had run now."""
        if isinstance(outcome, CallRaised) or outcome.too_large:
            return Result(outcome, 'cache')
        self.record.state.run.files.by_id.update(outcome.files)
        # The script must not share the value with the record.
        taken = await serialize(outcome.value, max_heap=self.script.limits.result_heap_bytes)
        if taken.too_large:
            return Result(Finished(too_large=taken.failure(call.call.function).message), 'cache')
        return Result(Finished(taken.value, outcome.returned), 'cache')
