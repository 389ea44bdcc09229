"""Requests to a hosted embedder that go on where it was busy for a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic_ai import ModelHTTPError

_Answer = TypeVar('_Answer')

_BUSY = frozenset([408, 409, 429, 500, 502, 503, 504, 529])
"""What servers answer that may answer otherwise in a moment."""
_TRIES = 3
_FIRST_WAIT = 0.5
"""Seconds; each further wait is twice as long."""


async def retried(request: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """What `request` gives, asked up to three times where the server was busy.

    Raises:
        ModelHTTPError: The server refused, or was still busy in the end.
    """
    for attempt in range(_TRIES - 1):
        try:
            return await request()
        except ModelHTTPError as error:
            if error.status_code not in _BUSY:
                raise
        await asyncio.sleep(_FIRST_WAIT * 2**attempt)
    return await request()
