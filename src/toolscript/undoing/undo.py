"""Undoing scripts from outside of their runs."""

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

from toolscript.guards import fields
from toolscript.observability.script_calls import UNDONE_KEY
from toolscript.routing.placement import listed_as
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
    """List what can be undone of scripts, the latest change first; with `commit`, undo it.

    Each inverse is called through the agent's own tools, with validation, hooks and approvals, and at most once,
    whatever dies meanwhile. What failed can be tried again with the same call. The messages of the target say
    afterwards which calls are undone.

    Args:
        target: A result, a run or a message history, all of whose scripts are meant; or the id of a `run_code` call.
        agent: The agent whose scripts they are. Its model is not called.
        deps: The agent's dependencies. Owners that `Sessions(owner=...)` and the like name for them have to be those
            of the scripts.
        commit: Whether to undo anything. With an earlier report, nothing is undone, and the new list returned, if
            there is a change that the report does not have.
        decisions: By `UndoCall.tool_call_id`: `False` leaves a change as it is; `True` approves an inverse that waits
            for it, and makes one whose outcome is unknown once more.
        conversation_id: The conversation of a script that is named by its id, where ids repeat.

    Raises:
        UserError: The agent has no code mode, or that has no store; or the store failed.
        ScriptLocked: The script runs, or another task or process undoes it.
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
    """Code mode, as far as it undoes scripts."""

    def undoer(self, tool: RunCodeTool[Any], ctx: RunContext[Any], /) -> Undoer[Any]:
        """What undoes scripts of the run's owner."""
        ...


@dataclass(frozen=True)
class _Scripts:
    """The scripts to undo."""

    ids: Mapping[str, str | None]
    """The names of their tools, where they are known, by their ids, the first one first."""
    conversation_id: str | None
    messages: Sequence[ModelMessage] = ()

    def mark(self, undone: Sequence[str]) -> None:
        """Have the messages say which of their calls are undone."""
        returns = [part for message in self.messages for part in message.parts if isinstance(part, ToolReturnPart)]
        by_script = {part.tool_call_id: part for part in returns}
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
    # A script that resumed and failed has only what the model read of that, for which versions have several parts.
    named = ((getattr(part, 'tool_call_id', None), getattr(part, 'tool_name', None)) for part in parts)
    return {call_id: name for call_id, name in named if isinstance(call_id, str) and isinstance(name, str)}


@dataclass
class _InRun(AbstractCapability[AgentDepsT]):
    """Undoes scripts in place of the first request to the model: that is when the agent's tools are ready."""

    scripts: _Scripts
    commit: bool | UndoReport = field(kw_only=True)
    decisions: Mapping[str, bool] | None = field(kw_only=True)
    reports: list[UndoReport] = field(default_factory=list[UndoReport])
    error: Exception | None = None
    is_done: bool = False

    async def wrap_model_request(
        self,
        ctx: RunContext[AgentDepsT],
        *,
        request_context: ModelRequestContext,
        handler: WrapModelRequestHandler,
    ) -> ModelResponse:
        """Undo the scripts."""
        try:
            await self._undo(ctx)
        except Exception as error:  # hooks for errors of models have no say in it
            self.error = error
        self.is_done = True
        self.scripts.mark([call.tool_call_id for report in self.reports for call in report.having('undone')])
        return ModelResponse([TextPart('Done.')])

    async def _undo(self, ctx: RunContext[AgentDepsT]) -> None:
        tools = {} if ctx.tool_manager is None else ctx.tool_manager.tools or {}
        found = {name: one for name, listed in tools.items() if (one := listed_as(listed, RunCodeTool)) is not None}
        name, tool = next(iter(found.items()), ('', None))
        if tool is None or not isinstance(tool.owner, Undoing):
            raise UserError('There is no code mode here; name the agent or CodeModeToolset whose script it is.')
        undoer, conversation_id = tool.owner.undoer(tool, ctx), self.scripts.conversation_id
        shown = self.commit if isinstance(self.commit, UndoReport) else None
        script_ids = [one for one, made_by in self.scripts.ids.items() if made_by in (None, name)][::-1]
        if shown is not None or not self.commit:
            self.reports = [await undoer.listed(one, conversation_id) for one in script_ids]
        if self.commit is not False and (shown is None or shown.covers(joined(self.reports))):
            done = [
                await undoer.commit(one, conversation_id, decisions=self.decisions, shown=shown) for one in script_ids
            ]
            self.reports = [report for report, _ in done]
