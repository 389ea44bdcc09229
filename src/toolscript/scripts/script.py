"""One `run_code` call: preparation, execution, answer."""

import asyncio
import itertools
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NoReturn

from opentelemetry import trace
from pydantic_ai import ModelRetry, RunContext, ToolReturn, UserError
from pydantic_ai.exceptions import ApprovalRequired, ToolFailed
from pydantic_ai.tools import AgentDepsT, ToolDenied

from toolscript.approvals.approvals import Approvals
from toolscript.approvals.pause_marks import pause_mark
from toolscript.approvals.pending import request_metadata
from toolscript.durability.changes import Change, Changes
from toolscript.durability.journal import waiting_of
from toolscript.durability.resume import ResumePoint, ScriptRecord, resume_point
from toolscript.durability.script_state import ScriptState, unreadable
from toolscript.durability.snapshots import Snapshots
from toolscript.observability.script_calls import UNDONE_KEY
from toolscript.observability.tracing import linked, traceparent_of, tracing_of
from toolscript.results.final_answer import given_answer
from toolscript.results.tool_errors import ToolErrors
from toolscript.routing.placement import RUN_CODE
from toolscript.run_code.code_output import output_schema, with_output_schema
from toolscript.run_code.functions import CodeFunctions
from toolscript.run_code.tool import RunCodeTool
from toolscript_sandbox import (
    CallRecord,
    Checkpoint,
    Completed,
    Failed,
    OtherVersion,
    Outcome,
    Session,
    StateError,
    Suspended,
    Tracing,
)

from .answers import Answers, cached, is_cut
from .chain import chain
from .nested_call import ScriptContext
from .observed import Observed
from .run_state import RunState

if TYPE_CHECKING:
    from toolscript.flows.rules import Flows
    from toolscript.flows.script_flows import ScriptFlows
    from toolscript.sessions.functions_in_run import Saving
    from toolscript.sessions.saved_function import SavedFunction

    from .speculation import Speculations


@dataclass(frozen=True)
class PreparedScript(Generic[AgentDepsT]):
    session: Session
    context: ScriptContext[AgentDepsT]
    observed: Observed[AgentDepsT]
    saved_functions: 'Sequence[SavedFunction]' = ()
    """The saved functions that it calls."""

    @property
    def state(self) -> ScriptState:
        return self.context.state

    async def close(self) -> None:
        await self.observed.events.flush()
        self.context.running.close(self.context.ctx, self.context.span)


