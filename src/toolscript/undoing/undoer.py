"""Lists the changes of scripts that can be undone, and undoes each at most once.

The store records before each inverse call that it starts, and afterwards its outcome. If an inverse has started and has
no outcome, a process does not call it again, unless its tool may run again or a person decides so.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, Generic

from opentelemetry import trace
from pydantic_ai import RunContext, UserError
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.tools import AgentDepsT, ToolDefinition, ToolDenied
from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from toolscript.durability.changes import Change, Changes
from toolscript.durability.sealed_store import SealedStore, StoreWriter, key_of
from toolscript.durability.snapshots import Snapshots
from toolscript.guards import is_array, is_object
from toolscript.observability.events import EventBuffer, ScriptUndoEvent
from toolscript.observability.script_calls import ScriptCall
from toolscript.results.tool_errors import (
    UNKNOWN_OUTCOMES,
    ToolErrors,
    denied,
    expected_error,
    report,
    unexpected_error,
)
from toolscript.routing.effects import may_run_again
from toolscript.routing.inverses import Inverse, Undo, inverse_of
from toolscript.routing.placement import SAVE_FUNCTION
from toolscript.run_code.functions import CodeFunctions
from toolscript.scripts.tools import CodeToolset, NamedTools, with_tool_hooks

from .report import UndoCall, UndoReport, UndoStatus

_logger = logging.getLogger('toolscript.tools')


class CannotUndo(Exception):
    """A change cannot be undone; the message says why."""


@dataclass(frozen=True)
class InverseCall:
    tool_name: str
    args: dict[str, Any]


def inverse_call(change: Change, tool_def: ToolDefinition | None, tools: Collection[str]) -> InverseCall:
    """Return the call that undoes a change of `tool_def`, which may be gone. Raises `CannotUndo` if there is none."""
    name = change.tool_name
    if change.status == 'started':
        raise CannotUndo('Its outcome is unknown. See whether it changed anything, and undo that yourself.')
    if change.error:
        raise CannotUndo(f'Its result is not on record: {change.error}')
    if tool_def is None:
        raise CannotUndo(f'There is no tool {name} any more.')
    inverse = inverse_of(tool_def)
    if name == SAVE_FUNCTION:
        raise CannotUndo('The application can remove the function, with the methods of SavedFunctions.')
    if inverse is None:
        raise CannotUndo(f'{name} does not say how to undo it; give the tool, or a rule for it, undo=.')
    undo = _undo(change, inverse)
    prefix = name.removesuffix(inverse.own_name) if name.endswith(inverse.own_name) else ''
    found = next((one for one in (f'{prefix}{undo.tool}', undo.tool) if one in tools), None)
    if found is None:
        raise CannotUndo(f'There is no tool {undo.tool}, which would undo it.')
    values = {argument: _value(argument, value, change) for argument, value in undo.arguments.items()}
    try:
        return InverseCall(found, to_jsonable_python(values))
    except PydanticSerializationError as error:
        raise CannotUndo(f'The arguments of {undo.tool} are no JSON: {error}') from error


def _undo(change: Change, inverse: Inverse) -> Undo:
    how, name = inverse.how, change.tool_name
    if how == 'none':
        raise CannotUndo(f"{name} has undo='none'.")
    if isinstance(how, Undo):
        return how
    call = ScriptCall(
        tool_call_id=change.tool_call_id,
        tool_name=name,
        function=name,
        status='finished',
        arguments=change.arguments,
        result=change.result,
    )
    try:
        undo = how(call, change.result)
    except Exception as error:
        _logger.error('the undo function of %s failed', name, exc_info=error)
        raise CannotUndo(f'The undo function of {name} raised {type(error).__name__}; the log has more.') from error
    if undo is None:
        raise CannotUndo(f'The undo function of {name} returned None for it.')
    if not isinstance(undo, Undo):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CannotUndo(f'The undo function of {name} returned {type(undo).__name__}; it must return Undo(...).')
    return undo


def _value(argument: str, template: Any, change: Change) -> Any:
    """Return the value of an argument. Braces count only in what the developer wrote, never in a tool's result."""
    if template is ...:
        for source in (change.result, change.arguments):
            if is_object(source) and argument in source:
                return source[argument]
        raise CannotUndo(f'Neither its result nor its arguments have {argument!r}.')
    if not isinstance(template, str) or not template.startswith('{') or not template.endswith('}'):
        return template
    first, *path = template[1:-1].split('.')
    sources: Mapping[str, Any] = {'result': change.result, 'call': change.arguments}
    if first not in sources:
        return template
    value: Any = sources[first]
    for step in path:
        if is_object(value) and step in value:
            value = value[step]
        elif is_array(value) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            raise CannotUndo(f'There is no {template[1:-1]}.')
    return value


