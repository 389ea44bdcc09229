"""Shows a value as text for the model."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, cast


def truncate(value: Any, *, max_chars: int, name: str | None) -> str:
    """Return the value as JSON, or a string unchanged. Never longer than `max_chars`.

    For longer values it shows size and shape, beginning and end, and the variable that contains the whole value in
    the next script. Only parts at the beginning and the end of a large value are read.
    """
    most = max(_LOOKED_AT, 2 * max_chars)
    text, is_whole = _text(value, most)
    if is_whole and len(text) <= max_chars:
        return text
    chars = f'{len(text):,} characters' if is_whole else f'more than {most:,} characters'
    head = f'[{_size(value)}{chars}{_where(value, name)}]\n'
    shape = f'Shape: {infer_shape(value)[: max_chars // 3]}\n' if isinstance(value, (dict, list)) else ''
    room = max_chars - len(head) - len(shape)
    if room < _LEAST:
        return (head + text)[:max_chars]
    return f'{head}{shape}{_ends(value, text, room, is_whole=is_whole)}'


def infer_shape(value: Any, depth: int = 3, *, names_only: bool = False) -> str:
    """Return the types in a value, such as `list[3] of {id: int, tags: list[2] of str}`.

    Args:
        value: A JSON value.
        depth: How many levels are shown.
        names_only: Whether only keys that are short names are shown. Only the size of other dictionaries is shown.
    """
    if isinstance(value, dict):
        return _record(cast('dict[str, Any]', value), depth, names_only=names_only)
    if isinstance(value, list):
        items = cast('list[Any]', value)
        samples = items[:_SAMPLES] if depth else []
        kinds = list(dict.fromkeys(infer_shape(item, depth - 1, names_only=names_only) for item in samples))
        of = f' of {" | ".join(kinds[:3])}{" | ..." if len(kinds) > 3 else ""}' if kinds else ''
        return f'list[{len(items):,}]{of}'
    return 'null' if value is None else type(value).__name__


def _record(value: Mapping[str, Any], depth: int, *, names_only: bool) -> str:
    shown = [*islice(value.items(), _FIELDS)]
    if not depth or (names_only and not all(_NAME.fullmatch(key) for key, _ in shown)):
        return f'dict[{len(value):,}]'
    fields = [f'{key}: {infer_shape(item, depth - 1, names_only=names_only)}' for key, item in shown]
    more = f', ... {len(value) - _FIELDS:,} more keys' if len(value) > _FIELDS else ''
    return f'{{{", ".join(fields)}{more}}}'


def _text(value: Any, most: int) -> tuple[str, bool]:
    """Return the text of a value, or at least `most` characters of its beginning, and whether it is complete."""
    if isinstance(value, str):
        return value, True
    left = most

    # Writing a value piece by piece, like `iterencode`, takes time for each level of each piece.
    def beginning(part: Any) -> Any:
        nonlocal left
        if isinstance(part, list):
            left -= 1
            items = list[Any]()
            for item in cast('list[Any]', part):
                if left < 0:
                    break
                left -= 2 if items else 0
                items.append(beginning(item))
            return items
        if isinstance(part, dict):
            left -= 1
            entries = dict[str, Any]()
            for key, item in cast('dict[str, Any]', part).items():
                if left < 0:
                    break
                left -= len(key) + (6 if entries else 4)
                entries[key] = beginning(item)
            return entries
        if isinstance(part, str):
            part = part[: max(0, left) + 1]
        left -= part.bit_length() // 4 + 1 if isinstance(part, int) else len(part) if isinstance(part, str) else 1
        return part

    text = json.dumps(beginning(value), ensure_ascii=False)
    return text, left >= 0


def _size(value: Any) -> str:
    if isinstance(value, list):
        return f'{len(cast("list[Any]", value)):,} items, '
    return f'{len(cast("dict[str, Any]", value)):,} keys, ' if isinstance(value, dict) else ''


def _where(value: Any, name: str | None) -> str:
    if name is None:
        return '; only a part is shown'
    example = f'list({name})[:50]' if isinstance(value, dict) else f'{name}[:1000]' if isinstance(value, str) else ''
    example = example or f'{name}[:20]'
    return f'; whole in the variable {name}, for the next script to slice: {example}'


def _ends(value: Any, text: str, room: int, *, is_whole: bool) -> str:
    if isinstance(value, list) and value:
        lines = _whole_items(cast('list[Any]', value), room)
        if lines is not None:
            return lines
    gap = '\n[...]\n'
    tail = (room - len(gap)) // 4 if is_whole else 0
    return f'{text[: room - len(gap) - tail]}{gap}{text[len(text) - tail :]}'


def _whole_items(items: Sequence[Any], room: int) -> str | None:
    gap = f'[... {len(items):,} ...]'
    last = _text_of_item(items[-1], room)
    left = room - len(last) - len(gap) - 2
    shown = list[str]()
    for item in items[:-1]:
        text = _text_of_item(item, left)
        if len(text) + 1 > left:
            break
        left -= len(text) + 1
        shown.append(text)
    if not shown:
        return None
    return '\n'.join([*shown, f'[... {len(items) - len(shown) - 1:,} ...]', last])


def _text_of_item(item: Any, most: int) -> str:
    if isinstance(item, str):
        return json.dumps(item[: max(0, most) + 1], ensure_ascii=False)
    return _text(item, most)[0]


_LEAST = 80
_SAMPLES = 50
_FIELDS = 30
_NAME = re.compile(r'[A-Za-z_]\w{0,29}', re.ASCII)
_LOOKED_AT = 50_000
"""The least number of characters that are read, up to which the exact length is known."""


def quoted(text: str) -> str:
    """Return a foreign text with a bar before each further line, so that none looks like a message."""
    return text.replace('\n', f'\n{_QUOTE}')


_QUOTE = '  | '
