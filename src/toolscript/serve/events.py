"""Sends a script's events to its client while it runs, as progress notifications and log messages."""

import json
import warnings
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias, get_args

from mcp import MCPDeprecationWarning
from mcp.server.context import ServerRequestContext
from mcp_types import LoggingLevel
from pydantic_ai import CustomEvent, RunContext

from toolscript.observability.events import ScriptCallEvent, ScriptPrintEvent, ScriptResultEvent
from toolscript_signatures import with_visible

Request: TypeAlias = ServerRequestContext[Any, Any]
Listener: TypeAlias = Callable[[CustomEvent], Awaitable[None]]

_LEVELS: tuple[LoggingLevel, ...] = get_args(LoggingLevel)
_MAX_CHARS = 500


@dataclass(repr=False, kw_only=True)
class ServedContext(RunContext[None]):
    """A run context that passes events to a listener, because there is no agent run to carry them."""

    listener: Listener | None = field(default=None, repr=False)

    async def emit(self, event: Any, /) -> Any:
        if self.listener is not None:
            await self.listener(event)
        return event


class Reporter:
    """Sends the events of one request to its client."""

    def __init__(self, request: Request, level: LoggingLevel) -> None:
        self._request = request
        self._level = level
        self._sent = 0

    async def __call__(self, event: CustomEvent) -> None:
        match event:
            case ScriptCallEvent():
                arguments = ', '.join(
                    f'{name}={json.dumps(value, ensure_ascii=False)}' for name, value in event.arguments.items()
                )
                data = {'call': event.tool_name, 'arguments': event.arguments, 'line': event.line}
                await self._send('info', f'{event.tool_name}({arguments})', data)
            case ScriptResultEvent():
                level = 'info' if event.status == 'finished' else 'warning'
                data = {'call': event.tool_name, 'status': event.status, 'seconds': event.seconds}
                await self._send(level, f'{event.tool_name}: {event.error or event.status}', data)
            case ScriptPrintEvent():
                await self._send('info', event.text, {'stdout': event.text})
            case _:
                pass

    async def _send(self, level: LoggingLevel, text: str, data: dict[str, Any]) -> None:
        self._sent += 1
        session = self._request.session
        # Nothing can be sent to a disconnected client; its script is cancelled elsewhere.
        with suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter('ignore', MCPDeprecationWarning)
            await session.report_progress(self._sent, message=with_visible(text)[:_MAX_CHARS])
            if _LEVELS.index(level) >= _LEVELS.index(self._level):
                await session.send_log_message(level, data, 'toolscript', related_request_id=self._request.request_id)  # pyright: ignore[reportDeprecated]
