"""The result of reading one schema, and the words for `type`."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from toolscript_signatures.types.json_values import Schema, text_at
from toolscript_signatures.types.notes import note, words
from toolscript_signatures.types.pytypes import ANY, BOOL, FLOAT, INT, NONE, STR, PyType


class Place(NamedTuple):
    """Where in a document a schema is."""

    at: str
    """A JSON pointer, or the reference that led here."""
    hint: str
    """What a type that is defined here should be called."""
    path: tuple[str, ...] = ()
    """The property names that lead here."""
    described: bool = False
    """Whether the description of what is here is shown where it is used, so that the type itself need not."""

    def under(self, *segments: str) -> 'Place':
        """A place further in, for what is called the same."""
        return Place('/'.join((self.at, *segments)), self.hint, self.path)

    def item(self, segment: str) -> 'Place':
        """The place of one of the many values here."""
        return Place(f'{self.at}/{segment}', singular(self.hint), self.path)

    def key(self, name: str) -> 'Place':
        """The place of a property, whose description is shown beside it."""
        escaped = name.replace('~', '~0').replace('/', '~1')
        return Place(f'{self.at}/properties/{escaped}', name, (*self.path, name), described=True)


class Reading(NamedTuple):
    """A schema as a type, with what the type does not say."""

    type: PyType
    phrases: tuple[str, ...] = ()
    """Ranges, formats and the like."""
    description: str = ''
    """The description, unless the type itself tells it."""

    @property
    def note(self) -> str:
        """All that the type does not say, on one line."""
        return note(self.description, self.phrases)


Read = Callable[[object, Place], Reading]
"""Reads the schema that is at a place."""

NOTHING_KNOWN = Reading(ANY)


def singular(name: str) -> str:
    """A plural without its ending, for the name of one item: `entries` becomes `entry`."""
    if name.endswith('ies') and len(name) > 4:
        return f'{name[:-3]}y'
    return name[:-1] if name.endswith('s') and not name.endswith('ss') and len(name) > 3 else name


PLAIN: Mapping[object, PyType] = {
    **dict.fromkeys(('string', 'str', 'text'), STR),
    **dict.fromkeys(('integer', 'int', 'int32', 'int64', 'long'), INT),
    **dict.fromkeys(('number', 'float', 'double', 'decimal'), FLOAT),
    **dict.fromkeys(('boolean', 'bool'), BOOL),
    **dict.fromkeys(('null', 'none', 'None', 'NoneType'), NONE),
}
"""The types of what is neither array nor object."""
ARRAYS = frozenset({'array', 'list', 'tuple', 'set'})
OBJECTS = frozenset({'object', 'dict', 'map'})

OBJECT_WORDS = frozenset({'properties', 'additionalProperties', 'patternProperties'})
"""Keywords of objects: a schema with one describes objects even if it does not say so."""
ARRAY_WORDS = frozenset({'items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'})

_COMPOUND = frozenset({'$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'not', 'nullable'})


def read_plain(schema: Schema) -> Reading | None:
    """The reading of a schema that says its type in one word, as most do."""
    name = schema.get('type')
    plain = PLAIN.get(name) if isinstance(name, str) and _COMPOUND.isdisjoint(schema) else None
    return plain and Reading(plain, words(schema), text_at(schema, 'description'))
