"""What to write instead of syntax that is newer than Python 3.11.

The host's Python words its reason for refusing it in its own way, so the line is looked at.
"""

from __future__ import annotations

import re


def about_newer_syntax(line: str, reason: str) -> str:
    """What to write instead of a line that could not be read for this reason; nothing where no Python could."""
    for pattern, advice in _LINES:
        if found := pattern.match(line):
            return advice.format(*found.groups()) + '\n'
    return 'Put that part in a variable first.\n' if 'f-string expression part cannot include' in reason else ''


_LINES = (
    (re.compile(r'\s*type\s+(\w+)\s*='), 'It is newer than Python 3.11: write {0} = ...'),
    (re.compile(r'\s*type\s+(\w+)\s*\['), 'It is newer than Python 3.11: write {0} = ..., without parameters.'),
    (
        re.compile(r'\s*(?:async\s+)?(?:def|class)\s+(\w+)\s*\['),
        'Type parameters are newer than Python 3.11: write {0} without the brackets, and Any for what stood in them.',
    ),
)
