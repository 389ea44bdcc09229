"""An MCP server's log messages in the program's own log: limited, because a server may send as many as it likes."""

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from toolscript_sandbox import text_of
from toolscript_signatures import with_visible

# The MCP client takes long to import.
if TYPE_CHECKING:
    from fastmcp.client.logging import LogMessage

MOST_MESSAGES = 100
"""The most messages of one server in each window; the others are counted."""
WINDOW_SECONDS = 60.0
MOST_CHARS = 2_000
"""The most characters of one message, which takes one line."""

_LEVELS = {'debug': logging.DEBUG, 'warning': logging.WARNING, 'error': logging.ERROR}
_SEVERE = {'critical', 'alert', 'emergency'}
_logger = logging.getLogger('toolscript.servers')


class ServerLog:
    """A `log_handler` of an MCP client that writes to the logger `toolscript.servers`."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._since = clock()
        self._logged = 0
        self._left_out = 0

    async def __call__(self, message: 'LogMessage') -> None:
        if self._clock() - self._since >= WINDOW_SECONDS:
            self._begin_window()
        self._logged += 1
        if self._logged <= MOST_MESSAGES:
            _logger.log(_level(message.level), 'the MCP server %r says: %s', self._name, _line(message.data))
            return
        if not self._left_out:
            text = 'the MCP server %r logs more than %d messages in %g s; further ones of that time are only counted'
            _logger.warning(text, self._name, MOST_MESSAGES, WINDOW_SECONDS)
        self._left_out += 1

    def _begin_window(self) -> None:
        if self._left_out:
            _logger.warning('%d messages of the MCP server %r were left out', self._left_out, self._name)
        self._since, self._logged, self._left_out = self._clock(), 0, 0


def _level(name: str) -> int:
    return logging.CRITICAL if name in _SEVERE else _LEVELS.get(name, logging.INFO)


def _line(data: object) -> str:
    return with_visible(' '.join(text_of(data, MOST_CHARS).split()))
