"""Cases in text files: each is a text, a line `->`, and the expected result. Cases are separated by lines `---`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class TextCase:
    """An input and its expected result."""

    place: str
    """The file and the line."""
    given: str
    expected: str

    def __str__(self) -> str:
        return self.place


def text_cases(path: Path) -> list[TextCase]:
    """Return the cases of a file, in order. Use `ids=str` to name tests after their lines."""
    found, line = list[TextCase](), 1
    for text in re.split(r'^---\n', path.read_text(), flags=re.MULTILINE):
        given, _, expected = text.removesuffix('\n').partition('\n->\n')
        found.append(TextCase(f'{path.name}:{line}', given, expected))
        line += text.count('\n') + 1
    return found


def named_texts(path: Path) -> dict[str, str]:
    """Return the texts of a file by name. Each follows a line `# NAME`; they are separated by lines `---`."""
    parts = (part.partition('\n') for part in path.read_text().removesuffix('\n').split('\n---\n'))
    return {name.removeprefix('# '): text for name, _, text in parts}
