"""What polyfills ask of the host's library by a name that no function of a toolset can have.

Such a request is answered within a step of the script: it counts as no call, the caller never sees it, and no state
holds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolscript_sandbox.host_library import HostLibrary, HostLibraryError

from .protocol import Raised, Returned

LIBRARY = '_host__'
"""The name."""


async def library_answer(
    library: HostLibrary, args: Sequence[Any], kwargs: Mapping[str, Any], seconds: float
) -> Returned | Raised:
    """What the function named by the first argument returns for the others, within so many seconds; never an error."""
    name, *values = args
    try:
        return Returned(await library.call(str(name), values, kwargs, seconds=seconds))
    except HostLibraryError as error:
        # Errors of modules, such as `re.error`, are ValueErrors here, so that a handler finds them.
        return Raised('ValueError' if error.builtin == 'Exception' else error.builtin, error.message)
