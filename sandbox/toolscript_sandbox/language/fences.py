"""Extracts the code from a model's text: removes Markdown, and replaces quotes that older versions cannot parse."""

import re
import textwrap

from .syntax import module_of

_FENCE = re.compile(r'^[ \t]*(```+|~~~+)[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*\1[ \t]*$', re.DOTALL | re.MULTILINE)
_STRING = re.compile(r'(?<!\w)(?P<prefix>[rbuRBU]{0,2}|[fF][rR]?|[rR][fF])(?P<quote>"""|\'\'\'|"|\')')


def unfenced(text: str) -> tuple[str, str | None]:
    """Return the code, with each line at its place in the text, and a sentence about what was removed."""
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


def with_other_quotes(text: str) -> str:
    """Return the text with `f"{d["a"]}"` changed to `f"{d['a']}"`, which keeps its length."""
    characters, place = list(text), 0
    while place < len(text):
        if text[place] == '#':
            end = text.find('\n', place)
            place = len(text) if end < 0 else end
            continue
        opening = _STRING.match(text, place)
        if opening is None:
            place += 1
        elif 'f' in opening['prefix'].lower():
            place = _through_f_string(text, opening.end(), opening['quote'], characters)
        else:
            place = _through_string(text, opening.end(), opening['quote'])
    return ''.join(characters)


def _through_string(text: str, place: int, quote: str) -> int:
    while place < len(text) and not text.startswith(quote, place):
        place += 2 if text[place] == '\\' else 1
    return place + len(quote)


def _through_f_string(text: str, place: int, quote: str, characters: list[str]) -> int:
    depth, other = 0, "'" if quote == '"' else '"'
    while place < len(text):
        if depth == 0 and text.startswith(quote, place):
            return place + len(quote)
        character = text[place]
        if character == '{':
            depth = 0 if depth == 0 and text.startswith('{{', place) else depth + 1
            place += 1 if depth == 0 else 0
        elif character == '}' and depth:
            depth -= 1
        elif depth and character == quote:
            characters[place] = other
        elif character == '\\':
            place += 1
        elif character == '\n' and len(quote) == 1 and depth == 0:
            return place
        place += 1
    return place
