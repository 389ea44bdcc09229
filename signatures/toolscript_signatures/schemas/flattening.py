"""A schema made of others as one."""

from collections.abc import Iterator

from toolscript_signatures.shapes.json_values import Schema, array_at, is_object

from .merging import merge
from .references import REFERENCES, reference_of, resolve

_DEEPEST = 60
_COMPOSING = frozenset(('allOf', *REFERENCES))


def is_flat(schema: Schema) -> bool:
    """Whether a schema says all it says itself."""
    return _COMPOSING.isdisjoint(schema)


def flat(schema: Schema, root: object) -> Schema:
    """A schema with its `allOf`, and what a reference at its top points to, merged in.

    What is described here needs no description from there.
    """
    if is_flat(schema):
        return schema
    parts = list(_parts(schema, root, set(), _DEEPEST))
    described = any('description' in part for part, here in parts if here)
    return merge(part if here or not described else _undescribed(part) for part, here in parts)


def _undescribed(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != 'description'}


def unwrapped(schema: Schema) -> Schema:
    """A schema that says by `allOf` what it could say beside one reference, as that reference."""
    parts = [{key: value for key, value in schema.items() if key != 'allOf'}]
    parts += [dict(part) for part in array_at(schema, 'allOf') if is_object(part)]
    pointing = sum(reference_of(part) is not None for part in parts)
    return merge(parts) if pointing == 1 and not any('allOf' in part for part in parts) else schema


def _parts(
    schema: Schema, root: object, seen: set[str], deepest: int, here: bool = True
) -> Iterator[tuple[Schema, bool]]:
    """The schema without what it is composed of, and that; each with whether it stands here, not behind a reference."""
    yield {key: value for key, value in schema.items() if key not in _COMPOSING}, here
    if deepest == 0:
        return
    for part in filter(is_object, array_at(schema, 'allOf')):
        yield from _parts(part, root, seen, deepest - 1, here)
    reference = reference_of(schema)
    if reference is not None and reference not in seen:
        seen.add(reference)
        target = resolve(root, reference)
        if is_object(target):
            yield from _parts(target, root, seen, deepest - 1, False)
