"""The code in what a model sent."""

from __future__ import annotations

import re
import textwrap

from .syntax import module_of

_FENCE = re.compile(r'^[ \t]*(```+|~~~+)[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*\1[ \t]*$', re.DOTALL | re.MULTILINE)


def unfenced(text: str) -> tuple[str, str | None]:
    """The code, each line where the text had it, and what was taken away to get at it."""
    text = text.replace('\r\n', '\n').replace('\r', '\n')
    blocks = list(_FENCE.finditer(text if text.endswith('\n') else text + '\n'))
    if not blocks or _parses(text):
        return text, None
    block = max(blocks, key=lambda block: len(block[3]))
    before = text[: block.start(3)].count('\n')
    code = block[3] if _parses(block[3]) else textwrap.dedent(block[3])
    return '\n' * before + code, 'Removed the Markdown fence around the code.'


def _parses(text: str) -> bool:
    try:
        module_of(text)
    except (SyntaxError, ValueError):
        return False
    return True
