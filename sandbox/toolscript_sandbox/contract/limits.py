"""The limits of a script."""

import math
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_monty import ResourceLimits


@dataclass(frozen=True)
class Limits:
    """Limits of a session. Each applies to every script separately, unless its text says otherwise."""

    max_script_seconds: float = 30.0
    """Seconds that the script may compute, including work on the host. Its calls and sleeps do not count."""
    max_memory_bytes: int = 256 * 1024 * 1024
    """Heap of the whole session."""
    max_calls: int = 1000
    """Calls of functions, counted when the script makes them."""
    max_concurrent_calls: int = 32
    """Calls that run at the same time; further calls wait."""
    max_stdout_bytes: int = 1_000_000
    """Printed output as UTF-8."""
    max_sleep_seconds: float = 60.0
    """Sum of all `asyncio.sleep` and `time.sleep` that were not cancelled."""
    max_result_bytes: int = 10_000_000
    """Size of the script's result as JSON."""
    max_argument_bytes: int = 10_000_000
    """Size of the arguments of one call as JSON."""
    max_recursion_depth: int = 10_000
    """Nested calls of functions that the script defines."""
    max_code_chars: int = 100_000
    """Length of the script."""
    max_step_bytes: int = 900_000
    """Size of a script between two of its calls, where an engine for durable execution stores it."""
    cancel_grace_seconds: float = 5.0
    """Seconds that calls still running when the script ends may take to finish before they are cancelled, and that
    cancelled calls may take to end before they are abandoned."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value: object = getattr(self, field.name)
            whole, least = type(field.default) is int, 0 if field.name in _MAY_BE_NOTHING else 1
            if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
                raise ValueError(f'Limits({field.name}=) is {value!r}; use {"a whole" if whole else "a"} number.')
            if not (value >= least if whole else math.isfinite(value) and value >= 0):
                raise ValueError(f'Limits({field.name}=) is {value!r}; use {least if whole else 0} or more.')

    @cached_property
    def result_heap_bytes(self) -> int:
        """The part of `max_memory_bytes` for the result of one call; the rest is for what the script makes of it."""
        return self.max_memory_bytes // 4 * 3

    def for_monty(self) -> 'ResourceLimits':
        """Return the limits that Monty enforces."""
        return {
            'max_feed_duration_secs': self.max_script_seconds,
            'max_memory': self.max_memory_bytes,
            'max_recursion_depth': self.max_recursion_depth,
            'max_suspensions': _UNCOUNTED,
            'max_total_sleep_secs': self.max_sleep_seconds,
        }


_MAY_BE_NOTHING = frozenset(['max_calls', 'max_stdout_bytes'])
_UNCOUNTED = 1_000_000_000
# Monty would also count name lookups and settled futures, over the whole session; we count calls, per script.


@dataclass(frozen=True)
class Exceeded:
    """The script exceeded a limit that the host enforces."""

    limit: str
    message: str
