"""A script's calls and prints, told while they happen."""

import json
import sys
from collections.abc import AsyncIterable
from typing import Any

from pydantic_ai import AgentStreamEvent, RunContext

from toolscript.command.console import remark
from toolscript.observability.events import ScriptCallEvent, ScriptPrintEvent, ScriptResultEvent

_MOST_CHARS = 200
_EVENTS_HAVE = 4_000
"""A print event has no more characters than this: one that has so many may lack some."""


class SeenCalls:
    """Tells calls on stderr, and prints on stdout, as they come."""

    def __init__(self, *, calls: bool = True) -> None:
        self._tells_calls = calls
        self._said: dict[str, str] = {}
        self._printed = ''
        self._lacks_some = False

    async def follow(self, ctx: RunContext[Any], events: AsyncIterable[AgentStreamEvent]) -> None:
        """An `event_stream_handler`."""
        async for event in events:
            match event:
                case ScriptCallEvent() if self._tells_calls:
                    line = '' if event.line is None else f'line {event.line}: '
                    arguments = ', '.join(f'{name}={_short(value)}' for name, value in event.arguments.items())
                    self._said[event.call_id] = f'{event.tool_name}({arguments})'
                    remark(f'{line}{self._said[event.call_id]}')
                case ScriptResultEvent() if self._tells_calls:
                    remark(f'  {_ended(event)}  ({_seconds(event.seconds)}{", reused" if event.reused else ""})')
                case ScriptPrintEvent():
                    self._print(event.text)
                case _:
                    pass

    def finish(self, printed: str) -> None:
        """Write what has been printed and not told so far."""
        sys.stdout.write(printed.removeprefix(self._printed))
        sys.stdout.flush()
        self._printed, self._lacks_some = '', False

    def _print(self, text: str) -> None:
        self._lacks_some = self._lacks_some or len(text) >= _EVENTS_HAVE
        if not self._lacks_some:
            self._printed += text
            sys.stdout.write(text)
            sys.stdout.flush()


def _ended(event: ScriptResultEvent) -> str:
    match event.status:
        case 'finished':
            return f'→ {event.tool_name}: {_short(event.result)}'
        case 'failed':
            return f'✗ {event.tool_name}: {event.error}'
        case 'waiting':
            return f'… {event.tool_name} waits'
        case _:
            return f'? {event.tool_name} was broken off'


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MOST_CHARS else f'{text[:_MOST_CHARS]}…'


def _seconds(seconds: float) -> str:
    return f'{seconds:.1f} s' if seconds >= 1 else f'{seconds * 1000:.0f} ms'
