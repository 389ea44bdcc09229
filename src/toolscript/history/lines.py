"""Text in lines that are no wider than a terminal."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from .wording import visible

NARROWEST = 20


@dataclass
class Lines:
    """Lines one below the other."""

    width: int
    """In columns."""
    lines: list[str] = field(default_factory=list[str])

    def add(self, text: str, indent: int = 0, *, hang: int = 0) -> None:
        """Add a text; where a line of it is too wide it goes on in the next one, `hang` columns further in."""
        for line in visible(text).split('\n'):
            first, *rest = _wrapped(line.rstrip(), self.width - indent, hang)
            self.lines.append((' ' * indent + first).rstrip())
            self.lines += [(' ' * (indent + hang) + part).rstrip() for part in rest]

    def block(self, label: str, text: str, indent: int = 0) -> None:
        """Add a text with its name, on one line if it fits."""
        if not text.strip():
            self.add(label, indent)
            return
        line = f'{label}: {visible(text).strip()}'
        if '\n' not in line and columns(line) + indent <= self.width:
            self.add(line, indent)
        else:
            self.add(label, indent)
            self.add(text.rstrip(), indent + 2)

    def rule(self, words: str) -> None:
        """Add a line that begins with these words."""
        self.lines += ['', f'── {words} '.ljust(self.width, '─')[: max(self.width, len(words) + 3)].rstrip()]


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ('Mn', 'Me'):
        return 0
    return 2 if unicodedata.east_asian_width(character) in 'WF' else 1


def _wrapped(line: str, width: int, hang: int) -> Iterator[str]:
    """The pieces of a line: broken behind a space or a comma where there is one in the second half of a piece."""
    width, start = max(width, NARROWEST // 2), 0
    while (end := _fitting(line, start, width)) < len(line):
        half = (start + end) // 2
        gap = max(line.rfind(' ', half, end + 1), line.rfind(',', half, end) + 1)
        end = gap if gap > start else end
        yield line[start:end]
        start = end
        while line[start : start + 1] == ' ':
            start += 1
        width, hang = max(width - hang, NARROWEST // 2), 0
    yield line[start:]


def _fitting(line: str, start: int, width: int) -> int:
    """Where the piece that begins at `start` has to end: behind one character at least."""
    if (piece := line[start : start + width + 1]).isascii():
        return start + min(len(piece), width)
    taken, end = 0, start
    while end < len(line) and (taken := taken + _columns(line[end])) <= width:
        end += 1
    return max(end, min(start + 1, len(line)))
