"""What the calls of one script were given, gave and took."""

from dataclasses import dataclass, field
from typing import Any

from .glimpse import FLAT, FLAT_CHARS, MOST_CHARS, glimpse
from .script_call import Decision

ROOM = 200_000
"""About how many characters of JSON are kept of one script."""


@dataclass
class Logged:
    """One call."""

    tool_name: str
    arguments: dict[str, Any]
    result: Any = None
    truncated: bool = False
    seconds: float | None = None
    decision: Decision | None = None
    reused: bool = False
    speculative: bool = False


@dataclass
class CallLog:
    """All calls, by number. However many they are and whatever they give, it stays small."""

    calls: dict[int, Logged] = field(default_factory=dict[int, Logged])
    room: int = ROOM
    stdout_chars: int = 0
    """How many characters of what it printed were told."""

    def begins(self, number: int, tool_name: str, arguments: dict[str, Any]) -> Logged:
        """A call starts, perhaps not for the first time."""
        self.calls[number] = Logged(tool_name, self._shown(arguments))
        return self.calls[number]

    def decided(self, logged: Logged, decision: Decision, arguments: dict[str, Any] | None) -> None:
        """Somebody decided about it, and perhaps gave it other arguments."""
        logged.decision = decision
        if arguments is not None:
            logged.arguments = self._shown(arguments)

    def gives(self, logged: Logged, value: Any) -> None:
        """It has ended with this."""
        logged.result, logged.truncated = self._kept(value)

    def _shown(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {name: self._kept(value)[0] for name, value in arguments.items()}

    def _kept(self, value: Any) -> tuple[Any, bool]:
        if type(value) in FLAT and self.room >= FLAT_CHARS:
            self.room -= FLAT_CHARS
            return value, False
        seen = glimpse(value, min(MOST_CHARS, self.room))
        self.room -= min(self.room, seen.chars)
        return seen.value, seen.truncated
