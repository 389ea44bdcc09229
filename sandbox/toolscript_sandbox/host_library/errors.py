"""How a call of the host library fails.

HostLibraryError          the function raised, as CPython's does
├── HostRefused           no such row, or an argument that is not a plain value
└── HostLimitExceeded     too slow, too large, or too much memory
"""

from __future__ import annotations


class HostLibraryError(Exception):
    """The exception that the script gets in place of a result."""

    def __init__(self, kind: str, builtin: str, message: str) -> None:
        super().__init__(kind, builtin, message)
        self.kind = kind
        """As the script knows it: `ValueError`, or with its module, `statistics.StatisticsError`."""
        self.builtin = builtin
        """The closest builtin class that it is derived from, itself where it is builtin."""
        self.message = message

    def __str__(self) -> str:
        return f'{self.kind}: {self.message}'


class HostRefused(HostLibraryError):
    """The call reached no function."""

    def __init__(self, message: str) -> None:
        super().__init__('TypeError', 'TypeError', message)


class HostLimitExceeded(HostLibraryError):
    """The call took too much; `kind` is `TimeoutError` or `MemoryError`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, kind, message)
