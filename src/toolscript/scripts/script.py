"""One `run_code` call, from its start or its pause to its answer."""

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, NoReturn

from pydantic_ai import ModelRetry, RunContext, ToolReturn, UserError
from pydantic_ai.exceptions import ApprovalRequired, ToolFailed
from pydantic_ai.tools import AgentDepsT, ToolDenied

from toolscript.approvals.approvals import Verdicts
from toolscript.approvals.pause_marks import pause_mark
from toolscript.approvals.pending import PendingCall, request_metadata
from toolscript.durability.call_cache import Once
from toolscript.durability.journal import Journaled, waiting_of
from toolscript.durability.pages import MOST_LOOSE, Page
from toolscript.durability.paused_script import PausedScript, Unreadable, unreadable
from toolscript.durability.resume import GoingOn, going_on
from toolscript.durability.snapshots import Snapshots
from toolscript.observability.script_calls import CallLog
from toolscript.observability.tracing import linked, traceparent_of
from toolscript.results.final_answer import given_answer
from toolscript.results.tool_errors import ToolErrors
from toolscript.routing.placement import RUN_CODE
from toolscript.run_code.code_output import output_schema, with_output_schema
from toolscript.run_code.functions import CodeFunctions
from toolscript.run_code.tool import RunCodeTool
from toolscript.sessions.binary_files import put_aside
from toolscript.sessions.saved_function import SavedFunction, functions_from_bytes, functions_to_bytes
from toolscript_sandbox import (
    CallRecord,
    Checkpoint,
    Completed,
    Dispatch,
    Failed,
    Session,
    StateError,
    Suspended,
    Tracing,
    calls_made,
)

from .answers import answer, is_cut, retry
from .code_output import Given
from .dispatch import Dispatcher
from .feedback import Telling, remembered
from .observed import Watched
from .replay import frozen_clock, refuse_what_is_not_replayed
from .run_state import RunState
from .saved_functions import Saving
from .script_record import ScriptRecord
from .spans import Traced
from .speculation import EarlyCalls


