"""Detects from Monty's messages which limit stopped a script, because Monty reports it only in words.

Messages of tools and scripts look the same: one that only resembles a limit is treated as any other exception.
"""

import re

from toolscript_sandbox.contract.limits import Limits


def limit_in(words: str, limits: Limits) -> str | None:
    """Return the message for the model if this is Monty's message about a limit, or None."""
    if _is_about_printing(words, limits):
        return f'Limit max_stdout_bytes: the script printed more than {limits.max_stdout_bytes:,} bytes. Print less.'
    if _TIME.match(words):
        return computed_too_long(limits)
    if _MEMORY.match(words):
        most = f'{limits.max_memory_bytes:,}'
        return f'Limit max_memory_bytes: the session needed more than {most} bytes. Keep less data at once.'
    if _DEPTH.match(words):
        return (
            f'Limit max_recursion_depth: functions called each other more than {limits.max_recursion_depth:,} deep, '
            'or a dozen deep through builtins (`sorted(xs, key=f)`, `repr(x)`). '
            'Use a loop, or look for a recursion that does not end.'
        )
    return None


def computed_too_long(limits: Limits) -> str:
    """Return the message about a script that computed for too long."""
    return (
        f'Limit max_script_seconds: the script computed longer than {limits.max_script_seconds:g} s. '
        'Look for a loop that does not end, or do less at once.'
    )


def ends_session(words: str, limits: Limits) -> bool:
    """Return whether this is Monty's message about a limit after which the variables cannot be trusted."""
    stopped = _TIME.match(words) or _MEMORY.match(words)
    return stopped is not None and not _is_about_printing(words, limits)


def _is_about_printing(words: str, limits: Limits) -> bool:
    # Monty counts printed output as memory, so only the size of the limit shows which one was exceeded. What a script
    # may still print after a pause is less than `max_stdout_bytes`.
    found = _MEMORY.match(words)
    return found is not None and found[1] is not None and int(found[1]) != limits.max_memory_bytes


_TIME = re.compile(r'TimeoutError: (feed )?time limit exceeded: \S{1,40} > \S{1,40}\Z')
_MEMORY = re.compile(
    r'MemoryError: (?:memory limit exceeded: \d{1,40} bytes > (\d{1,40}) bytes\Z|the worker exceeded its memory limit)'
)
_DEPTH = re.compile('RecursionError: maximum recursion depth exceeded')
