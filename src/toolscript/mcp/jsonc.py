"""JSON as people write it by hand: with comments, and commas after the last entry."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indices, from the outside."""

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}\[\]:,]|[^\s{}\[\]:,"/]+|\S', re.DOTALL)


@dataclass(frozen=True)
class Document:
    """Data, and where in the text it stands."""

    data: Any
    lines: Mapping[Path, int]
    """The line of each key and each element, from 1."""
    repeated: tuple[Path, ...]
    """Keys that stand twice in their object; the data has what the last one says."""

    def line(self, path: Path) -> int:
        """The line of a place, or of the nearest one around it that is in the text."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


class NotJson(ValueError):
    """A text that is no JSON."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f'line {line}: {what}')
        self.line = line
        self.what = what


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    line: int


def read_jsonc(text: str) -> Document:
    """The data in a text, and the line of each place.

    Raises:
        NotJson: It is not JSON, comments and last commas apart.
    """
    # Editors on Windows put an invisible mark at the start.
    text = text.removeprefix('\ufeff')
    tokens = [*_tokens(text)]
    try:
        data = json.loads(_plain(text, tokens))
    except json.JSONDecodeError as error:
        raise NotJson(error.lineno, f'{error.msg} (column {error.colno}).') from error
    except RecursionError as error:
        raise NotJson(1, 'it is nested too deeply.') from error
    lines, repeated = _lines([token for token in tokens if not _is_comment(token)])
    return Document(data, lines, tuple(repeated))


def _tokens(text: str) -> Iterator[_Token]:
    line, end = 1, 0
    for found in _TOKEN.finditer(text):
        line += text.count('\n', end, found.start())
        yield _Token(found[0], found.start(), line)
        line += found[0].count('\n')
        end = found.end()


def _is_comment(token: _Token) -> bool:
    return token.text.startswith(('//', '/*'))


def _plain(text: str, tokens: list[_Token]) -> str:
    """The text with blanks for what JSON does not have, so that all else stays in its place."""
    kept = list(text)
    before: _Token | None = None
    for token in tokens:
        if _is_comment(token):
            _blank(kept, token)
            continue
        if before is not None and before.text == ',' and token.text in {'}', ']'}:
            _blank(kept, before)
        before = token
    return ''.join(kept)


def _blank(kept: list[str], token: _Token) -> None:
    for place, character in enumerate(token.text, start=token.start):
        kept[place] = '\n' if character == '\n' else ' '


def _lines(tokens: list[_Token]) -> tuple[dict[Path, int], list[Path]]:
    """The line of each place in valid JSON, and the keys that stand there twice."""
    lines: dict[Path, int] = {(): tokens[0].line}
    repeated: list[Path] = []
    path: list[str | int] = []
    is_key = False
    for token in tokens:
        match token.text:
            case '{':
                lines.setdefault(tuple(path), token.line)
                path.append('')
                is_key = True
            case '[':
                lines.setdefault(tuple(path), token.line)
                path.append(0)
                is_key = False
            case '}' | ']':
                path.pop()
                is_key = False
            case ':':
                is_key = False
            case ',':
                last = path[-1]
                is_key = isinstance(last, str)
                path[-1] = last if isinstance(last, str) else last + 1
            case key if is_key:
                path[-1] = json.loads(key)
                if tuple(path) in lines:
                    repeated.append(tuple(path))
                lines[tuple(path)] = token.line
            case _:
                lines.setdefault(tuple(path), token.line)
    return lines, repeated
