"""A line of code with a mark under what is meant."""

from __future__ import annotations


def excerpt(text: str, line: int | None, column: int | None, end: int | None) -> str:
    """The line with its number, and carets below; empty where there is no such line."""
    lines = text.split('\n')
    if line is None or not 0 < line <= len(lines):
        return ''
    code = lines[line - 1]
    head = f'line {line}: '
    shown = code.strip()[:_WIDTH]
    if column is None:
        return f'{head}{shown}\n'
    start = column - (len(code) - len(code.lstrip()))
    if not 0 <= start < len(shown):
        return f'{head}{shown}\n'
    width = max(1, min(end or column + 1, column + len(shown) - start) - column)
    return f'{head}{shown}\n{" " * (len(head) + start)}{"^" * width}\n'


_WIDTH = 160
