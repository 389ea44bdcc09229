"""Undoes scripts from outside their runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

from pydantic_ai import AgentRun, AgentRunResult, ModelMessage, RunContext, UserError
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.capabilities import AbstractCapability, WrapModelRequestHandler
from pydantic_ai.messages import ModelResponse, TextPart, ToolReturnPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import AgentDepsT

from toolscript.guards import fields, parts_of
from toolscript.observability.script_calls import UNDONE_KEY
from toolscript.routing.placement import listed_among, listed_tools
from toolscript.run_code.tool import RunCodeTool

from .report import UndoReport, joined
from .undoer import Undoer

UndoTarget: TypeAlias = 'str | AgentRunResult[Any] | AgentRun[Any, Any] | Sequence[ModelMessage]'


async def undo(
    target: UndoTarget,
    agent: AbstractAgent[AgentDepsT, Any],
    *,
    deps: AgentDepsT = None,
    commit: bool | UndoReport = False,
    decisions: Mapping[str, bool] | None = None,
    conversation_id: str | None = None,
) -> UndoReport:
    """List what can be undone of scripts, latest change first; with `commit`, undo it.

    Each inverse is called through the agent's own tools, with validation, hooks and approvals, and at most once, even
    if the process dies. Failed inverses can be tried again with the same call. Afterwards, the messages of the target
    record which calls are undone.

    Args:
        target: A result, a run or a message history, for all of its scripts; or the id of a `run_code` call.
        agent: The agent of the scripts. Its model is not called.
        deps: The agent's dependencies. The owners that `Sessions(owner=...)` and similar settings return for them must
            be those of the scripts.
        commit: Whether to undo anything. If it is an earlier report and there is a change that is not in it, nothing is
            undone and the new list is returned.
        decisions: By `UndoCall.tool_call_id`: `False` leaves a change as it is; `True` approves a waiting inverse, and
            repeats one whose outcome is unknown.
        conversation_id: The conversation of a script that is given by its id, if ids are not unique.

    Raises:
        UserError: The agent has no code mode, or its code mode has no store; or the store failed.
        ScriptLocked: The script is running, or another task or process is undoing it.
    """
    of = _Scripts.of(target, conversation_id)
    inside = _InRun[AgentDepsT](of, commit=commit, decisions=decisions)
    async with agent.iter('Undo.', deps=deps, model=TestModel(), capabilities=[inside]) as run:
        async for _ in run:
            if inside.is_done:
                break
    if inside.error is not None:
        raise inside.error
    if not inside.is_done:
        raise UserError(
            'A capability of the agent answered in place of its model, so nothing was undone; leave it out.'
        )
    return joined(inside.reports)


@runtime_checkable
class Undoing(Protocol):
    """Code mode, as needed to undo scripts."""

    def undoer(self, tool: RunCodeTool[Any], ctx: RunContext[Any], /) -> Undoer[Any]: ...


@dataclass(frozen=True)
class _Scripts:
    ids: Mapping[str, str | None]
    """The names of their tools, if known, by script id, oldest script first."""
    conversation_id: str | None
    messages: Sequence[ModelMessage] = ()

    def mark(self, undone: Sequence[str]) -> None:
        by_script = {part.tool_call_id: part for part in parts_of(self.messages, ToolReturnPart)}
        for script_id, part in by_script.items():
            own = [call_id for call_id in undone if call_id.rpartition('__')[0] == script_id]
            part.metadata = {**fields(part.metadata), UNDONE_KEY: own} if own else part.metadata

    @classmethod
    def of(cls, target: UndoTarget, conversation_id: str | None) -> '_Scripts':
        match target:
            case str():
                return cls({target: None}, conversation_id)
            case AgentRunResult() | AgentRun():
                messages = target.new_messages()
                return cls(_ids(messages), target.conversation_id, messages)
            case _:
                return cls(_ids(target), target[-1].conversation_id if target else None, target)


def _ids(messages: Iterable[ModelMessage]) -> dict[str, str | None]:
    parts = (part for message in messages for part in message.parts)
    # A script that resumed and failed left only what the model read, which some versions split into several parts.
    named = ((getattr(part, 'tool_call_id', None), getattr(part, 'tool_name', None)) for part in parts)
    return {call_id: name for call_id, name in named if isinstance(call_id, str) and isinstance(name, str)}


@dataclass
class _InRun(AbstractCapability[AgentDepsT]):
    """Undoes scripts instead of the first request to the model, because the agent's tools are ready then."""

    scripts: _Scripts
    commit: bool | UndoReport = field(kw_only=True)
    decisions: Mapping[str, bool] | None = field(kw_only=True)
    reports: list[UndoReport] = field(default_factory=list[UndoReport])
    error: Exception | None = None
    is_done: bool = False

    async def wrap_model_request(
        self, ctx: RunContext[AgentDepsT], *, request_context: ModelRequestContext, handler: WrapModelRequestHandler
    ) -> ModelResponse:
        try:
            await self._undo(ctx)
        except Exception as error:  # error handlers for models must not see it
            self.error = error
        self.is_done = True
        self.scripts.mark([call.tool_call_id for report in self.reports for call in report.having('undone')])
        return ModelResponse([TextPart('Done.')])

    async def _undo(self, ctx: RunContext[AgentDepsT]) -> None:
        name, tool = next(iter(listed_among(listed_tools(ctx), RunCodeTool).items()), ('', None))
        if tool is None or not isinstance(tool.owner, Undoing):
            raise UserError('There is no code mode here; name the agent or CodeModeToolset whose script it is.')
        undoer, conversation_id = tool.owner.undoer(tool, ctx), self.scripts.conversation_id
        shown = self.commit if isinstance(self.commit, UndoReport) else None
        script_ids = [one for one, made_by in self.scripts.ids.items() if made_by in (None, name)][::-1]
        if shown is not None or not self.commit:
            self.reports = [await undoer.listed(one, conversation_id) for one in script_ids]
        if self.commit is not False and (shown is None or shown.covers(joined(self.reports))):
            self.reports = []
            for one in script_ids:
                # If a later script is locked, the messages still record what was undone before it.
                report, _ = await undoer.commit(one, conversation_id, decisions=self.decisions, shown=shown)
                self.reports.append(report)
