"""Host functions that code may call."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Function:
    """A host function under the name that code calls it by."""

    name: str
    """A Python identifier."""
    stub: str
    """Self-contained `.pyi` text: imports, type definitions, and one `async def` (or `def`) of that name."""
    sequential: bool = False
    """Whether the function is called without `await` and runs alone: it waits until no other call is in flight."""
    signature: str = ''
    """The signature in one line, for error messages."""
    validate: Callable[[str, Any], str | None] | None = field(default=None, compare=False, repr=False)
    """The function's own validator of single arguments. It receives a parameter's name and a JSON value, and returns
    what is wrong with it: an empty text if the value is valid, `None` if only the call can decide.

    It receives the values that are literals in the script. Items of `*args` come as a list.
    """


class Functions(Protocol):
    """Looks up functions by name. Nothing ever lists all of them, so a large catalog costs no more than a small one."""

    def get(self, name: str, /) -> Function | None:
        """Return the function of that name, or None. New names may become known while a script runs."""
        ...

    def hint(self, name: str, /) -> str | None:
        """Return advice for the model about a name that is not a function, such as the closest names, or None."""
        ...


HOST = '_host_'
"""The prefix for the name of a host function in code where a variable of that name would hide it."""
