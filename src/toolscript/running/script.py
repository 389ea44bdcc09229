"""One `run_code` call, from its start or its pause to its answer."""

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NoReturn

from pydantic_ai import RunContext, ToolReturn, UserError
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.tools import AgentDepsT

from toolscript.discovery.discoveries import signed_names
from toolscript.offering.code_functions import CodeFunctions
from toolscript.offering.snippets_made import last_snippet
from toolscript.pauses.decisions import Decisions
from toolscript.pauses.journal import Journal
from toolscript.pauses.once import Once
from toolscript.pauses.paused_script import PausedScript, script_key
from toolscript.pauses.pending import request_metadata
from toolscript.pauses.remembered import Memory
from toolscript.pauses.snapshots import Snapshots
from toolscript.pauses.verdicts import Verdicts
from toolscript.routing.placement import RUN_CODE
from toolscript_sandbox import Completed, Failed, Suspended

from .answers import answer, retry
from .dispatch import Dispatcher
from .run_state import RunState

_STORED = 'stored:'


@dataclass
class Script(Generic[AgentDepsT]):
    """A snippet and all that it needs to run, pause and go on."""

    code: str
    restart: bool
    ctx: RunContext[AgentDepsT]
    run: RunState
    functions: CodeFunctions[AgentDepsT]
    snapshots: Snapshots
    reuse_results: bool
    max_chars: int
    tells_found: bool
    """Whether the answer shows the signatures of the tools that the snippet found."""

    async def answer(self) -> ToolReturn[Any]:
        """What the model gets back.

        Raises:
            ModelRetry: The snippet failed.
            ApprovalRequired: It waits for a decision or a result from outside, or for another script that does.
            UserError: It was approved, and its snapshot is missing or not to be trusted.
        """
        if self.run.paused not in (None, self.id):
            raise ApprovalRequired(request_metadata((), ''))
        decisions = Decisions.from_metadata(self.ctx.tool_call_metadata) if self.ctx.tool_call_approved else None
        saved = await self._saved(decisions)
        if saved is None:
            return await self._start()
        if decisions is not None:
            saved.verdicts.add(decisions)
        elif saved.waits:
            self._ask(saved, f'{_STORED}{self.key}')
        return await self._resume(saved)

    # -- start and resume

    async def _start(self) -> ToolReturn[Any]:
        if self.restart:
            await self.run.close()
            self.run.names.clear()
        self.run.names.update(self._names())
        await self._recall_memory()
        dispatcher = self._dispatcher(Verdicts(), Once(self.run.memory, self._journal, self.reuse_results))
        session = await self.run.session(ordered=dispatcher.ordered)
        outcome = await session.run(self.code, self.functions, dispatcher, checkpoint=self._checkpoint(dispatcher))
        return await self._end(outcome, dispatcher)

    async def _resume(self, saved: PausedScript) -> ToolReturn[Any]:
        self._check_names(saved)
        await self.run.close()
        self.run.begun = True
        self._restore(saved)
        once = Once(self.run.memory, self._journal, self.reuse_results, resumed=True)
        dispatcher = self._dispatcher(saved.verdicts, once)
        dispatcher.returned.update(saved.returned)
        session = await self.run.session(ordered=dispatcher.ordered)
        checkpoint = self._checkpoint(dispatcher)
        outcome = await session.resume(saved.state, self.functions, dispatcher, checkpoint=checkpoint)
        return await self._end(outcome, dispatcher)

    async def _end(
        self, outcome: Completed | Failed | Suspended, dispatcher: Dispatcher[AgentDepsT]
    ) -> ToolReturn[Any]:
        self.run.found.update(dispatcher.found)
        self.run.paused = None
        match outcome:
            case Suspended():
                return await self._pause(outcome, dispatcher)
            case Failed():
                self.run.memory.snippet_failed()
                await self._keep_memory()
                raise retry(outcome, self.run.memory if self.reuse_results else Memory())
            case Completed():
                self.run.memory.snippet_succeeded()
                await self._keep_memory()
                news = self._news(dispatcher) if self.tells_found else []
                text = self.functions.catalog.render(news).text if news else ''
                return answer(outcome, dispatcher, self.run.found, news=(news, text), max_chars=self.max_chars)

    def _news(self, dispatcher: Dispatcher[AgentDepsT]) -> list[str]:
        """The functions that the snippet found and whose signatures the model has not seen."""
        seen = signed_names(self.ctx.messages)
        return [name for name in dispatcher.found if name in self.functions.tools and name not in seen]

    # -- pause

    async def _pause(self, outcome: Suspended, dispatcher: Dispatcher[AgentDepsT]) -> NoReturn:
        paused = self._snapshot(outcome.state, dispatcher, waits=True)
        text = self._seal(paused)
        self.run.paused = self.id
        if self.snapshots.store is not None:
            await self.snapshots.store.save(self.key, text)
            text = f'{_STORED}{self.key}'
        self._ask(paused, text)

    def _ask(self, paused: PausedScript, snapshot: str) -> NoReturn:
        self.run.paused = self.id
        raise ApprovalRequired(request_metadata(list(paused.verdicts.waiting.values()), snapshot))

    def _checkpoint(self, dispatcher: Dispatcher[AgentDepsT]) -> Callable[[bytes], Awaitable[None]] | None:
        store = self.snapshots.store
        if store is None:
            return None

        async def save(state: bytes) -> None:
            await store.save(self.key, self._seal(self._snapshot(state, dispatcher, waits=False)))

        return save

    def _snapshot(self, state: bytes, dispatcher: Dispatcher[AgentDepsT], *, waits: bool) -> PausedScript:
        return PausedScript(
            state=state,
            waits=waits,
            names=self.run.names,
            verdicts=dispatcher.verdicts,
            memory=self.run.memory,
            files=self.run.files.by_id,
            found=tuple(self.run.found | dispatcher.found),
            returned=dispatcher.returned,
        )

    # -- what outlives the run between two snippets

    async def _keep_memory(self) -> None:
        store, memory = self.snapshots.store, self.run.memory
        self.run.begun = True
        if store is not None and memory.earlier:
            key = f'{self.key}.memory'
            await store.save(key, self.snapshots.seal(key, memory.to_bytes()))

    async def _recall_memory(self) -> None:
        """What the last snippet of the history left, if another run made it."""
        last = None if self.run.begun else last_snippet(self.ctx.messages, before=self.id)
        self.run.begun = True
        if last is not None:
            key = f'{script_key(self.ctx.conversation_id, *last)}.memory'
            text = await self._load(key)
            if text is not None:
                self.run.memory = Memory.from_bytes(self.snapshots.open(key, text))

    # -- the way back

    async def _saved(self, decisions: Decisions | None) -> PausedScript | None:
        """The state to go on from; `None` for a script that starts."""
        if decisions is not None:
            return await self._handed_in(decisions.snapshot) if decisions.snapshot else None
        if self.ctx.tool_call_approved:
            raise UserError(
                f'{RUN_CODE} {self.id} was approved without the snapshot of its script, so nothing was run. Build the '
                'DeferredToolResults with toolscript.resolve(requests, decisions).'
            )
        text = await self._load(self.key)
        return None if text is None else self._opened(text)

    async def _handed_in(self, snapshot: str) -> PausedScript:
        if not snapshot.startswith(_STORED):
            return self._opened(snapshot)
        text = await self._load(snapshot.removeprefix(_STORED))
        if text is None:
            raise UserError(
                f'The snapshot of {RUN_CODE} {self.id} is not in the store (any more), so nothing was run. Every '
                'process needs Snapshots with the same store.'
            )
        return self._opened(text)

    async def _load(self, key: str) -> str | None:
        return None if self.snapshots.store is None else await self.snapshots.store.load(key)

    def _seal(self, paused: PausedScript) -> str:
        return self.snapshots.seal(self._purpose, paused.to_bytes())

    def _opened(self, text: str) -> PausedScript:
        return PausedScript.from_bytes(self.snapshots.open(self._purpose, text))

    def _restore(self, saved: PausedScript) -> None:
        run = self.run
        run.names, run.memory = dict(saved.names), saved.memory
        run.memory.running.clear()
        run.found.update(dict.fromkeys(saved.found))
        run.files.by_id.update(saved.files)

    def _check_names(self, saved: PausedScript) -> None:
        """A name that now means another tool would send the script's calls there."""
        now = self._tools_of(saved.names)
        waiting = {call.tool_name for call in saved.verdicts.waiting.values()}
        for name, tool_name in saved.names.items():
            if (name in now and now[name] != tool_name) or (name not in now and tool_name in waiting):
                raise UserError(
                    f'The tools have changed since {RUN_CODE} {self.id} paused: {name}() was {tool_name} and is '
                    f'{now.get(name, "gone")}. Nothing was run.'
                )

    # -- what it is known by

    @cached_property
    def id(self) -> str:
        """The id of the `run_code` call."""
        return self.ctx.tool_call_id or RUN_CODE

    @cached_property
    def key(self) -> str:
        """The script's key in a store."""
        return script_key(self.ctx.conversation_id, self.id, self.code)

    @cached_property
    def _purpose(self) -> str:
        return script_key(None, self.id, self.code)

    @cached_property
    def _journal(self) -> Journal | None:
        store = self.snapshots.store
        return None if store is None else Journal(self.key, self.snapshots, store)

    # -- what it calls

    def _dispatcher(self, verdicts: Verdicts, once: Once) -> Dispatcher[AgentDepsT]:
        run = self.run
        return Dispatcher(self.functions, self.ctx, self.id, run.files, run.observations, verdicts, once)

    def _names(self) -> dict[str, str]:
        """The tools that the code names, by Python name."""
        return self._tools_of(set(re.findall(r'\w+', self.code)))

    def _tools_of(self, names: Iterable[str]) -> dict[str, str]:
        catalog = self.functions.catalog
        return {name: function.spec.name for name in names if (function := catalog.get(name))}
