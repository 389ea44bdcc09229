"""Where a `$ref` points."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from toolscript_signatures.shapes.json_values import Schema, is_array, is_object, object_at

REFERENCES = ('$ref', '$dynamicRef', '$recursiveRef')
"""The keywords that point to another schema. What is dynamic about the later two is beyond a single document."""

_REFERENCES = frozenset(REFERENCES)
_DEFINITIONS = ('$defs', 'definitions')


def reference_of(schema: Schema) -> str | None:
    """Where a schema points, if it does."""
    if _REFERENCES.isdisjoint(schema):
        return None
    for key in REFERENCES:
        if isinstance(reference := schema.get(key), str):
            return reference
    return None


def resolve(root: object, reference: str) -> object | None:
    """The schema a `$ref` of the document names, or `None`.

    Reads JSON pointers into any place of the document, `$anchor`, `$dynamicAnchor` and `$id`, and, as a last resort for
    references whose document is not at hand, a definition that has the reference's last segment as its name.
    """
    if not is_object(root):
        return None
    if reference in ('#', ''):
        return root
    if reference.startswith('#/'):
        found = _follow(root, reference[2:])
        return _definition(root, reference) if found is None else found
    return _named(root, reference.removeprefix('#')) or _definition(root, reference)


def last_segment(reference: str) -> str:
    """The name at the end of a reference: `Pet` of `#/$defs/Pet`."""
    return _unescape(reference.rstrip('/#').rpartition('/')[2].removeprefix('#')).removesuffix('.json')


def _follow(value: Any, pointer: str) -> object | None:
    for segment in map(_unescape, pointer.split('/')):
        if is_object(value) and segment in value:
            value = value[segment]
        elif is_array(value) and segment.isdecimal() and int(segment) < len(value):
            value = value[int(segment)]
        else:
            return None
    return value


def _unescape(segment: str) -> str:
    return unquote(segment).replace('~1', '/').replace('~0', '~')


def _definition(root: Schema, reference: str) -> object | None:
    name = last_segment(reference)
    return next((object_at(root, key)[name] for key in _DEFINITIONS if name in object_at(root, key)), None)


def _named(root: Schema, name: str) -> Schema | None:
    for schema in _definitions(root):
        if name in (schema.get('$anchor'), schema.get('$dynamicAnchor'), schema.get('$id'), schema.get('id')):
            return schema
    return None


def _definitions(root: Schema) -> Iterator[Schema]:
    yield root
    for key in _DEFINITIONS:
        yield from filter(is_object, object_at(root, key).values())
