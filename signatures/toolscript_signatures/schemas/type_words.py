"""The words that stand under `type`: those of JSON Schema, and what authors write for them."""

from collections.abc import Mapping

from toolscript_signatures.shapes.json_values import Schema, text_at
from toolscript_signatures.shapes.notes import words
from toolscript_signatures.shapes.pytypes import BOOL, FLOAT, INT, NONE, STR, PyType

from .reading import Reading

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
