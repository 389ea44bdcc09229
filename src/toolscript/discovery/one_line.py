"""What a tool does, in a line."""

import re

from pydantic_ai.tools import ToolDefinition

from toolscript.catalog.tool_specs import spec_of
from toolscript_signatures import without_invisible

LONGEST_LINE = 200
"""Characters; the whole description stands where the tool itself is shown."""

_SENTENCE_END = re.compile(r'(?<=[.!?])\s|\n|(?<=[。！？])')
_READ = 4_000
_LEAST = 20
"""An end before this many characters is that of an abbreviation."""


def one_line(tool_def: ToolDefinition) -> str | None:
    """The first sentence of a tool's description; `None` where it has none."""
    text = without_invisible((spec_of(tool_def).description or '')[:_READ]).strip()
    if not text:
        return None
    end = _SENTENCE_END.search(text, min(_LEAST, len(text)))
    line = ' '.join(text[: end.start() if end else None][: LONGEST_LINE * 4].split())
    return line if len(line) <= LONGEST_LINE else f'{line[: LONGEST_LINE - 1]}…'
