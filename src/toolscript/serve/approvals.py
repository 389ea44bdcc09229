"""Asks a client's user for approvals while a script runs."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mcp_types import ClientCapabilities, ElicitationCapability, ElicitResult
from pydantic import ValidationError
from pydantic_ai import ToolDenied
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from toolscript.approvals.decisions import resolve
from toolscript.approvals.grants import Grant
from toolscript.approvals.pending import PendingCall, pending_calls
from toolscript.approvals.review import CallTooLong

from .events import Request

Ask: TypeAlias = Callable[[str, dict[str, Any]], Awaitable[ElicitResult]]

ASK_SECONDS = 600.0
"""How long to wait for an answer, in seconds."""
_ONCE, _ALL, _NO = 'approve', 'approve all calls of this tool', 'deny'


def _form(*choices: str) -> dict[str, Any]:
    return {
        'type': 'object',
        'properties': {'decision': {'type': 'string', 'title': 'Decision', 'enum': [*choices]}},
        'required': ['decision'],
    }


_FORM, _PLAN_FORM = _form(_ONCE, _ALL, _NO), _form(_ONCE, _NO)
_MORE, _LIMIT = 'more_calls', 'limit'
_GRANT = {
    _MORE: {
        'type': 'integer',
        'title': 'Approve so many more calls of each line that was asked about before',
        'default': 0,
        'minimum': 0,
    },
    _LIMIT: {'type': 'number', 'title': 'in which no number may exceed', 'default': 0},
}


@dataclass
class SessionApprovals:
    granted: set[str] = field(default_factory=set[str])
    """The tools whose calls are all approved."""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _question: asyncio.Timeout | None = None
    """The time limit of the open question."""
    _is_unreadable: bool = False

    def deny_unreadable(self) -> None:
        """Deny the call that the user is asked about: a message that may be the answer could not be read."""
        if self._question is not None:
            self._is_unreadable = True
            self._question.reschedule(0)

    async def decide(self, requests: DeferredToolRequests, ask: Ask | None) -> DeferredToolResults:
        """Ask the user to decide about waiting calls, in order; `ask` is `None` if the client does not support that."""
        calls = pending_calls(requests)
        if ask is not None and any(call.row is not None for call in calls) and len(calls) > 1:
            answers = await self._plan_decisions(calls, ask)
            if answers is not None:
                return resolve(requests, answers)
        decisions: dict[str, object] = {
            call.tool_call_id: await self._decision(call, ask)
            if call.kind == 'approval'
            else ToolFailed(_OUTSIDE.format(tool=call.tool_name))
            for call in calls
        }
        return resolve(requests, decisions)

    async def _plan_decisions(self, calls: list[PendingCall], ask: Ask) -> dict[str, object] | None:
        """Ask the user to decide about all rows of a plan; `None` if they must be decided one by one."""
        from toolscript.plans.rows import plan_text

        if not all(call.row is not None and call.kind == 'approval' for call in calls):
            return None
        try:
            text = plan_text(calls)
        except CallTooLong:
            return None
        async with self._turn:
            if all(call.tool_name in self.granted for call in calls):
                return {call.tool_call_id: True for call in calls}
            decision = await self._answered(ask, f'Approve all of this plan?\n{text}', _offering(_PLAN_FORM, calls))
        if isinstance(decision, ToolDenied):
            return {call.tool_call_id: decision for call in calls}
        return {**{call.tool_call_id: True for call in calls}, **_grants(calls, decision)}

    async def _decision(self, call: PendingCall, ask: Ask | None) -> bool | Grant | ToolDenied:
        if ask is None:
            return ToolDenied(_HOW_TO_ALLOW.format(tool=call.tool_name))
        async with self._turn:
            if call.tool_name in self.granted:
                return True
            try:
                text = call.render()
            except CallTooLong as error:
                return ToolDenied(f'{error} {_OTHER_WAY.format(tool=call.tool_name)}')
            decision = await self._answered(ask, f'Approve this call?\n{text}', _offering(_FORM, [call]))
            if isinstance(decision, ToolDenied):
                return decision
            if decision['decision'] == _ALL:
                self.granted.add(call.tool_name)
                return True
            return _grants([call], decision).get(call.tool_call_id, True)

    async def _answered(self, ask: Ask, text: str, form: dict[str, Any]) -> Mapping[str, Any] | ToolDenied:
        """Return what the user entered in the form, or why nothing is approved."""
        self._is_unreadable = False
        try:
            async with asyncio.timeout(ASK_SECONDS) as self._question:
                answer = await ask(text, form)
        except TimeoutError:
            return ToolDenied(_UNREADABLE if self._is_unreadable else 'nobody answered.')
        except ValidationError:
            return ToolDenied(_UNREADABLE)
        except Exception as error:  # the client may answer anything
            return ToolDenied(f'the client could not ask ({type(error).__name__}: {error}).')
        finally:
            self._question = None
        content = (answer.content or {}) if answer.action == 'accept' else {'decision': _NO}
        if content.get('decision') not in form['properties']['decision']['enum']:
            return ToolDenied(_UNREADABLE)
        return ToolDenied('the user said no.') if content['decision'] == _NO else content


def _offering(form: dict[str, Any], calls: list[PendingCall]) -> dict[str, Any]:
    """Return the form; with the fields of a grant, if a line has been asked about before."""
    is_offered = any(call.row is not None and call.row.asked_before for call in calls)
    return {**form, 'properties': form['properties'] | _GRANT} if is_offered else form


def _grants(calls: list[PendingCall], answer: Mapping[str, Any]) -> dict[str, Grant]:
    """Return a grant for the first row of each line that has been asked about before, if the user wants one."""
    more, limit = answer.get(_MORE), answer.get(_LIMIT)
    grants = dict[tuple[str, int | None], tuple[str, Grant]]()
    if not isinstance(more, int) or isinstance(more, bool) or more < 1 or not isinstance(limit, int | float):
        return {}
    for call in calls:
        if call.row is None or not call.row.asked_before:
            continue
        numbers = [name for name, value in call.args.items() if type(value) in (int, float)]
        grant = Grant(count=more, maximum=dict.fromkeys(numbers, limit))
        with suppress(ValueError):
            grant.check(call)
            grants.setdefault((call.tool_name, call.row.line), (call.tool_call_id, grant))
    return dict(grants.values())


def asker(request: Request) -> Ask | None:
    """Return how to ask the user of the client that sent the request; `None` if that is not possible."""
    session = request.session
    if not session.check_client_capability(ClientCapabilities(elicitation=ElicitationCapability())):
        return None

    async def ask(message: str, form: dict[str, Any]) -> ElicitResult:
        return await session.elicit_form(message, form, related_request_id=request.request_id)

    return ask


_HOW_TO_ALLOW = (
    'it needs an approval, and this client cannot ask its user. Tell the user: to allow it, add to toolscript.toml\n'
    '[[rules]]\ntools = "{tool}"\nrequires_approval = false\nand restart the server, or use a client with elicitation.'
)
_UNREADABLE = 'the answer of the client could not be read, which counts as no.'
_OTHER_WAY = 'The user can also allow all calls of {tool}, with requires_approval = false in toolscript.toml.'
_OUTSIDE = '{tool} needs an external result, which is not available here. Continue without it.'