@dataclass
class Script(Generic[AgentDepsT]):
    """A snippet and all that it needs to run, pause and go on."""

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
    """What was called."""
    early: EarlyCalls[AgentDepsT] | None = None
    """Reads that were started while the model wrote it."""
    kept_functions: Sequence[SavedFunction] = ()
    """Those that it calls."""
    large_results: bool = False
    """Whether what is too large to be shown whole is written to a file."""

    @cached_property
    def record(self) -> ScriptRecord:
        """What is known of the call."""
        return ScriptRecord(self.code, self.ctx, self.snapshots, self.run.owners)

    async def answer(self) -> ToolReturn[Any]:
        """What the model gets back.

        Raises:
            ModelRetry: The snippet failed.
            ApprovalRequired: It waits for a decision or a result from outside, or for another script that does.
            ToolFailed: It was denied as a whole.
            UserError: It was approved, and its snapshot is missing or not to be trusted; or the store failed.
            ScriptLocked: Another task or process goes on with it.
        """
        if self.run.paused not in (None, self.record.id):
            raise ApprovalRequired(request_metadata((), self.record.archive.hand_out_turn()))
        async with self.record.archive.claimed():
            return await self._answer()

    async def _answer(self) -> ToolReturn[Any]:
        approved = self.ctx.tool_call_approved
        going = await going_on(
            self.record.archive, self.record.made, approved=approved, decisions=self.record.decisions
        )
        saved, decisions = going.saved, going.decisions
        if decisions is not None and decisions.denied is not None:
            await self._deny(going, decisions.denied)
        if saved is None:
            return await self._start(going)
        self._check_code(saved)
        if decisions is not None:
            saved.verdicts.add(decisions)
        elif saved.waits:
            self._ask(saved, self.record.archive.place)
        return await self._resume(saved)

    # -- start and resume

    async def _start(self, going: GoingOn) -> ToolReturn[Any]:
        verdicts = Verdicts(waiting=waiting_of(going.earlier))
        if going.decisions is not None:
            verdicts.add(going.decisions)
        if self.restart:
            await self.run.close()
            self.run.names.clear()
            self._forget_defined()
        self.run.names.update(self._names())
        await self._recall_memory()
        once = self._once(going.earlier)
        dispatcher = self._dispatcher(verdicts, once)
        session = await self._session(dispatcher)
        await self._begin_with_variables(session, load=not self.restart)
        await self._define_kept_functions(session, going)
        watched = Watched(dispatcher, CallLog())
        try:
            outcome = await session.run(
                self.code,
                self.functions,
                _dispatch(watched),
                checkpoint=self._checkpoint(dispatcher),
                tracing=dispatcher.tracing,
            )
        finally:
            await watched.flush()
            dispatcher.close()
        return await self._end(outcome, watched)

    async def _resume(self, saved: PausedScript) -> ToolReturn[Any]:
        self._check_names(saved)
        self.functions = with_output_schema(self.functions, saved.output_schema)
        await self.run.close()
        self._forget_defined()
        self.run.begun = True
        self._restore(saved)
        once = self._once(saved.journaled, resumed=True)
        dispatcher = self._dispatcher(saved.verdicts, once)
        dispatcher.returned.update(saved.all_returned)
        dispatcher.loose.update(saved.returned)
        dispatcher.ended.update({record.call.id: record for record in saved.calls})
        dispatcher.pauses, dispatcher.pages = saved.pauses, saved.pages
        dispatcher.given.answer = saved.answer
        session = await self._session(dispatcher)
        await self._begin_with_variables(session, load=False, since=saved.variables)
        watched = Watched(dispatcher, saved.log)
        try:
            once.unjournaled = await self._unjournaled(saved)
            outcome = await session.resume(
                saved.state,
                self.functions,
                _dispatch(watched),
                calls=saved.all_calls,
                checkpoint=self._checkpoint(dispatcher),
                tracing=self._tracing_on(dispatcher, saved),
            )
        except StateError as error:
            raise Unreadable(unreadable(self.record.id, error)) from error
        finally:
            await watched.flush()
            dispatcher.close()
        return await self._end(outcome, watched)

    def _tracing_on(self, dispatcher: Dispatcher[AgentDepsT], saved: PausedScript) -> Tracing | None:
        """Where spans go, with a link to where the script was before."""
        if dispatcher.tracing is None:
            return None
        waited = {'toolscript.waited_seconds': self.snapshots.now() - saved.paused_at} if saved.waits else {}
        return linked(dispatcher.tracing, saved.traceparent, waited)

    async def _unjournaled(self, saved: PausedScript) -> int:
        """How many calls the script had made of which nobody knows what they did, because their journal was lost."""
        journal = self.record.archive.journal
        if journal is None or saved.waits or await journal.begun():
            return 0
        return calls_made(saved.state)

    async def _deny(self, going: GoingOn, denial: ToolDenied) -> NoReturn:
        """End the script where it waits; what it did until then is not forgotten."""
        if going.saved is not None:
            self._restore(going.saved)
        if going.saved is not None or going.earlier:
            Once(self.run.memory, journaled=going.earlier if going.saved is None else going.saved.journaled).leave()
            self.run.memory.snippet_failed()
            await self._keep_memory()
        will_not_run_again = remembered(self.run, self.functions, self.reuse_finished_calls)
        raise ToolFailed('\n\n'.join([f'This script was not approved: {denial.message}', *will_not_run_again]))

    async def _end(self, outcome: Completed | Failed | Suspended, watched: Watched[AgentDepsT]) -> ToolReturn[Any]:
        dispatcher = watched.dispatcher
        self.run.found.update(dispatcher.found)
        self.run.paused = None
        await watched.ended(outcome.stdout)
        match outcome:
            case Suspended():
                return await self._pause(outcome, watched)
            case Failed():
                self.run.failed.append(watched.failed(outcome))
                dispatcher.once.leave()
                self.run.memory.snippet_failed()
                await self._keep_memory()
                advice = self._telling(dispatcher).advice(outcome)
                news = await self._keep_variables()
                raise retry(outcome, *advice, *([news] if news else []))
            case Completed():
                if dispatcher.given.answer is not None:
                    self.run.answered_in = self.ctx.run_step
                self.run.memory.snippet_succeeded()
                await self._keep_memory()
                news, calls = self._telling(dispatcher).news(), watched.calls(outcome.calls)
                variables, file = await self._keep_variables(), await self._put_aside(outcome.value)
                news = replace(news, variables=variables, file=file)
                failed, self.run.failed = self.run.failed, deque(maxlen=self.run.failed.maxlen)
                return answer(
                    outcome, dispatcher, self.run.found, news=news, calls=calls, failed=failed, max_chars=self.max_chars
                )

    def _telling(self, dispatcher: Dispatcher[AgentDepsT]) -> Telling:
        return Telling(self.run, self.functions, self.tool, dispatcher, self.kept_functions, self.reuse_finished_calls)

    async def _put_aside(self, value: Any) -> str:
        """A result that is too large to be shown whole, in a file. What the model is to be told of that."""
        files = await self.run.opened_files() if self.large_results else None
        if files is None or not is_cut(value, self.max_chars):
            return ''
        return await put_aside(value, self.record.id, files)

    # -- pause

    async def _pause(self, outcome: Suspended, watched: Watched[AgentDepsT]) -> NoReturn:
        saved = self._snapshot(outcome.state, watched.dispatcher, waits=True)
        paused = replace(saved, log=watched.log, calls=outcome.calls)
        snapshot = await self.record.archive.hand_out(paused)
        await watched.pauses(list(paused.verdicts.waiting))
        self._ask(paused, snapshot)

    def _ask(self, paused: PausedScript, snapshot: str) -> NoReturn:
        self.run.paused = self.record.id
        # Tools of a gather say that they wait in any order; whoever is asked reads the calls as the script made them.
        waiting = sorted(paused.verdicts.waiting.values(), key=_place)
        if self.record.made is not None:
            self.record.made.leave(pause_mark(paused.pauses, waiting))
        raise ApprovalRequired(request_metadata(waiting, snapshot))

    def _checkpoint(self, dispatcher: Dispatcher[AgentDepsT]) -> Checkpoint | None:
        if not self.record.archive.keeps:
            return None

        async def save(state: bytes, ended: Sequence[CallRecord]) -> None:
            await self.record.archive.begin_journal()
            dispatcher.ended.update({record.call.id: record for record in ended})
            if len(dispatcher.ended) >= MOST_LOOSE:
                await self.record.archive.keep_page(dispatcher.pages, self._page(dispatcher))
                dispatcher.pages += 1
            await self.record.archive.keep(self._snapshot(state, dispatcher, waits=False))

        return save

    def _page(self, dispatcher: Dispatcher[AgentDepsT]) -> Page:
        """The calls that ended, which states hold no more."""
        ended, loose = dict(dispatcher.ended), dispatcher.loose
        dispatcher.ended.clear()
        returned = {number: loose.pop(number) for number in ended if number in loose}
        return Page(tuple(ended.values()), self.run.memory.turn_page(ended), returned)

    def _snapshot(self, state: bytes, dispatcher: Dispatcher[AgentDepsT], *, waits: bool) -> PausedScript:
        # What waits is kept whole.
        return PausedScript(
            state=state,
            waits=waits,
            code=self.code,
            paused_at=self.snapshots.now() if waits else 0.0,
            traceparent=None if dispatcher.tracing is None else traceparent_of(dispatcher.span),
            pauses=dispatcher.pauses + waits,
            names=self.run.names,
            verdicts=dispatcher.verdicts,
            memory=self.run.memory.whole() if waits else self.run.memory,
            files=self.run.files.by_id,
            found=tuple(self.run.found | dispatcher.found),
            returned=dict(dispatcher.returned if waits else dispatcher.loose),
            journaled=dispatcher.once.journaled,
            answer=dispatcher.given.answer,
            output_schema=output_schema(self.functions),
            variables=None if self.run.lasting is None else self.run.lasting.number,
            kept_functions={} if self.run.kept is None else dict(self.run.kept.defined),
            pages=0 if waits else dispatcher.pages,
            calls=tuple(dispatcher.ended.values()),
        )

    # -- what outlives the run between two snippets

    async def _keep_memory(self) -> None:
        self.run.begun = True
        await self.record.archive.keep_memory(self.run.memory)

    async def _recall_memory(self) -> None:
        """What the last snippet of the history left, if another run made it."""
        before = self.record.archive_before
        if not self.run.begun and self.record.archive.keeps and before is not None:
            self.run.memory = await before.memory() or self.run.memory
        self.run.begun = True

    async def _begin_with_variables(self, session: Session, *, load: bool, since: int | None = None) -> None:
        """Have the variables of earlier runs, and nothing of theirs that this run may not have."""
        lasting = self.run.lasting
        if lasting is None or lasting.begun:
            return
        begun = await lasting.begin(session, self.record.archive.key, self.functions, load=load, since=since)
        if begun.kept is not None:
            self.run.names = {name: tool.tool_name for name, tool in begun.kept.tools.items()} | self.run.names
            self.run.files.by_id = {**begun.kept.files, **self.run.files.by_id}
            self._know_defined(begun.kept.kept_functions)
        if begun.changed:
            raise ModelRetry(begun.changed)

    async def _define_kept_functions(self, session: Session, going: GoingOn) -> None:
        """Have the kept functions that the script calls; the same ones, if it begins once more after a crash."""
        kept = self.run.kept
        if kept is None:
            return
        before = await self.record.archive.functions() if going.earlier else None
        if before is not None:
            needed = functions_from_bytes(before)
        else:
            needed = await kept.needed(self.code, self.functions, session.variables)
            if needed:
                await self.record.archive.keep_functions(functions_to_bytes(needed))
        await kept.define(needed, self.record.sources, self.functions, session)
        self.kept_functions = needed
        named = {name for function in needed for name in function.tool_names}
        self.run.names.update(self._tools_of(named))
        search = self.functions.search
        if search is not None:
            self.run.found.update({one.name: None for one in needed if one.name in search.hidden})

    async def _keep_variables(self) -> str:
        """Keep what the script left for later runs. What the model is to be told of that."""
        lasting = self.run.lasting
        if lasting is None:
            return ''
        session, files = await self.run.session(), self.run.files.by_id
        defined = {} if self.run.kept is None else self.run.kept.defined
        return await lasting.keep(session, self.record.archive.key, self.run.names, files, self.functions, defined)

    def _forget_defined(self) -> None:
        """The session starts anew."""
        if self.run.kept is not None:
            self.run.kept.defined.clear()

    def _know_defined(self, functions: Mapping[str, str]) -> None:
        """The session has come with these kept functions."""
        if self.run.kept is not None:
            self.run.kept.defined.update(functions)

    # -- the way back

    def _restore(self, saved: PausedScript) -> None:
        run = self.run
        run.names, run.memory = dict(saved.names), saved.memory
        run.memory.running.clear()
        run.found.update(dict.fromkeys(saved.found))
        run.files.by_id.update(saved.files)
        self._know_defined(saved.kept_functions)

    def _check_code(self, saved: PausedScript) -> None:
        """Changed code has nothing to do with the state of what ran; it can only start."""
        if self.code not in (self.record.bound_code, saved.code or self.code):
            raise UserError(
                f'{RUN_CODE} {self.record.id} was approved with changed code, but its script has begun, so nothing was '
                'run. Approve it as it is, or deny it, and the model can write another one.'
            )

    def _check_names(self, saved: PausedScript) -> None:
        """A name that now means another tool would send the script's calls there."""
        now = self._tools_of(saved.names)
        waiting = {call.tool_name for call in saved.verdicts.waiting.values()}
        for name, tool_name in saved.names.items():
            if (name in now and now[name] != tool_name) or (name not in now and tool_name in waiting):
                raise UserError(
                    f'The tools have changed since {RUN_CODE} {self.record.id} paused: {name}() was {tool_name} and is '
                    f'{now.get(name, "gone")}. Nothing was run.'
                )

    # -- what it calls

    def _dispatcher(self, verdicts: Verdicts, once: Once) -> Dispatcher[AgentDepsT]:
        run, given = self.run, Given(elsewhere=self._answered())
        return Dispatcher(
            self.functions,
            self.ctx,
            self.record.id,
            run.files,
            run.result_shapes,
            verdicts,
            once,
            self.tool_errors,
            given,
            run.limits,
            self.early,
            self._saving(),
        )

    def _saving(self) -> Saving | None:
        kept = self.run.kept
        if kept is None or not kept.shelf.may_save:
            return None
        return Saving(lambda: self.record.sources, self.functions, kept, self.run.sandbox, self.run.opened_files)

    async def _session(self, dispatcher: Dispatcher[AgentDepsT]) -> Session:
        ordered = dispatcher.ordered
        if ordered:
            refuse_what_is_not_replayed(self.run)
        session = await self.run.session(
            ordered=ordered, frozen_clock=frozen_clock(self.record.made) if ordered else None
        )
        dispatcher.give_files(self.run.binary_files)
        return session

    def _answered(self) -> bool:
        """Whether another script of this step gave the output of the run: in this run, or before that went on here."""
        name = self.ctx.tool_name or RUN_CODE
        return self.run.answered_in == self.ctx.run_step or given_answer(self.ctx.messages, {name}) is not None

    def _once(self, journaled: Journaled, *, resumed: bool = False) -> Once:
        journal, plan = self.record.archive.journal, self._plan()
        return Once(
            self.run.memory, journal, self.reuse_finished_calls, resumed=resumed, journaled=journaled, plan=plan
        )

    def _plan(self) -> frozenset[str]:
        """The tools that the script may call: those it names, and those named where the functions it uses were made."""
        words = set(re.findall(r'\w+', self.code))
        for earlier in reversed(self.record.earlier):
            if not words.isdisjoint(re.findall(r'\bdef (\w+)', earlier.code)):
                words.update(re.findall(r'\w+', earlier.code))
        return frozenset(self._tools_of(words).values())

    def _names(self) -> dict[str, str]:
        """The tools that the code names, by Python name."""
        return self._tools_of(set(re.findall(r'\w+', self.code)))

    def _tools_of(self, names: Iterable[str]) -> dict[str, str]:
        catalog = self.functions.catalog
        return {name: function.spec.name for name in names if (function := catalog.get(name))}


def _dispatch(watched: Watched[Any]) -> Dispatch:
    tracing = watched.dispatcher.tracing
    return watched if tracing is None else Traced(watched, tracing)


def _place(call: PendingCall) -> int:
    """The place of a nested call among those of its script."""
    return int(call.tool_call_id.rpartition('__')[2])
