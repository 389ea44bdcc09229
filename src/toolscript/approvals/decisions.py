"""The application's decisions about the calls for which scripts wait, and approvals given in advance."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_ai import ModelRetry, ToolReturn, UserError
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied

from toolscript.guards import fields
from toolscript.stored_json import StoredJson
from toolscript.workflows import new_id

from .grants import Grant
from .pending import PausedRequest, PendingCall, call_digest, paused_requests, pending_calls


@dataclass(frozen=True)
class ApproveCalls:
    """Approves a script's calls of one tool: those that wait, and later ones of the same script.

    For loops: one decision instead of one per iteration. It ends with the script; the next script asks again.
    """

    tool_name: str
    at_most: int | None = None
    """How many calls it approves in total; the next one pauses the script again. `None`: all of them."""


_KEY = 'toolscript_decisions'
_WHOLE = 'toolscript_whole'
"""Marks the approval of a call whose code was shown, and none of the calls that its script waits for."""


@dataclass(frozen=True)
class Decisions:
    """What the next run gets for one paused script."""

    snapshot: str
    """The snapshot from the request."""
    results: DeferredToolResults
    """By the ids of the nested calls."""
    shown: dict[str, str]
    """A digest of each decided call as the application saw it: exactly what was approved must run."""
    rules: tuple[ApproveCalls, ...] = ()
    grants: dict[str, Grant] = field(default_factory=dict[str, Grant])
    """By the ids of the calls for which they were given, which have approvals too."""
    denied: ToolDenied | None = None
    """Set if the whole script was denied."""
    id: str = field(default_factory=new_id)
    """The id of these decisions: if they are submitted again after a crash, they count once."""

    def to_metadata(self) -> dict[str, Any]:
        """Return plain JSON for `DeferredToolResults.metadata`."""
        return {_KEY: _json.dump_python(self)}

    @classmethod
    def from_metadata(cls, metadata: object) -> 'Decisions | None':
        """Return the decisions in a call's metadata, if any. Raises `UserError` if `resolve` did not write them."""
        found = fields(metadata).get(_KEY)
        if found is None:
            return None
        try:
            return _json.load_python(found)
        except ValidationError as error:
            raise UserError(
                f'The decisions about a script cannot be read, so nothing was run: {error}. Build them with '
                'toolscript.resolve(requests, decisions).'
            ) from error

    @staticmethod
    def are_about_code(metadata: object) -> bool:
        """Return whether an approval is about a whole script alone, according to its metadata."""
        return _WHOLE in fields(metadata)

    @classmethod
    def approving(cls, calls: Iterable[PendingCall], snapshot: str) -> 'Decisions':
        """Return an approval of all the calls that wait for one."""
        asked = [call for call in calls if call.kind == 'approval']
        results = DeferredToolResults(approvals={call.tool_call_id: ToolApproved() for call in asked})
        return cls(snapshot, results, {call.tool_call_id: call_digest(call) for call in asked})


def resolve(
    requests: DeferredToolRequests,
    decisions: Mapping[str, object],
    *,
    rules: Iterable[ApproveCalls] = (),
    metadata: Mapping[str, dict[str, Any]] | None = None,
) -> DeferredToolResults:
    """Return the results with which the next run resumes.

    A call without a decision stays pending, and its script pauses again at that call.

    Args:
        requests: The output of the run that paused.
        decisions: By the `tool_call_id` of `pending_calls`. For an approval: `True`, `False`, `ToolApproved` (with
            other arguments, if it has any), `ToolDenied`, or for a call of a script `Grant`. For an external call: the
            value, a `ToolReturn`, or `ModelRetry`, `ToolFailed` or `ToolDenied`, which the script sees as exceptions.
            Under a `script_id`: `False` or `ToolDenied`, for a whole script.
        rules: Approvals for all of a script's calls of a tool.
        metadata: By `tool_call_id`: what the tool gets as its `RunContext.tool_call_metadata`.

    Raises:
        ValueError: A decision is for a call that does not wait, or its call cannot take it.
    """
    pending = {call.tool_call_id: call for call in pending_calls(requests)}
    scripts = paused_requests(requests)
    known = {*pending, *(script.run_code_id for script in scripts)}
    unknown = [call_id for call_id in (*decisions, *(metadata or {})) if call_id not in known]
    if unknown:
        raise ValueError(f'No pending call has the id {unknown[0]!r}. Pending calls: {", ".join(pending) or "none"}.')
    direct = [call for call in pending.values() if call.script_id is None]
    results = _results(direct, decisions, metadata or {})
    for call in direct:
        if call.tool_call_id in results.approvals and isinstance(call.args.get('code'), str):
            results.metadata[call.tool_call_id] = {**results.metadata.get(call.tool_call_id, {}), _WHOLE: True}
    for script in scripts:
        results.approvals[script.run_code_id] = True
        results.metadata[script.run_code_id] = _for_script(
            script, decisions, tuple(rules), metadata or {}
        ).to_metadata()
    return results


