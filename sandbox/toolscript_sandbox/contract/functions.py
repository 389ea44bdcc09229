"""Host functions that code may call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Function:
    """A host function under the name that code calls it by."""

    name: str
    """A Python identifier."""
    stub: str
    """`.pyi` text, complete in itself: imports, type definitions, and one `async def` (or `def`) of that name."""
    sequential: bool = False
    """Called without `await`, and a barrier: it runs when nothing else is in flight, and nothing starts beside it."""
    signature: str = ''
    """One line for error messages."""
    validate: Callable[[str, Any], str | None] | None = field(default=None, compare=False, repr=False)
    """The function's own validator of single arguments: from a parameter's name and a JSON value to what is wrong with
    it, in words. The empty text means that the value is right, `None` that only the call can say.

    It sees the values that the script writes out. Items of `*args` come as a list.
    """


class Functions(Protocol):
    """Lookup by name. Nothing ever asks for all of them, so a large catalog costs no more than a small one."""

    def get(self, name: str, /) -> Function | None:
        """The function of that name, or None. May start to know a name while a snippet runs."""
        ...

    def hint(self, name: str, /) -> str | None:
        """Advice for the model about a name that is not a function, such as the closest names; or None."""
        ...


HOST = '_host_'
"""What code puts before the name of a host function where a variable of that name would hide it."""
