"""What a script does, for its client while it does it: as progress, and as log messages."""

import json
import warnings
from contextlib import suppress
from typing import Any, TypeAlias, get_args

from mcp import MCPDeprecationWarning
from mcp.server.context import ServerRequestContext
from mcp_types import LoggingLevel
from pydantic_ai import CustomEvent

from toolscript.observability.events import ScriptCallEvent, ScriptPrintEvent, ScriptResultEvent
from toolscript_signatures import with_visible

Request: TypeAlias = ServerRequestContext[Any, Any]

_LEVELS: tuple[LoggingLevel, ...] = get_args(LoggingLevel)
_MOST_CHARS = 500


class Reporter:
    """Tells the client of one request what happens."""

    def __init__(self, request: Request, level: LoggingLevel) -> None:
        self._request = request
        self._level = level
        self._told = 0

    async def __call__(self, event: CustomEvent) -> None:
        """Tell of an event of the script."""
        match event:
            case ScriptCallEvent():
                text = f'{event.tool_name}({_arguments(event.arguments)})'
                await self._tell(
                    'info', text, {'call': event.tool_name, 'arguments': event.arguments, 'line': event.line}
                )
            case ScriptResultEvent():
                level = 'info' if event.status == 'finished' else 'warning'
                text = f'{event.tool_name}: {event.error or event.status}'
                await self._tell(
                    level, text, {'call': event.tool_name, 'status': event.status, 'seconds': event.seconds}
                )
            case ScriptPrintEvent():
                await self._tell('info', event.text, {'stdout': event.text})
            case _:
                pass

    async def _tell(self, level: LoggingLevel, text: str, data: dict[str, Any]) -> None:
        self._told += 1
        session = self._request.session
        # A client that is gone hears nothing; its script is stopped by others.
        with suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter('ignore', MCPDeprecationWarning)
            await session.report_progress(self._told, message=with_visible(text)[:_MOST_CHARS])
            if _LEVELS.index(level) >= _LEVELS.index(self._level):
                await session.send_log_message(level, data, 'toolscript', related_request_id=self._request.request_id)  # pyright: ignore[reportDeprecated]


def _arguments(arguments: dict[str, Any]) -> str:
    return ', '.join(f'{name}={json.dumps(value, ensure_ascii=False)}' for name, value in arguments.items())
