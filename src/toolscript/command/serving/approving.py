"""Asking a client's user for approvals, in the middle of a script."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mcp_types import ClientCapabilities, ElicitationCapability, ElicitResult
from pydantic_ai import RunContext, ToolCallPart, ToolDenied
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from toolscript_signatures import with_visible

from .reporting import Request

Ask: TypeAlias = Callable[[str, dict[str, Any]], Awaitable[ElicitResult]]

ASK_SECONDS = 600.0
"""How long an answer is waited for."""
_MOST_CHARS = 4_000
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
        approvals: dict[str, Any] = {call.tool_call_id: await self._decision(call, ask) for call in requests.approvals}
        outside: dict[str, Any] = {
            call.tool_call_id: ToolFailed(_OUTSIDE.format(tool=call.tool_name)) for call in requests.calls
        }
        return DeferredToolResults(approvals=approvals, calls=outside)

    async def _decision(self, call: ToolCallPart, ask: Ask | None) -> bool | ToolDenied:
        if ask is None:
            return ToolDenied(_HOW_TO_ALLOW.format(tool=call.tool_name))
        async with self._turn:
            if call.tool_name in self.granted:
                return True
            try:
                async with asyncio.timeout(ASK_SECONDS):
                    answer = await ask(_question(call), _FORM)
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


def _question(call: ToolCallPart) -> str:
    arguments = json.dumps(call.args_as_dict(), ensure_ascii=False, indent=2)
    shown = (
        arguments if len(arguments) <= _MOST_CHARS else f'{arguments[:_MOST_CHARS]}\n… ({len(arguments):,} characters)'
    )
    return with_visible(f'Approve this call of {call.tool_name}?\n{shown}')


_HOW_TO_ALLOW = (
    'it needs an approval, and this client cannot ask its user. Tell the user: to allow it, add to toolscript.toml\n'
    '[[rules]]\ntools = "{tool}"\nrequires_approval = false\nand restart the server, or use a client with elicitation.'
)
_OUTSIDE = '{tool} waits for a result from outside, which nobody can give here. Go on without it.'