@dataclass(frozen=True, kw_only=True)
class Undoer(Generic[AgentDepsT]):
    """Undoes scripts of one owner with the tools of one step."""

    functions: CodeFunctions[AgentDepsT]
    """All tools, including those that only the model may call."""
    ctx: RunContext[AgentDepsT]
    snapshots: Snapshots
    owners: Sequence[str]
    tool_errors: ToolErrors = 'message'
    """What the report says about an unexpected exception of a tool."""

    async def listed(self, script_id: str, conversation_id: str | None) -> UndoReport:
        """Return what can be undone of a script, latest change first."""
        changes = self._changes(script_id)
        return UndoReport(calls=tuple(map(self._shown, await _read(changes, conversation_id))))

    async def commit(
        self,
        script_id: str,
        conversation_id: str | None,
        *,
        decisions: Mapping[str, bool] | None = None,
        approved: bool = False,
        shown: UndoReport | None = None,
        holds_lock: bool = False,
    ) -> tuple[UndoReport, dict[str, str]]:
        """Undo what can be undone of a script, latest change first.

        Args:
            script_id: The script.
            conversation_id: The conversation of the script, if known.
            decisions: By `UndoCall.tool_call_id`: `False` leaves a change as it is; `True` approves its inverse, and
                calls it once more if its outcome is unknown.
            approved: Whether all inverses are approved.
            shown: A list; if there is a change that is not in it, nothing is undone and the new list is returned.
            holds_lock: Whether the caller has locked the script.

        Returns:
            The report, and the ids of the calls that are undone, by the places of the changes.

        Raises:
            UserError: As `listed`.
            ScriptLocked: The script is running, or another task or process is undoing it.
        """
        changes, decided = self._changes(script_id), decisions or {}
        known = await _read(changes, conversation_id)
        if not known:
            return UndoReport(), {}
        async with AsyncExitStack() as stack:
            if not holds_lock:
                await stack.enter_async_context(changes.writer.store.locked(known[0].script))
                known = await _read(changes, conversation_id)
            listed = UndoReport(calls=tuple(map(self._shown, known)))
            if shown is not None and not shown.covers(listed):
                return listed, {}
            calls = _InverseCalls(self, changes)
            done = [await self._undone(one, calls, decided.get(one.tool_call_id), approved) for one in known]
            for call in done:
                await self._send_event(script_id, call)
        return UndoReport(calls=tuple(done)), {one.place: one.tool_call_id for one in calls.ended if one.undo == 'done'}

    async def ask(self, listed: UndoReport) -> None:
        """Save the list that the current call shows to a person."""
        place, writer = self._question, self._changes('').writer
        await writer.put(place, self.snapshots.seal(place, to_json(listed.to_json())))

    async def asked(self) -> UndoReport:
        """Return the list that a person saw before the call was approved; an empty one if there is none."""
        content = await self._changes('').writer.store.load(self._question)
        return UndoReport() if content is None else UndoReport.from_json(from_json(content))

    @property
    def _question(self) -> str:
        return key_of('undo', self.ctx.tool_call_id, self.ctx.conversation_id, *self.owners)

    async def _undone(
        self, change: Change, calls: '_InverseCalls[AgentDepsT]', decision: bool | None, approved: bool
    ) -> UndoCall:
        shown = self._shown(change)
        if shown.status == 'undone':
            calls.ended.append(change)
        again = shown.status == 'unknown' and (decision is True or self._may_run_again(shown.undo_tool_name))
        if decision is False or not (again or shown.status in ('can', 'failed')):
            return shown
        assert shown.undo_tool_name is not None
        inverse = InverseCall(shown.undo_tool_name, shown.undo_args or {})
        ended = await calls.make(change, inverse, approved=approved or decision is True)
        return replace(shown, status='waits') if ended is None else self._shown(ended)

    async def _send_event(self, script_id: str, call: UndoCall) -> None:
        if call.undo_tool_name is None or call.status not in ('undone', 'failed', 'unknown'):
            return
        event = ScriptUndoEvent(
            tool_call_id=script_id,
            tool_name=call.tool_name,
            call_id=call.tool_call_id,
            undo_tool_name=call.undo_tool_name,
            status=call.status,
            error=call.reason or None,
        )
        await EventBuffer(self.ctx).send(event)

    def _shown(self, change: Change) -> UndoCall:
        call = UndoCall(
            tool_call_id=change.tool_call_id, tool_name=change.tool_name, args=change.arguments, status='cannot'
        )
        try:
            inverse = inverse_call(change, self._tool_def(change.tool_name), self.functions.tools.keys())
        except CannotUndo as error:
            return replace(call, reason=str(error)) if change.undo != 'done' else replace(call, status='undone')
        status = _STATUS[change.undo]
        reason = _UNKNOWN if status == 'unknown' else change.undo_error
        return replace(call, status=status, reason=reason, undo_tool_name=inverse.tool_name, undo_args=inverse.args)

    def _may_run_again(self, name: str | None) -> bool:
        tool_def = None if name is None else self._tool_def(name)
        return tool_def is not None and may_run_again(tool_def)

    def _tool_def(self, name: str) -> ToolDefinition | None:
        found = self.functions.tools.get(name)
        return None if found is None else found.tool.tool_def

    def _changes(self, script_id: str) -> Changes:
        if self.snapshots.store is None:
            raise UserError(_NO_STORE)
        return Changes(StoreWriter(SealedStore(self.snapshots, self.snapshots.store)), script_id, self.owners)


