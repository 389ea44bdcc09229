"""Small random changes of texts and JSON values."""

import copy
import json
from collections.abc import Mapping
from random import Random
from typing import Any

from toolscript.guards import is_array, is_object

_ODD = ['\x00', '\f', '\r', '\u2028', '\u202e', '\ufeff', '\ud800', '😀', 'é', '\\', '"""', '{', ')', '    ', '\n']
_PIECES = [
    'def f():\n',
    'try:\n',
    'while True:\n',
    'lambda: ',
    'async ',
    'await ',
    'yield ',
    'del ',
    'import os\n',
    '*',
    ':=',
]
_VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    10**30,
    1e308,
    '',
    'x' * 1000,
    [],
    {},
    [[]],
    {'': {}},
    '\x00',
    '$ref',
    ['string'],
]
_KEYS = [*_ODD, 'class', 'from', 'x-y', '']


def text(random: Random, original: str) -> str:
    """Return the text with a few of its lines or characters changed."""
    changed = original
    for _ in range(random.randint(1, 4)):
        changed = random.choice([_lines, _characters, _repeated, _deeper])(random, changed)
    return changed[:100_000]


def value(random: Random, original: Any) -> Any:
    """Return the JSON value with a few of its inner values changed, moved or removed."""
    changed = copy.deepcopy(original)
    for _ in range(random.randint(1, 4)):
        changed = _changed(random, changed)
    return changed


def _lines(random: Random, original: str) -> str:
    lines = original.splitlines(keepends=True) or ['']
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines.insert(at, random.choice(_PIECES))
    return ''.join(lines)


def _characters(random: Random, original: str) -> str:
    at = random.randrange(len(original) + 1)
    until = min(len(original), at + random.choice([0, 0, 1, 5]))
    return original[:at] + random.choice([*_ODD, *_PIECES, '']) + original[until:]


def _repeated(random: Random, original: str) -> str:
    at = random.randrange(len(original) + 1)
    piece = original[at : at + random.randint(1, 30)]
    return original[:at] + piece * random.choice([2, 20, 500]) + original[at:]


def _deeper(random: Random, original: str) -> str:
    depth = random.choice([1, 5, 30, 120])
    opening, closing = random.choice(['()', '[]', '{}'])
    return f'{original}\n{opening * depth}1{closing * depth}\n'


def _changed(random: Random, original: Any) -> Any:
    if random.random() < 0.8:
        if is_array(original) and original:
            at = random.randrange(len(original))
            return [*original[:at], _changed(random, original[at]), *original[at + 1 :]]
        if is_object(original) and original:
            return _changed_object(random, original)
    wrapped = [{'anyOf': [original]}, [original], json.dumps(original, default=str)]
    return copy.deepcopy(random.choice([*_VALUES, *wrapped]))


def _changed_object(random: Random, original: Mapping[str, object]) -> dict[str, object]:
    key = random.choice(list(original))
    match random.randrange(4):
        case 0:
            return {name: inner for name, inner in original.items() if name != key}
        case 1:
            name = random.choice(_KEYS)
            return {name if one == key else one: inner for one, inner in original.items()}
        case _:
            return {**original, key: _changed(random, original[key])}
