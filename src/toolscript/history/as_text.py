"""Renders a run as text for a terminal, wrapped to its width."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from .reader import History, transcript_of
from .transcript import Block, Excerpt, TranscriptCall, Turn
from .values import one_line, visible

_RESULT_CHARS = 300
"""The maximum length of a nested call's result; the page shows more of it."""


def render_text(history: History, *, width: int = 80) -> str:
    """Render a run as text: what the model was shown, what it said, its scripts with their calls, and the results.

    Text from users, models and tools is indented, and its invisible characters are escaped. Long texts are truncated at
    the end; of very many requests, only the first and last are shown. The output says how much is left out.

    Args:
        history: `result.all_messages()`, or the JSON of `result.all_messages_json()`.
        width: The number of columns, at least 20.

    Raises:
        ValueError: The JSON is not a message history.
    """
    transcript = transcript_of(history)
    lines = Lines(max(width, NARROWEST))
    lines.add(transcript.words)
    before = 0
    for turn in transcript.turns:
        if turn.number > before + 1:
            lines.rule(f'{turn.number - before - 1:,} requests are left out here')
        before = turn.number
        _turn(turn, lines)
    return '\n'.join([*lines.lines, ''])


def _turn(turn: Turn, lines: 'Lines') -> None:
    run = f'run {turn.run}, ' if turn.run > 1 else ''
    lines.rule(' · '.join(filter(None, [f'{run}request {turn.number}', turn.time])))
    for block in turn.request:
        _block(block, lines)
    lines.add(f'[{turn.words}]')
    for block in turn.response:
        _block(block, lines)


def _block(block: Block, lines: 'Lines') -> None:
    lines.block(block.label, _text(block.text))
    if block.code is not None:
        _code(block.code, lines)
    for call in block.calls:
        _nested(call, lines)
    if block.more_calls:
        lines.add(f'… {block.more_calls:,} more calls', 2)
    if block.note:
        lines.add(block.note, 2)
    for label, text in block.answer:
        lines.block(one_line(label), _text(text), 2)


def _code(code: Excerpt, lines: 'Lines') -> None:
    rows = code.text.removesuffix('\n').split('\n')
    digits = len(str(len(rows)))
    for number, row in enumerate(rows, start=1):
        lines.add(f'{number:>{digits}} | {row}', 2, hang=digits + 3)
    if code.more:
        lines.add(code.more.strip(), 2)


def _nested(call: TranscriptCall, lines: 'Lines') -> None:
    line = '' if call.line is None else f'line {call.line}: '
    short = Excerpt(call.result.text[:_RESULT_CHARS], call.result.chars)
    notes = f'  ({call.notes})' if call.notes else ''
    ended = f'{call.ended} {one_line(short.text)}{short.more}'.rstrip()
    lines.add(f'{line}{call.code} {ended}{notes}', 2, hang=4)
    for name, text in call.origins:
        lines.add(f'{name} comes from {one_line(text)}', 6)


def _text(excerpt: Excerpt | None) -> str:
    return '' if excerpt is None else excerpt.text + excerpt.more


NARROWEST = 20


@dataclass
class Lines:
    width: int
    """The maximum width, in columns."""
    lines: list[str] = field(default_factory=list[str])

    def add(self, text: str, indent: int = 0, *, hang: int = 0) -> None:
        """Add a text. Lines that are too wide are wrapped, and continued with `hang` more columns of indentation."""
        for line in visible(text).split('\n'):
            first, *rest = _wrapped(line.rstrip(), self.width - indent, hang)
            self.lines.append((' ' * indent + first).rstrip())
            self.lines += [(' ' * (indent + hang) + part).rstrip() for part in rest]

    def block(self, label: str, text: str, indent: int = 0) -> None:
        """Add a text with a label, on one line if it fits."""
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
        self.lines += ['', f'── {words} '.ljust(self.width, '─')[: max(self.width, len(words) + 3)].rstrip()]


def columns(text: str) -> int:
    """Return the width of a text in a terminal, in columns."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ('Mn', 'Me'):
        return 0
    return 2 if unicodedata.east_asian_width(character) in 'WF' else 1


def _wrapped(line: str, width: int, hang: int) -> Iterator[str]:
    """Yield the pieces of a line, broken after a space or comma if the second half of a piece has one."""
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
    """Return where the piece that begins at `start` has to end: after at least one character."""
    if (piece := line[start : start + width + 1]).isascii():
        return start + min(len(piece), width)
    taken, end = 0, start
    while end < len(line) and (taken := taken + _columns(line[end])) <= width:
        end += 1
    return max(end, min(start + 1, len(line)))
