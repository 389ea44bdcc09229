"""`anyOf` and `oneOf`."""

from collections.abc import Iterator, Sequence

from toolscript_signatures.shapes.json_values import Schema, array_at, is_object, names_at
from toolscript_signatures.shapes.literals import source_or_text
from toolscript_signatures.shapes.pytypes import NEVER, NONE, Choice, Plain, PyType, union

from .reading import Place, Read, Reading
from .type_words import OBJECT_WORDS

ALTERNATIVES = ('anyOf', 'oneOf')
"""The keywords. They differ in whether a value may fit two branches, which no type can say."""

_CARRIED = frozenset(('type', 'required', *OBJECT_WORDS, 'items'))
_ONLY_REQUIRES = frozenset({'required', 'description', 'title', 'type'})


def read_alternatives(schema: Schema, key: str, place: Place, read: Read) -> Reading:
    """A union of the branches; `Never` if none can be. What stands beside the branches holds in each."""
    branches = array_at(schema, key)
    beside = {name: value for name, value in schema.items() if name in _CARRIED}
    readings = [read(_with(beside, branch), place.under(key, str(index))) for index, branch in enumerate(branches)]
    if all(reading.type == NEVER for reading in readings):
        return Reading(NEVER)
    return Reading(union([reading.type for reading in readings]), tuple(_told(readings)))


def _with(beside: Schema, branch: object) -> object:
    if not beside or not is_object(branch):
        return branch
    return {**branch, 'allOf': [*array_at(branch, 'allOf'), beside]}


def only_require(branches: Sequence[object]) -> bool:
    """Whether branches say no more than which keys go together."""
    return all(
        is_object(branch) and branch.keys() <= _ONLY_REQUIRES and names_at(branch, 'required') for branch in branches
    )


def requirement(branches: Sequence[Schema]) -> str:
    """That as a phrase: `needs a or b and c`."""
    return f'needs {" or ".join(" and ".join(names_at(branch, "required")) for branch in branches)}'


def _told(readings: Sequence[Reading]) -> Iterator[str]:
    """What the branches say, each with its type in front if there is more than one beside `null`."""
    several = sum(reading.type not in (NONE, NEVER) for reading in readings) > 1
    for reading in readings:
        if told := reading.note:
            label = _label(reading.type) if several else ''
            yield f'{label}: {told}' if label else told


def _label(type_: PyType) -> str:
    match type_:
        case Plain(name):
            return name
        case Choice(values):
            return ' or '.join(source_or_text(value) for _, value in values)
        case _:
            return ''
