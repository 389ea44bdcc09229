"""What values take: as JSON, and in the memory of a script."""

from __future__ import annotations

import json
from typing import Any

CONTAINERS = frozenset[type[Any]]([list, tuple, dict, set, frozenset])
ITEM_BYTES = 120
"""Of the sandbox's memory, for an item of a list, whose places grow by doubling. Measured, as are the others."""
ENTRY_BYTES = 300
"""For a key, its value and their place in a dict."""
TEXT_BYTES = 90
"""For a text or a long integer, beside its characters or digits."""


def text_size(text: str) -> int:
    """Bytes of a text as JSON."""
    if len(text) < _LONG and not text.isprintable():
        return len(json.dumps(text, ensure_ascii=False))
    # What else a long text has to escape is not looked for: that would take as long as to write it.
    inner = len(text) if text.isascii() else len(text.encode('utf-8', 'replace'))
    return inner + 2 + text.count('"') + text.count('\\') + text.count('\n')


_LONG = 50_000
