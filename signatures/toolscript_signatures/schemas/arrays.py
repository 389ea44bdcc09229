"""Arrays."""

from collections.abc import Sequence

from toolscript_signatures.shapes.json_values import Schema, array_at, is_array, is_object
from toolscript_signatures.shapes.pytypes import ANY, NEVER, ListOf, TupleOf, union

from .reading import Place, Read, Reading
from .type_words import ARRAY_WORDS


def means_array(schema: Schema) -> bool:
    """Whether a schema describes arrays that does not say so.

    Several `items` do not tell: authors mean "one of these", and the value is an object.
    """
    return not ARRAY_WORDS.isdisjoint(schema) and not is_array(schema.get('items'))


def read_array(schema: Schema, place: Place, read: Read) -> Reading:
    """A list; a tuple, if its length is fixed and each item has a schema of its own."""
    items = schema.get('items')
    firsts = array_at(schema, 'prefixItems') or (list(items) if is_array(items) else [])
    if firsts:
        rest = schema.get('additionalItems', True) if is_array(items) else schema.get('items', True)
        return _read_tuple(schema, firsts, rest, place, read)
    if not is_object(items):
        return Reading(ListOf(ANY))
    inner = read(items, place.item('items'))
    each = (f'each: {inner.note}',) if inner.note else ()
    return Reading(ListOf(inner.type if inner.type != NEVER else ANY), each)


def _read_tuple(schema: Schema, firsts: Sequence[object], rest: object, place: Place, read: Read) -> Reading:
    readings = [read(first, place.under('prefixItems', str(index))) for index, first in enumerate(firsts)]
    types = [reading.type for reading in readings]
    told = tuple(f'[{index}]: {reading.note}' for index, reading in enumerate(readings) if reading.note)
    if rest is False and schema.get('minItems') == len(firsts):
        return Reading(TupleOf(tuple(types)), told)
    more = [] if rest is False else [read(rest, place.under('items')).type]
    return Reading(ListOf(union([*types, *more])), told)