@dataclass
class Script(Generic[AgentDepsT]):
    code: str
    restart: bool
    ctx: RunContext[AgentDepsT]
    run: RunState
    functions: CodeFunctions[AgentDepsT]
    snapshots: Snapshots
    reuse_finished_calls: bool
    tool_errors: ToolErrors
    max_chars: int
    tool: RunCodeTool[AgentDepsT]
    """The tool that was called."""
    speculations: 'Speculations[AgentDepsT] | None' = None
    """Reads that were started while the model wrote the script."""
    flows: 'Flows | None' = None
    """The rules about where data may go, if there are any."""
    large_results: bool = False
    """Whether results that are too large to be shown whole are written to files."""
    undo_failed: Callable[[str], Awaitable[tuple[str, dict[str, str]]]] | None = None
    """Undoes the failed script with that id, if that is enabled. Returns a note for the model, and the ids of the
    undone calls by the places of their changes."""

    @cached_property
    def record(self) -> ScriptRecord:
        """What the history and the store know about the call."""
        return ScriptRecord(self.code, self.ctx, self.snapshots, self.run.owners)

    @cached_property
    def changes(self) -> Changes | None:
        """The record of calls that may change something, if some of them can be undone."""
        if not self.record.checkpoints.has_store or not self.functions.declare_undo:
            return None
        return self.record.checkpoints.changes(self.run.owners, self.ctx.conversation_id)

    async def answer(self) -> ToolReturn[Any]:
        """Run the script and return the model's answer.

        Raises:
            ModelRetry: The script failed.
            ApprovalRequired: It waits for a decision or an external result, or for another script that does.
            ToolFailed: It was denied as a whole.
            UserError: It was approved, but its snapshot is missing or not to be trusted; or the store failed.
            ScriptLocked: Another task or process runs it.
        """
        record, checkpoints = self.record, self.record.checkpoints
        paused_step, paused = self.run.paused
        if paused_step == self.ctx.run_step and paused != record.id:
            raise ApprovalRequired(request_metadata((), checkpoints.queue()))
        async with checkpoints.locked():
            point = await resume_point(record)
            denial = None if point.state is None else point.state.denied
            denial = denial or (None if point.decisions is None else point.decisions.denied)
            if denial is not None:
                await self._deny(point, denial)
            if self.changes is not None:
                self._check_undone(await self.changes.read(), point.state)
                self.run.changing.append(record.id)
            resumes = point.state is not None
            script = await (self._start(point) if point.state is None else self._resume(point, point.state))
            save = self._save(script)
            try:
                if resumes:
                    outcome = await self._resumed(script, save)
                else:
                    outcome = await script.session.run(
                        self.code, self.functions, script.observed, checkpoint=save, tracing=script.context.tracing
                    )
            except StateError as error:
                raise unreadable(record.id, error) from error
            except asyncio.CancelledError:
                # Its session is lost, as if it had paused and were denied.
                self.run.paused = None, record.id
                raise
            finally:
                await script.close()
            return await self._answer(outcome, script)

    # -- prepare

    async def _start(self, point: ResumePoint) -> PreparedScript[AgentDepsT]:
        approvals = Approvals(waiting=waiting_of(point.earlier_attempt))
        if point.decisions is not None:
            approvals.add(point.decisions)
        for place, entry in enumerate(itertools.chain(*point.earlier_attempt.values())):
            approvals.count(f'earlier {place}', entry.use)
        if self.restart:
            await self.run.close()
            self.run.memory.names.clear()
            self.run.memory.codes.clear()
            self._forget_defined()
        await self._abandon_paused()
        self.run.memory.names.update(self._tools_of(self._words))
        await self._load_cache()
        state = ScriptState(
            self.code,
            self.run.memory,
            execution=b'',
            waits=False,
            approvals=approvals,
            earlier_attempt=point.earlier_attempt,
            output_schema=output_schema(self.functions),
        )
        if self.flows is not None:
            self.run.memory.codes.append(self.code)
        session = await self.run.session()
        await self._begin_with_variables(session, load=not self.restart)
        needed = await self._define_saved_functions(session, point)
        script = await self._prepared(state, session, tracing_of(self.ctx), resumed=False)
        if script.context.flows is not None and (reason := script.context.flows.proved()):
            raise ModelRetry(f'Nothing was run. {reason}')
        return replace(script, saved_functions=needed)

    async def _resume(self, point: ResumePoint, state: ScriptState) -> PreparedScript[AgentDepsT]:
        self._check_code(state)
        if point.decisions is not None:
            state.approvals.add(point.decisions)
        elif state.waits:
            self._ask(state, self.record.checkpoints.place)
        self._check_names(state)
        self.functions = with_output_schema(self.functions, state.output_schema)
        await self.run.close()
        self._forget_defined()
        self.run.begun = True
        self._restore(state)
        await self._forget_undone()
        await self.record.checkpoints.rewrite_journal(state)
        session = await self.run.session()
        await self._begin_with_variables(session, load=False, since=state.session_number)
        tracing = tracing_of(self.ctx)
        if tracing is not None:
            waited = {'toolscript.waited_seconds': self.snapshots.now() - state.paused_at} if state.waits else {}
            tracing = linked(tracing, state.traceparent, waited)
        return await self._prepared(state, session, tracing, resumed=True)

    async def _prepared(
        self, state: ScriptState, session: Session, tracing: Tracing | None, *, resumed: bool
    ) -> PreparedScript[AgentDepsT]:
        run = self.run
        state.traceparent = None if tracing is None else traceparent_of(trace.get_current_span())
        state.session_number = None if run.persistence is None else run.persistence.number
        if run.saved is not None:
            state.saved_functions = run.saved.defined
        context = ScriptContext(
            functions=self.functions,
            ctx=self.ctx,
            id=self.record.id,
            name=self.record.name,
            state=state,
            limits=run.limits,
            tool_errors=self.tool_errors,
            journal=self.record.checkpoints.journal,
            changes=self.changes,
            resumed=resumed,
            reuse=self.reuse_finished_calls,
            plan=self._plan(),
            tracing=tracing,
            shapes=run.result_shapes,
            saving=self._saving(),
            files=run.binary_files,
            flows=await self._flows(state),
            output_elsewhere=self._output_given(),
        )
        observed = chain(context, speculations=self.speculations, planner=run.planner)
        return PreparedScript(session, context, observed)

    async def _flows(self, state: ScriptState) -> 'ScriptFlows | None':
        """Return the flows of data in this script and those before it, as far as calls have ended."""
        if self.flows is None:
            return None
        from .flowed import flows_of_script

        run = self.run
        flows = await flows_of_script(
            self.flows,
            run.memory.codes,
            self.functions,
            self.ctx,
            self.record.name,
            has_files=run.host_files is not None,
            earlier=None if run.persistence is None and run.saved is None else run.memory.loaded,
        )
        for record in state.records:
            flows.ended(record.call.function, record.call.line)
        return flows

    def _saving(self) -> 'Saving | None':
        saved = self.run.saved
        if saved is None or not saved.saved_functions.may_save:
            return None
        from toolscript.sessions.functions_in_run import Saving

        return Saving(lambda: self.record.sources, self.functions, saved, self.run.sandbox, self.run.opened_files)

    def _output_given(self) -> bool:
        """Return whether another script of this step gave the output: in this run, or before it resumed here."""
        before = given_answer(self.ctx.messages, {self.record.name})
        return self.run.answered_in == self.ctx.run_step or before is not None

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(re.findall(r'\w+', self.code))

    def _plan(self) -> frozenset[str]:
        """Return the tools that the script may call: those it names, and those that code of its functions names."""
        words = set(self._words)
        for earlier in reversed(self.record.earlier):
            if not words.isdisjoint(re.findall(r'\bdef (\w+)', earlier.code)):
                words.update(re.findall(r'\w+', earlier.code))
        return frozenset(self._tools_of(words).values())

    def _tools_of(self, names: Iterable[str]) -> dict[str, str]:
        catalog = self.functions.catalog
        return {name: function.spec.name for name in names if (function := catalog.get(name))}

    # -- run

    async def _resumed(self, script: PreparedScript[AgentDepsT], save: Checkpoint | None) -> Outcome:
        state, run = script.state, self.run

        async def resumed() -> Outcome:
            return await script.session.resume(
                state.execution,
                self.functions,
                script.observed,
                calls=state.records,
                checkpoint=save,
                tracing=script.context.tracing,
            )

        try:
            return await resumed()
        except OtherVersion:
            if run.stepped is not None:
                raise
            files = await run.opened_files()
            state.execution = await run.sandbox.replay(state.execution, self.functions, limits=run.limits, files=files)
            return await resumed()

    def _save(self, script: PreparedScript[AgentDepsT]) -> Checkpoint | None:
        checkpoints, state, found = self.record.checkpoints, script.state, script.context.found
        if not checkpoints.has_store:
            return None

        async def save(execution: bytes, ended: Sequence[CallRecord]) -> None:
            state.execution, state.waits = execution, False
            state.add_cancelled(ended)
            state.run.found.update(found)
            # The script may be about to change a file, and no call would wait for the store before that.
            await checkpoints.save(state, at_once=self.run.host_files is not None)

        return save

    # -- answer

    async def _answer(self, outcome: Outcome, script: PreparedScript[AgentDepsT]) -> ToolReturn[Any]:
        run, state = self.run, script.state
        run.memory.found.update(script.context.found)
        run.paused = None, ''
        await script.observed.ended(outcome.stdout)
        match outcome:
            case Suspended():
                return await self._pause(outcome, script)
            case Failed():
                failed = script.observed.failed(outcome)
                run.failed.append(failed)
                run.memory.cache.script_failed(state.entries, lost=state.lost_calls > 0)
                undone = await self._undo(failed)
                await self._save_cache()
                variables = self._reloaded() if outcome.session_lost else await self._save_variables()
                news = [text for text in (undone, variables) if text]
                raise self._answers(script).feedback(outcome, *news)
            case Completed():
                if state.output is not None:
                    run.answered_in = self.ctx.run_step
                run.memory.cache.script_succeeded(state.entries)
                await self._save_cache()
                calls = script.observed.calls(outcome.calls)
                variables, file = await self._save_variables(), await self._write_large_result(outcome.value)
                earlier, run.failed = run.failed, deque(maxlen=run.failed.maxlen)
                return self._answers(script).result(
                    outcome,
                    calls=calls,
                    failed=earlier,
                    speculations=self.speculations,
                    file=file,
                    variables=variables,
                    max_chars=self.max_chars,
                )

    def _answers(self, script: PreparedScript[AgentDepsT]) -> Answers:
        return Answers(self.run, script.context, self.tool, script.saved_functions, self.reuse_finished_calls)

    async def _write_large_result(self, value: Any) -> str:
        """Write a result that is too large to be shown whole to a file. Returns a note for the model."""
        files = await self.run.opened_files() if self.large_results else None
        if files is None or not is_cut(value, self.max_chars):
            return ''
        from toolscript.sessions.files import save_result

        return await save_result(value, files)

    async def _pause(self, outcome: Suspended, script: PreparedScript[AgentDepsT]) -> NoReturn:
        state = script.state
        state.execution, state.waits, state.paused_at = outcome.state, True, self.snapshots.now()
        state.pauses += 1
        state.add_cancelled(outcome.calls)
        if self.run.planner is not None:
            await self.run.planner.plan(script.context, outcome.state, outcome.code)
        snapshot = await self.record.checkpoints.suspend(state)
        await script.observed.paused(list(state.approvals.waiting), state.approvals.plan)
        self._ask(state, snapshot)

    def _ask(self, state: ScriptState, snapshot: str) -> NoReturn:
        self.run.paused = self.ctx.run_step, self.record.id
        asked = state.approvals.asked
        if self.record.made is not None:
            self.record.made.leave(pause_mark(state.pauses, asked), state.approvals.plan)
        raise ApprovalRequired(request_metadata(asked, snapshot))

    async def _deny(self, point: ResumePoint, denial: ToolDenied) -> NoReturn:
        """End the script where it waits; the calls that it made until then stay recorded."""
        await self._abandon_paused()
        state = point.state or ScriptState(
            self.code, self.run.memory, execution=b'', waits=False, earlier_attempt=point.earlier_attempt
        )
        if point.state is not None:
            if state.waits and self.record.checkpoints.has_store:
                state.denied = denial
                await self.record.checkpoints.suspend(state)
            self._restore(point.state)
        if point.state is not None or point.earlier_attempt:
            self.run.memory.cache.script_failed(state.entries, lost=state.lost_calls > 0)
            await self._save_cache()
        advice = cached(self.run, self.functions, self.reuse_finished_calls)
        raise ToolFailed('\n\n'.join([f'This script was not approved: {denial.message}', *advice]))

    async def _abandon_paused(self) -> None:
        """Close the session of a script that was denied or cancelled; the next one starts a session."""
        _, paused = self.run.paused
        self.run.paused = None, ''
        if paused:
            await self.run.close()
            if self.run.persistence is not None:
                self.run.persistence.reload()

    async def _undo(self, failed: dict[str, Any]) -> str:
        """Undo the script's changes, if that is enabled, and record that. Returns a note for the model."""
        if self.undo_failed is None or self.changes is None:
            return ''
        await self.changes.writer.flush()
        text, undone = await self.undo_failed(self.record.id)
        self.run.memory.cache.forget(undone)
        failed[UNDONE_KEY] = [*undone.values()]
        return text

    # -- what outlives the script

    async def _save_cache(self) -> None:
        self.run.begun = True
        await self.record.checkpoints.save_cache(self.run.memory.cache)

    async def _load_cache(self) -> None:
        """Load the calls that the last script of the history left, if another run made it."""
        before = self.record.checkpoints_before
        if not self.run.begun and self.record.checkpoints.has_store and before is not None:
            self.run.memory.cache = await before.load_cache() or self.run.memory.cache
            await self._forget_undone()
        self.run.begun = True

    async def _forget_undone(self) -> None:
        """Forget calls that were undone since, so that they run again."""
        cache = self.run.memory.cache
        places = [one.change for calls in cache.earlier.values() for one in calls if one.change is not None]
        if self.changes is not None and places:
            cache.forget(await self.changes.undone(places))

    async def _begin_with_variables(self, session: Session, *, load: bool, since: int | None = None) -> None:
        """Load the variables of earlier runs, except those that this run may not have."""
        persistence, memory = self.run.persistence, self.run.memory
        if persistence is None or persistence.begun:
            return
        key = self.record.checkpoints.key
        begun = await persistence.begin(session, key, self.functions, load=load, since=since)
        if begun.stored is not None:
            memory.loaded |= session.variables
            memory.names = {name: tool.tool_name for name, tool in begun.stored.tools.items()} | memory.names
            memory.files.by_id = {**begun.stored.files, **memory.files.by_id}
            self._add_defined(begun.stored.saved_functions)
        if begun.changed:
            raise ModelRetry(begun.changed)

    async def _define_saved_functions(self, session: Session, point: ResumePoint) -> 'Sequence[SavedFunction]':
        """Define the saved functions that the script calls; the same ones, if it starts again after a crash."""
        saved, checkpoints = self.run.saved, self.record.checkpoints
        if saved is None:
            return ()
        from toolscript.sessions.saved_function import stored_list

        before = await checkpoints.load_functions() if point.earlier_attempt else None
        if before is not None:
            needed = stored_list.load(before)
        else:
            needed = await saved.needed(self.code, self.functions, session.variables)
            if needed:
                await checkpoints.save_functions(stored_list.dump([*needed]))
        await saved.define(needed, self.record.sources, self.functions, session)
        names = {name for function in needed for name in function.tool_names}
        self.run.memory.loaded.update(function.name for function in needed)
        self.run.memory.names.update(self._tools_of(names))
        search = self.functions.search
        if search is not None:
            self.run.memory.found.update({one.name: None for one in needed if one.name in search.hidden})
        return needed

    def _reloaded(self) -> str:
        """Let the next script load the variables that were stored. Returns a note for the model."""
        persistence = self.run.persistence
        if persistence is None:
            return ''
        persistence.reload()
        return 'The next script has the variables again that were stored before this one.' if persistence.number else ''

    async def _save_variables(self) -> str:
        """Save the variables that the script left for later runs. Returns a note for the model."""
        persistence, memory = self.run.persistence, self.run.memory
        if persistence is None:
            return ''
        session, key = await self.run.session(), self.record.checkpoints.key
        defined = {} if self.run.saved is None else self.run.saved.defined
        return await persistence.save(session, key, memory.names, memory.files.by_id, self.functions, defined)

    def _forget_defined(self) -> None:
        if self.run.saved is not None:
            self.run.saved.defined.clear()

    def _add_defined(self, functions: Mapping[str, str]) -> None:
        if self.run.saved is not None:
            self.run.saved.defined.update(functions)

    # -- resume

    def _restore(self, state: ScriptState) -> None:
        old, new = self.run.memory, state.run
        new.cache.running.clear()
        new.found = old.found | new.found
        new.files.by_id = {**old.files.by_id, **new.files.by_id}
        self.run.memory = new
        self._add_defined(state.saved_functions)

    def _check_code(self, state: ScriptState) -> None:
        """Refuse to resume a script whose code was changed, because the state belongs to the old code."""
        if self.code not in (self.record.bound_code, state.code):
            raise UserError(
                f'{RUN_CODE} {self.record.id} was approved with changed code, but its script has begun, so nothing was '
                'run. Approve it as it is, or deny it, and the model can write another one.'
            )

    def _check_undone(self, changes: Sequence[Change], state: ScriptState | None) -> None:
        """Refuse to resume a script whose changes were undone, because it relies on them."""
        mine = (one for one in changes if one.script == self.record.checkpoints.key)
        if state is not None and state.waits and any(one.undo for one in mine):
            raise UserError(
                f'What {RUN_CODE} {self.record.id} changed before it paused was undone, so nothing was run. Deny the '
                'script: resolve(requests, {script_id: False}).'
            )

    def _check_names(self, state: ScriptState) -> None:
        """Refuse to resume if a name now means another tool, which would get the script's calls."""
        now = self._tools_of(state.run.names)
        waiting = {call.tool_name for call in state.approvals.waiting.values()}
        for name, tool_name in state.run.names.items():
            if (name in now and now[name] != tool_name) or (name not in now and tool_name in waiting):
                raise UserError(
                    f'The tools have changed since {RUN_CODE} {self.record.id} paused: {name}() was {tool_name} and is '
                    f'{now.get(name, "gone")}. Nothing was run.'
                )
