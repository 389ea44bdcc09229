"""A toolset whose tools are called from Python that the model writes.

Importing it loads only what building a toolset and listing its tools needs; the rest is loaded in a thread when the
first run starts.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from pydantic_ai import RunContext, ToolReturn
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.messages import InstructionPart, ToolCallPart
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset

from toolscript_sandbox import wait_for_run_slot, wait_for_step_slot

from .checks import one_toolset
from .code_mode_steps import OnDemand, load_what_runs_need, pass_imports_through, stepped
from .mcp.supervised_server import prepared, servers_note, servers_of
from .routing.placement import RUN_CODE, first_listed, inside_code_mode, listed_among, listed_tools
from .routing.ruled_toolset import warn_of_idle_rules
from .routing.rules import RuleBook
from .settings import CodeModeSettings

if TYPE_CHECKING:
    from . import _lazy
    from .discovery.search_tool import SearchTool
    from .run_code.tool import RunCodeTool, Step
    from .scripts.run_state import RunState
    from .scripts.script import Script
    from .scripts.speculation import SpeculationCounts
    from .scripts.speculative_script import PartialScript
    from .undoing.undoer import Undoer
else:
    _lazy = OnDemand('toolscript._lazy')
_undo_tool: Any = OnDemand('toolscript.undoing.tool')


class CodeModeWarning(UserWarning):
    """The setup of code mode is probably a mistake."""


@dataclass
class UnboundRuns:
    """The states of runs without a copy: pydantic-ai does not copy a toolset that a function builds during a run."""

    entered: int = 0
    """How many runs are active. A run that leaves does not say which one it is."""
    _states: dict[str | None, RunState] = field(default_factory=dict)

    def of(self, run_id: str | None, new: Callable[[], RunState]) -> RunState:
        """Return the state of the run; a new one for a new run."""
        state = self._states.pop(run_id, None) or new()
        self._states[run_id] = state
        return state

    async def leave(self) -> None:
        """End one run: close all states once all runs have ended, and the longest idle ones if there are many."""
        self.entered -= 1
        most = self.entered + _SPARE if self.entered > 0 else 0
        while len(self._states) > most:
            await self._states.pop(next(iter(self._states))).end()


_SPARE = 16


@dataclass
class CodeModeToolset(CodeModeSettings, WrapperToolset[AgentDepsT]):
    """Wraps a toolset behind `run_code`: the model writes Python, and the calls in it run the real tools.

    Each tool's `allowed_callers` decides whether it is an ordinary tool next to `run_code`, a function in it, or both.
    Variables live as long as the toolset: to build it in a function, use `@agent.toolset(per_run_step=False)`.
    """

    wrapped: AbstractToolset[AgentDepsT]
    """The wrapped toolset."""
    run: RunState | None = field(default=None, kw_only=True, repr=False, compare=False)
    """The state of the current run. Set by `for_run`, on a copy."""
    _book: RuleBook | None = field(default=None, kw_only=True, repr=False, compare=False)
    """The rules, once they apply to the wrapped tools."""
    _unbound: UnboundRuns = field(default_factory=UnboundRuns, kw_only=True, repr=False, compare=False)
    """The state of runs that use this toolset without a copy of their own."""

    def __post_init__(self) -> None:
        pass_imports_through()
        one_toolset('CodeModeToolset', self.wrapped)
        self.check()
        if self._book is None:
            self._book = RuleBook(self.rules)
            self.wrapped = prepared(self.wrapped, self._book, self.start_seconds, notes_names=self.flows is not None)
            if self.flows is not None and self.flows.extract is not None:
                from .flows.extraction import ExtractToolset

                self.wrapped = ExtractToolset(self.wrapped, model=self.flows.extract)
        if self.functions is not None:
            from .discovery.searchable_toolset import SearchableToolset
            from .sessions.saved_functions_toolset import with_functions

            self.wrapped = with_functions(self.wrapped, self.functions, SearchableToolset)

    @property
    def tool_name_conflict_hint(self) -> str:
        return (
            'One run_code serves a whole agent: wrap the toolsets together, CodeModeToolset(CombinedToolset([...])), '
            'or give one code mode another name with .prefixed(...).'
        )

    @property
    def id(self) -> str:
        """The id of the instructions of code mode."""
        return 'code_mode'

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        """Return the toolset for one run, with its own variables."""
        await load_what_runs_need(ctx, self)
        await wait_for_run_slot()
        run = self._new_run(ctx)
        if self.default_callers != 'direct' and run.stepped is None:
            # The model needs longer to answer than a worker needs to start.
            run.sandbox.start_ahead()
        return replace(self, wrapped=await self.wrapped.for_run(ctx), run=run)

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self._unbound.entered += 1
        return self

    async def __aexit__(self, *args: Any) -> bool | None:
        try:
            if self.run is not None:
                await self.run.end()
            else:
                await self._unbound.leave()
        finally:
            result = await super().__aexit__(*args)
        return result

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Return the direct tools, and `run_code` with the signatures of the others.

        Raises:
            UserError: A tool is called `run_code`, or names an unknown caller.
        """
        await load_what_runs_need(ctx, self)
        await wait_for_step_slot()
        with inside_code_mode(self.default_callers):
            tools = await super().get_tools(ctx)
        await _lazy.yield_if_many(tools)
        tools = _lazy.with_function_metadata(tools)
        if self.files is not None and self.files.scratch is not None:
            tools = _lazy.with_file_types(tools)
        if self._book is not None and self._all_servers_run():
            warn_of_idle_rules(self._book)
        if self.default_callers == 'direct' and first_listed(tools, _lazy.RunCodeTool) is not None:
            # A code mode inside this toolset handles the tools that other toolsets mark for code.
            return tools
        searches = list(listed_among(tools, _lazy.SearchTool).values())
        step = _lazy.arrange(
            tools,
            owner=self.wrapped,
            default_callers=self.default_callers,
            search=searches[0] if searches else None,
            found=self._found(tools, searches, ctx),
        )
        if step.functions.search is not None and not any(one.tool_def.defer_loading for one in step.direct.values()):
            _lazy.refuse_search_of_provider(ctx)
        await _lazy.yield_if_many(tools)
        if not step.functions.tools and (self.files is None or self.default_callers == 'direct'):
            if self.default_callers != 'direct' and self._all_servers_run():
                warnings.warn(_NO_CODE_TOOLS, CodeModeWarning, stacklevel=2)
            return dict(step.direct)
        if self.run is not None and self.run.stepped is None:
            # With `'direct'` as the default, only now is it known that some tools are for code.
            self.run.sandbox.start_ahead()
        await step.functions.catalog.read_in_turns(step.always)
        run_code = self._run_code_tool(step)
        listed: dict[str, ToolsetTool[AgentDepsT]] = {**step.direct, RUN_CODE: run_code}
        if self.undo_tool:
            undo_script = _undo_tool.undo_tool(self, run_code, self.max_retries)
            listed[undo_script.tool_def.name] = undo_script
        return _found_last(listed, step)

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Run a script, or call a direct tool.

        Raises:
            ModelRetry: The script failed; the message says where, why, and what already ran.
        """
        if isinstance(tool, _lazy.RunCodeTool):
            # A run that resumes a paused script gets here before any instructions are requested.
            tool = self._answering(self._joined(tool, ctx), ctx)
            result = await self._run_code(tool, ctx, tool_args)
            result = _lazy.visible(
                _lazy.hinted(result, ctx.messages, tool.functions.shown_name(RUN_CODE), self.batching_hint_after)
            )
            return _lazy.worded(result, ctx.model)
        if self.undo_tool and (run_code := _undo_tool.run_code_of(tool)) is not None:
            return await self._undo_for_model(run_code, tool_args, ctx)
        return await super().call_tool(name, tool_args, ctx, tool)

    async def get_instructions(
        self, ctx: RunContext[AgentDepsT]
    ) -> str | InstructionPart | Sequence[str | InstructionPart] | None:
        """Return the wrapped toolset's instructions.

        pydantic-ai calls this after a step's tools are listed and before the model request, when other toolsets'
        tools can be added and misdirected calls can be answered.
        """
        inherited = await super().get_instructions(ctx)
        down = servers_note(self.wrapped)
        if down is not None:
            # Included even when empty, so that a later text is appended and does not change the beginning.
            part = InstructionPart(down, dynamic=True, on_change='append', name='servers')
            inherited = [*_as_list(inherited), part]
        tool = self._listed_run_code(ctx)
        if tool is None:
            return inherited
        tool = self._joined(tool, ctx)
        _lazy.relist(ctx, tool)
        description = tool.tool_def.description or ''
        _lazy.report_catalog(
            ctx, functions=len(tool.functions.tools), shown=len(tool.described), description=description
        )
        _lazy.answer_misdirected(ctx, _lazy.misdirected_code_calls(ctx, tool))
        late = []
        if self.catalog == 'append':
            late = _lazy.late_signatures(tool.functions, tool.found, tool.described, ctx.messages)
        variables = await self._variables_part(tool, ctx)
        return [*_as_list(inherited), *late, *variables] if late or variables else inherited

    def _found(
        self,
        tools: Mapping[str, ToolsetTool[AgentDepsT]],
        searches: Sequence[SearchTool[AgentDepsT]],
        ctx: RunContext[AgentDepsT],
    ) -> dict[str, None]:
        """Return the deferred tools that were found, in order. Does not read the history if no tool is deferred."""
        if not searches and True not in [tool.tool_def.defer_loading for tool in tools.values()]:
            return {}
        # Tools that a search below shows are in the order of their discovery.
        shown = [name for search in searches for name in search.known.found]
        return dict.fromkeys([*shown, *_lazy.discovered_names(ctx.messages)]) | self._run_of(ctx).memory.found

    def _all_servers_run(self) -> bool:
        return not any(server.is_missing for server in servers_of(self.wrapped))

    async def _variables_part(
        self, tool: RunCodeTool[AgentDepsT], ctx: RunContext[AgentDepsT]
    ) -> list[InstructionPart]:
        """Return the note on variables of earlier runs, which changes no byte of the prompt before it."""
        persistence = self._run_of(ctx).persistence
        if persistence is None:
            return []
        # Included even when empty, so that a later text is appended and does not change the beginning.
        line = await persistence.look(tool.functions)
        return [InstructionPart(line, dynamic=True, on_change='append', name='variables')]

    def _run_code_tool(self, step: Step[AgentDepsT]) -> RunCodeTool[AgentDepsT]:
        """Return `run_code` for a step; with `'append'`, discoveries during a run never change its description."""
        catalog, answers = step.functions.catalog, step.functions.answers
        # Found tools and output functions are shown whatever the budget: search results do not have their signatures.
        beside = (*answers, *(step.found if self.catalog == 'description' else ()))
        names = (*step.always, *beside)
        if self.catalog_tokens is None:
            rendered = catalog.render(names)
        else:
            rendered = catalog.render(step.always, budget=self.catalog_tokens)
            crowded_out = set(step.always) - set(rendered.shown)
            step = _lazy.with_searchable(step, crowded_out) if crowded_out else step
            if beside:
                names = (*rendered.shown, *beside)
                rendered = catalog.render(names)
        description = _lazy.describe(
            rendered.text if names else '',
            both_callers=not step.direct.keys().isdisjoint(names),
            searchable=step.functions.search is not None,
            answers=[catalog.of(name).name for name in answers],
            files=None if self.files is None else self.files.line,
        )
        return _lazy.run_code_tool(
            self,
            step,
            description,
            described=rendered.shown,
            # Search results contain signatures only if no description does.
            search_signs=self.catalog == 'append',
            max_retries=self.max_retries,
            for_step=self._run_code_tool,
        )

    def _joined(self, tool: RunCodeTool[AgentDepsT], ctx: RunContext[AgentDepsT]) -> RunCodeTool[AgentDepsT]:
        """Return `run_code` with the tools of other toolsets that are for code."""
        if ctx.tool_manager is None or tool.is_joined:
            return tool
        step = _lazy.joined(tool.step, ctx.tool_manager, _lazy.shown_names(ctx.tool_manager.toolset, self))
        if step.functions.tools is tool.functions.tools:
            return replace(tool, step=step, is_joined=True)
        return replace(_lazy.offered_again(tool, step), is_joined=True)

    def _answering(self, tool: RunCodeTool[AgentDepsT], ctx: RunContext[AgentDepsT]) -> RunCodeTool[AgentDepsT]:
        """Return `run_code` with output functions, if code may give the output and no request has listed them yet."""
        if tool.functions.answers or ctx.tool_manager is None or not _lazy.gives_output(ctx):
            return tool
        answers = _lazy.any_answer_tools(self, ctx.tool_manager.tools or {})
        return replace(tool, step=_lazy.with_answers(tool.step, answers))

    def _listed_run_code(self, ctx: RunContext[AgentDepsT]) -> RunCodeTool[AgentDepsT] | None:
        run_code = first_listed(listed_tools(ctx), _lazy.RunCodeTool)
        return run_code if run_code is not None and run_code.owner is self else None

    async def _run_code(
        self, tool: RunCodeTool[AgentDepsT], ctx: RunContext[AgentDepsT], args: dict[str, Any]
    ) -> ToolReturn[Any]:
        """Run a script, and continue as long as handlers answer in place what it asks."""
        run = self._run_of(ctx)
        async with run.lock:
            while True:
                script = self._script(tool, ctx, args, run)
                script.speculations = await run.speculations_of(script.record.id, script.code)
                try:
                    return await script.answer()
                except ApprovalRequired as pause:
                    ctx, args = await run.questions.answer(pause, ctx, args)

    def _script(
        self, tool: RunCodeTool[AgentDepsT], ctx: RunContext[AgentDepsT], args: dict[str, Any], run: RunState
    ) -> Script[AgentDepsT]:
        return _lazy.Script(
            # Code that is too long is refused before it runs, so the rest is never read.
            code=args['code'][: self.limits.max_code_chars + 1],
            restart=args.get('restart', False),
            ctx=ctx,
            run=run,
            functions=tool.functions,
            snapshots=self.snapshots if run.stepped is None else self.snapshots.lasting,
            reuse_finished_calls=self.reuse_finished_calls,
            tool_errors=self.tool_errors,
            max_chars=self.max_result_chars,
            tool=tool,
            flows=self.flows,
            large_results=self.files is not None and self.files.large_results,
            undo_failed=partial(self._undo_failed, tool, ctx) if self.undo_on == 'error' else None,
        )

    def undoer(self, tool: RunCodeTool[AgentDepsT], ctx: RunContext[AgentDepsT]) -> Undoer[AgentDepsT]:
        """Return an undoer for scripts of the run's owner, with all tools that the agent has here."""
        from .run_code.functions import CodeTool
        from .undoing.undoer import Undoer

        tool = self._joined(tool, ctx)
        direct = {name: CodeTool(one, self.wrapped) for name, one in tool.step.direct.items()}
        functions = replace(tool.functions, tools={**direct, **tool.functions.tools})
        return Undoer(functions=functions, ctx=ctx, snapshots=self.snapshots, owners=self._owners(ctx))

    async def _undo_failed(
        self, tool: RunCodeTool[AgentDepsT], ctx: RunContext[AgentDepsT], script_id: str
    ) -> tuple[str, dict[str, str]]:
        """Undo a failed script that is still locked. Returns the text for the model, and the undone calls."""
        undoer = replace(self.undoer(tool, ctx), tool_errors=self.tool_errors)
        report, undone = await undoer.commit(script_id, ctx.conversation_id, holds_lock=True)
        shown = report.without_values() if self._hides_values else report
        return f'{_UNDONE}\n{shown.render()}' if report.calls else '', undone

    async def _undo_for_model(
        self, tool: RunCodeTool[AgentDepsT], arguments: dict[str, Any], ctx: RunContext[AgentDepsT]
    ) -> Any:
        run, undoer = self._run_of(ctx), replace(self.undoer(tool, ctx), tool_errors=self.tool_errors)
        from .run_code.history import snippets_until

        name = self._joined(tool, ctx).functions.shown_name(RUN_CODE)
        earlier = [made.id for made in snippets_until(ctx.messages, '', name)]
        script_ids = [*dict.fromkeys([*reversed(run.changing), *reversed(earlier)])]
        async with run.lock:
            answer, undone = await _undo_tool.undo_for_model(
                undoer, arguments, script_ids, ctx, hides_values=self._hides_values
            )
        run.memory.cache.forget(undone)
        return answer

    def partial_script(
        self, tool: RunCodeTool[AgentDepsT], ctx: RunContext[AgentDepsT], part: ToolCallPart, counts: SpeculationCounts
    ) -> PartialScript[AgentDepsT] | None:
        """Return the script of a call that the model is still writing; `None` if its reads may not start early.

        Args:
            tool: `run_code` as the model sees it.
            ctx: The context of the step.
            part: The unfinished call.
            counts: The counters for the reads.
        """
        run = self._run_of(ctx)
        if self.flows is not None:
            # No rule has checked reads that start early.
            return None
        is_watched = run.partial is not None and not run.partial.is_closed
        unseen = run.persistence is not None and run.persistence.shown is None and not run.persistence.begun
        if is_watched or unseen or run.lock.locked() or ctx.tool_manager is None:
            return None
        step_ctx = ctx.tool_manager.ctx or ctx
        retry = step_ctx.retries.get(part.tool_name, 0)
        retries = dict.fromkeys(tool.functions.tools, retry) if retry else {}
        from .scripts.speculation import Speculations, kinds_of_names
        from .scripts.speculative_script import PartialScript, words_of_files

        calls = Speculations(
            tool.functions,
            replace(step_ctx, retries=retries),
            part.tool_call_id,
            limits=self.limits,
            max_retries=tool.max_retries,
            counts=counts,
        )
        names = kinds_of_names(tool.step, run.variables)
        run.partial = PartialScript(
            part.tool_call_id,
            tool.functions,
            names,
            calls,
            run.session,
            most_calls=self.limits.max_calls,
            tracing=_lazy.tracing_of(step_ctx),
            stops=words_of_files(run.variables) if self.files is not None and self.files.writable else None,
        )
        return run.partial

    @property
    def _hides_values(self) -> bool:
        return self.flows is not None and not self.flows.show_results

    def _run_of(self, ctx: RunContext[AgentDepsT]) -> RunState:
        # The end of a run that uses the toolset without a copy is unknown.
        return self.run or self._unbound.of(ctx.run_id, lambda: self._new_run(ctx, ends=False))

    def _new_run(self, ctx: RunContext[AgentDepsT], *, ends: bool = True) -> RunState:
        # Not `or`: an empty `ResultShapes` is false.
        seen = _lazy.ResultShapes() if self.result_shapes is None else self.result_shapes
        result_shapes, sessions = seen if self.show_result_shapes else None, self.sessions
        owner = None if sessions is None else sessions.owner_of(ctx)
        persistence = None
        if sessions is not None and owner is not None:
            from .sessions.session_persistence import SessionPersistence
            from .sessions.session_store import session_store

            store = session_store(owner, sessions, self.snapshots)
            persistence = SessionPersistence(sessions, store, locks=ends)
        saved = None
        if self.functions is not None:
            from .sessions.functions_in_run import FunctionsInRun

            saved = FunctionsInRun(self.functions.of_run(ctx))
        files = None if self.files is None else partial(self.files.of_run, ctx)
        run = _lazy.RunState(
            self.sandbox or _lazy.Sandbox.shared(),
            self.limits,
            result_shapes,
            persistence=persistence,
            saved=saved,
            owners=self._owners(ctx),
            host_files=files,
            stepped=stepped(ctx, self),
        )
        if self.plan_writes or any(rule.plan_writes for rule in self.rules):
            from toolscript_sandbox import HostClock

            from .plans.planning import Planner

            run.planner = Planner(
                self.plan_writes,
                HostClock(),
                run.preview_session,
                seen,
                handles_files=self.files is not None and self.files.scratch is not None,
            )
        return run

    def _owners(self, ctx: RunContext[AgentDepsT]) -> list[str]:
        """Return the owners that the application names for a run. Its state and results are theirs alone."""
        asked = (
            None if self.sessions is None else self.sessions.owner,
            None if self.functions is None else self.functions.owner,
            None if self.files is None else self.files.owner,
        )
        return [str(owner(ctx)) for owner in asked if owner is not None]


def _found_last(
    tools: Mapping[str, ToolsetTool[AgentDepsT]], step: Step[AgentDepsT]
) -> dict[str, ToolsetTool[AgentDepsT]]:
    """Return the tools, found ones last: on wires that list those plainly, all before them stays unchanged."""
    search = step.functions.search
    if search is None:
        return dict(tools)
    deferred = search.deferred
    late = {name: tool for name, tool in tools.items() if name in deferred}
    return {**{name: tool for name, tool in tools.items() if name not in deferred}, **late}


def _as_list(
    instructions: str | InstructionPart | Sequence[str | InstructionPart] | None,
) -> Sequence[str | InstructionPart]:
    if instructions is None:
        return []
    return [instructions] if isinstance(instructions, str | InstructionPart) else instructions


_NO_CODE_TOOLS = (
    'CodeModeToolset wraps no tool that code may call, so there is no run_code. Add tools to it, or mark some '
    "with allowed_callers='code'."
)
_UNDONE = 'The script ended with an error, so what it changed was undone, the latest first:'
