"""What the guest's modules ask of the host by a name of their own, and which is no call of a tool.

A request has a name that no function of a toolset can have, such as `_zone__`. It is answered within a step of the
script: it counts as no call, the caller never sees it, and no state holds it. To add one, add a row to `REQUESTS`.
Requests about tasks (`_loop__`) and files (`_file__`) need the script itself, so the executor answers them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from .protocol import Raised, Returned
from .zones import ZONE, zone_answer

Request: TypeAlias = Callable[[tuple[Any, ...]], Awaitable[Returned | Raised]]
"""Answers a request with these arguments. Never raises: what goes wrong is `Raised`, with the name of a type that Monty
has."""


async def _zone(args: tuple[Any, ...]) -> Returned | Raised:
    return zone_answer(args)


REQUESTS: dict[str, Request] = {ZONE: _zone}
"""By name."""