async def _read(changes: Changes, conversation_id: str | None) -> list[Change]:
    """Return the changes of the latest script, latest first."""
    known = [one for one in await changes.read() if conversation_id in (None, one.conversation_id)]
    if len({one.conversation_id for one in known}) > 1:
        raise UserError(f'Scripts of several conversations have the id {changes.script_id}; pass conversation_id=.')
    # Some models count the ids of their calls from zero in each turn.
    return [one for one in reversed(known) if one.script == known[-1].script and one.status != 'none']


class _InverseCalls(Generic[AgentDepsT]):
    """Makes inverse calls, with the validation, hooks, approvals and spans of direct calls."""

    def __init__(self, undoer: Undoer[AgentDepsT], changes: Changes) -> None:
        ctx = undoer.ctx
        self.ended = list[Change]()
        self._undoer, self._changes = undoer, changes
        self._named = NamedTools(undoer.functions, ctx.max_retries)
        self._manager = ToolManager(
            toolset=CodeToolset(undoer.functions, self._started),
            root_capability=with_tool_hooks(ctx.root_capability),
            ctx=replace(ctx, retries={}),
            tools=self._named,
        )

    async def make(self, change: Change, inverse: InverseCall, *, approved: bool) -> Change | None:
        """Make an inverse call. Returns the updated change; `None` if the inverse waits for an approval."""
        part = ToolCallPart(inverse.tool_name, inverse.args, f'{change.tool_call_id}__undo')
        self._named.add(inverse.tool_name)
        self._change, self._reached = change, False
        try:
            given = await self._manager.handle_call(part, approved=approved, wrap_validation_errors=False)
            if isinstance(given, ToolDenied):
                raise denied(inverse.tool_name, given)
            ended = replace(change, undo='done', undo_error='')
        except (ApprovalRequired, CallDeferred):
            if self._reached:
                await self._changes.save(change)
            return None
        except Exception as error:
            ended = self._failed(change, part, error)
        await self._changes.save(ended)
        self.ended.append(ended)
        return ended

    async def _started(self, _: str | None) -> None:
        """Record, just before the tool is called, that the inverse starts."""
        await self._changes.save(replace(self._change, undo='started', undo_error=''))
        self._reached = True

    def _failed(self, change: Change, part: ToolCallPart, error: Exception) -> Change:
        meant = expected_error(part.tool_name, error)
        if meant is None:
            reference = report(part.tool_name, error, self._undoer.ctx, part.tool_call_id, trace.get_current_span())
            with_message = self._undoer.tool_errors == 'message'
            meant = unexpected_error(part.tool_name, error, reference, with_message=with_message)
        # A tool that was stopped may have taken effect.
        is_known = meant.type_name not in UNKNOWN_OUTCOMES or not self._reached
        return replace(
            change, undo='failed' if is_known else 'started', undo_error=f'{meant.type_name}: {meant.message}'
        )


_STATUS: Mapping[str, UndoStatus] = {'': 'can', 'started': 'unknown', 'done': 'undone', 'failed': 'failed'}
_UNKNOWN = (
    'The inverse started and its outcome is unknown. See whether it was made; if not, decisions={id: True} makes it.'
)
_NO_STORE = 'Undo needs a record of calls: pass Snapshots(store=...) to code mode.'
