"""`const` and `enum`."""

from collections.abc import Sequence

from toolscript_signatures.shapes.json_values import Schema, array_at, is_array, is_number
from toolscript_signatures.shapes.literals import source_or_text
from toolscript_signatures.shapes.pytypes import ANY, FLOAT, NONE, Choice, DictOf, ListOf, PyType, Value, union

from .reading import Reading
from .type_words import ARRAYS


def read_enum(schema: Schema) -> Reading:
    """One of the values of `enum`. Some authors of arrays mean the items by it."""
    values = array_at(schema, 'enum')
    kind = schema.get('type')
    if isinstance(kind, str) and kind in ARRAYS and not any(map(is_array, values)):
        return Reading(ListOf(read_constants(values).type))
    return read_constants(values)


def read_constants(values: Sequence[object]) -> Reading:
    """One of some values: those that `Literal` cannot hold by their type, and told."""
    choices: list[tuple[type, Value]] = []
    types: list[PyType] = []
    others: list[str] = []
    for value in values:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is None:
            types.append(NONE)
        elif isinstance(value, str | int):
            choices.append((type(value), value))
        else:
            types.append(FLOAT if is_number(value) else ListOf(ANY) if is_array(value) else DictOf(ANY))
            others.append(source_or_text(value))
    chosen: list[PyType] = [Choice(tuple(dict.fromkeys(choices)))] if choices else []
    if chosen and not types:
        return Reading(chosen[0])
    return Reading(union([*chosen, *types]), (f'one of {", ".join(others)}',) if others else ())
