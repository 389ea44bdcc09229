"""What polyfills ask of the host by a name of their own, and which is no call of a tool.

A request has a name that no function of a toolset can have, such as `_host__`. It is answered within a step of the
script: it counts as no call, the caller never sees it, and no state holds it. To add one, add a row to `REQUESTS`.
Requests about tasks (`_loop__`) and files (`_file__`) need the script itself, so the executor answers them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from toolscript_sandbox.host_library import HostLibrary, HostLibraryError

from .protocol import Raised, Returned

Request: TypeAlias = Callable[[Sequence[Any], Mapping[str, Any], float], Awaitable[Returned | Raised]]
"""Answers a request with these arguments and keywords, within so many seconds. Never raises: what goes wrong is `Raised`."""

LIBRARY = HostLibrary()
"""The processes of the host's library, which all sandboxes share."""


async def _library(args: Sequence[Any], kwargs: Mapping[str, Any], seconds: float) -> Returned | Raised:
    name, *values = args
    try:
        return Returned(await LIBRARY.call(str(name), values, kwargs, seconds=seconds))
    except HostLibraryError as error:
        # Errors of modules, such as `re.error`, are ValueErrors here, so that a handler finds them.
        return Raised('ValueError' if error.builtin == 'Exception' else error.builtin, error.message)


REQUESTS: dict[str, Request] = {'_host__': _library}
"""By name."""
