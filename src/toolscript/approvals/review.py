"""A call as text, for the person who decides about it.

The text names every argument, including those inside objects and lists, one on each line. Short values come first and
are complete. A long value is cut, and says how much is missing. No value can add a line: each is one JSON text in which
every character is visible.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from itertools import islice

from toolscript.guards import is_array, is_object
from toolscript_signatures import with_visible

MAX_CHARS = 4_000
"""The longest text of a call."""
_SHORTEST_LINE = len('\n  a = 1')
_SHORTEST_EXCERPT = 60
_LONG_TEXT = 200
_PLAIN = re.compile(r'[A-Za-z_][A-Za-z0-9_-]*')


class CallTooLong(ValueError):
    """The names of a call's arguments do not fit into the text that a person sees, so the call cannot be approved."""

    def __init__(self, tool_name: str, max_chars: int) -> None:
        super().__init__(
            f'{plain(tool_name)[:100]} cannot be approved here: the names of all its arguments do not fit into '
            f'the {max_chars:,} characters that can be shown. Make several smaller calls instead.'
        )


def render_call(tool_name: str, args: Mapping[str, object], *, note: str = '', max_chars: int = MAX_CHARS) -> str:
    """Return the call in at most `max_chars` characters: a line with the tool and `note`, then one for each argument.

    Raises:
        CallTooLong: Not all names fit.
    """
    found = leaves(args, max_chars)
    if found is None:
        raise CallTooLong(tool_name, max_chars)
    text = f'{plain(tool_name)}{note}:'
    lines = sorted(((path, value, excerpt(value, max_chars)) for path, value in found), key=lambda line: len(line[2]))
    needed = sum(len(f'\n  {path} = ') + min(len(shown), _SHORTEST_EXCERPT) for path, _, shown in lines)
    spare = max_chars - len(text) - needed
    if spare < 0:
        raise CallTooLong(tool_name, max_chars)
    for left, (path, value, shown) in zip(range(len(lines), 0, -1), lines, strict=True):
        least = min(len(shown), _SHORTEST_EXCERPT)
        room = least + spare // left
        fitting = shown if len(shown) <= room else excerpt(value, room)
        spare -= len(fitting) - least
        text += f'\n  {path} = {fitting}'
    return text


def one_line_call(tool_name: str, args: Mapping[str, object]) -> str:
    """Return the call as a text of one line, in which long values are cut."""
    found = leaves(args, MAX_CHARS) or ([('…', '')] if args else [])
    return f'{plain(tool_name)}({", ".join(f"{name}={excerpt(value, _SHORTEST_EXCERPT)}" for name, value in found)})'


def plain(name: str) -> str:
    """Return a name as it is, or as a JSON text if it could be mistaken for something else."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name)


def leaves(args: Mapping[str, object], max_chars: int) -> list[tuple[str, object]] | None:
    """Return the arguments, and what is in them, each with its path; `None` if there are more than fit."""
    found: list[tuple[str, object]] = []
    waiting: list[tuple[str, object]] = [('', args)] if args else []
    while waiting:
        path, value = waiting.pop()
        if is_object(value) and value:
            dot = '.' if path else ''
            size, inner = len(value), ((f'{path}{dot}{plain(str(name))}', item) for name, item in value.items())
        elif is_array(value) and any(map(_is_large, islice(value, max_chars))):
            size, inner = len(value), ((f'{path}[{index}]', item) for index, item in enumerate(value))
        else:
            found.append((path, value))
            continue
        if len(path) > max_chars or len(found) + len(waiting) + size > max_chars // _SHORTEST_LINE:
            return None
        waiting += reversed([*inner])
    return found


def _is_large(item: object) -> bool:
    return is_object(item) or is_array(item) or (isinstance(item, str) and len(item) > _LONG_TEXT)


def excerpt(value: object, room: int) -> str:
    """Return the value as JSON, or as much of it as fits into `room` characters, and how much is missing."""
    if not (isinstance(value, str) or is_array(value)):
        value = _json(value)
        if len(value) <= room:
            return value
    if len(value) <= room and len(text := _json(value)) <= room:
        return text
    unit = 'characters' if isinstance(value, str) else 'items'

    def cut(count: int) -> str:
        return f'{_json(value[:count])} … {len(value) - count:,} more {unit}'

    fitting = bisect_right(range(min(len(value), room)), room, key=lambda count: len(cut(count)))
    return cut(max(fitting - 1, 0))


def _json(value: object) -> str:
    return with_visible(json.dumps(value, ensure_ascii=False, default=str))
