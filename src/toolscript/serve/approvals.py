"""Asking a client's user for approvals, in the middle of a script."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mcp_types import ClientCapabilities, ElicitationCapability, ElicitResult
from pydantic_ai import RunContext, ToolDenied
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from toolscript.approvals.decisions import resolve
from toolscript.approvals.pending import PendingCall, pending_calls
from toolscript.approvals.review import CallTooLong

from .events import Request

Ask: TypeAlias = Callable[[str, dict[str, Any]], Awaitable[ElicitResult]]

ASK_SECONDS = 600.0
"""How long an answer is waited for."""
_ONCE, _ALL, _NO = 'approve', 'approve all calls of this tool', 'deny'
_FORM = {
    'type': 'object',
    'properties': {'decision': {'type': 'string', 'title': 'Decision', 'enum': [_ONCE, _ALL, _NO]}},
    'required': ['decision'],
}


@dataclass
class Approvals:
    """The approvals of one client's session."""

    granted: set[str] = field(default_factory=set[str])
    """Tools all of whose calls are approved."""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def decide(self, requests: DeferredToolRequests, ask: Ask | None) -> DeferredToolResults:
        """What the user decides about calls that wait, one after the other.

        Args:
            requests: The calls.
            ask: Shows the user a message and a form; `None` where the client cannot.
        """
        decisions: dict[str, object] = {
            call.tool_call_id: await self._decision(call, ask)
            if call.kind == 'approval'
            else ToolFailed(_OUTSIDE.format(tool=call.tool_name))
            for call in pending_calls(requests)
        }
        return resolve(requests, decisions)

    async def _decision(self, call: PendingCall, ask: Ask | None) -> bool | ToolDenied:
        if ask is None:
            return ToolDenied(_HOW_TO_ALLOW.format(tool=call.tool_name))
        async with self._turn:
            if call.tool_name in self.granted:
                return True
            try:
                async with asyncio.timeout(ASK_SECONDS):
                    answer = await ask(f'Approve this call?\n{call.render()}', _FORM)
            except CallTooLong as error:
                return ToolDenied(f'{error} {_OTHER_WAY.format(tool=call.tool_name)}')
            except TimeoutError:
                return ToolDenied('nobody answered.')
            except Exception as error:  # the client may answer whatever it likes
                return ToolDenied(f'the client could not ask ({type(error).__name__}: {error}).')
            decision = (answer.content or {}).get('decision') if answer.action == 'accept' else None
            if decision == _ALL:
                self.granted.add(call.tool_name)
            return True if decision in (_ONCE, _ALL) else ToolDenied('the user said no.')


def asker(request: Request) -> Ask | None:
    """How to ask the user of the client that sent the request; `None` where it cannot."""
    session = request.session
    if not session.check_client_capability(ClientCapabilities(elicitation=ElicitationCapability())):
        return None

    async def ask(message: str, form: dict[str, Any]) -> ElicitResult:
        return await session.elicit_form(message, form, related_request_id=request.request_id)

    return ask


def handler(
    approvals: Approvals, ask: Ask | None
) -> Callable[[RunContext[None], DeferredToolRequests], Awaitable[DeferredToolResults]]:
    """What pydantic-ai calls when a call waits."""

    async def decide(ctx: RunContext[None], requests: DeferredToolRequests) -> DeferredToolResults:
        return await approvals.decide(requests, ask)

    return decide


_HOW_TO_ALLOW = (
    'it needs an approval, and this client cannot ask its user. Tell the user: to allow it, add to toolscript.toml\n'
    '[[rules]]\ntools = "{tool}"\nrequires_approval = false\nand restart the server, or use a client with elicitation.'
)
_OTHER_WAY = 'The user can also allow all calls of {tool}, with requires_approval = false in toolscript.toml.'
_OUTSIDE = '{tool} needs an external result, which is not available here. Continue without it.'