def _for_script(
    script: PausedRequest,
    decisions: Mapping[str, object],
    rules: tuple[ApproveCalls, ...],
    metadata: Mapping[str, dict[str, Any]],
) -> Decisions:
    shown = {call.tool_call_id: call_digest(call) for call in script.calls}
    denied = _denial(script, decisions.get(script.run_code_id))
    grants = dict[str, Grant]()
    for call in script.calls:
        if isinstance(decision := decisions.get(call.tool_call_id), Grant) and call.kind == 'approval':
            decision.check(call)
            grants[call.tool_call_id] = decision
    approved = {**decisions, **dict.fromkeys(grants, True)}
    return Decisions(script.snapshot, _results(script.calls, approved, metadata), shown, rules, grants, denied)


def _denial(script: PausedRequest, decision: object) -> ToolDenied | None:
    match decision:
        case None:
            return None
        case False:
            return ToolDenied()
        case ToolDenied():
            return decision
        case _:
            calls = ', '.join(call.tool_call_id for call in script.calls) or 'none'
            raise ValueError(
                f'{script.run_code_id} is a script. Deny it with False or ToolDenied, or decide about its calls ('
                f'{calls}); got {decision!r}.'
            )


def _results(
    calls: Iterable[PendingCall], decisions: Mapping[str, object], metadata: Mapping[str, dict[str, Any]]
) -> DeferredToolResults:
    results = DeferredToolResults()
    for call in calls:
        if call.tool_call_id in metadata:
            results.metadata[call.tool_call_id] = metadata[call.tool_call_id]
        if call.tool_call_id in decisions:
            _add(results, call, decisions[call.tool_call_id])
    return results


def _add(results: DeferredToolResults, call: PendingCall, decision: object) -> None:
    match call.kind, decision:
        case 'approval', bool() | ToolApproved() | ToolDenied():
            results.approvals[call.tool_call_id] = decision
        case 'approval', _:
            raise ValueError(
                f'{call.tool_call_id} ({call.tool_name}) needs an approval: use True, False, ToolApproved or '
                f'ToolDenied, not {decision!r}.'
            )
        case _, ToolApproved():
            raise ValueError(f'{call.tool_call_id} ({call.tool_name}) needs a result, not an approval.')
        case _, ToolDenied() if call.script_id is not None:
            results.approvals[call.tool_call_id] = decision
        case _, ToolDenied():
            results.calls[call.tool_call_id] = ToolFailed(decision.message)
        case _, ModelRetry() | ToolFailed():
            results.calls[call.tool_call_id] = decision
        case _, BaseException():
            raise ValueError(
                f'{call.tool_call_id} ({call.tool_name}) needs a result, and {decision!r} is not one. If there is '
                'none, use ModelRetry, ToolFailed or ToolDenied.'
            )
        case _, ToolReturn():
            results.calls[call.tool_call_id] = decision
        case _:
            results.calls[call.tool_call_id] = ToolReturn(decision)


_json = StoredJson(Decisions)
