"""Hypothesis strategies for JSON schemas, valid and malformed."""

from typing import Any

from hypothesis import strategies as st

_AWKWARD = (
    *('name', 'user_id', 'from', 'class', 'x-api-key', '$filter', '__typename', '_id', 'id', 'str', 'list', 'Any'),
    *('TypedDict', 'None', 'print', '2fa', '', ' ', 'a b', 'a-b', 'a_b', 'A', 'é', 'ﬁ', '日本', '👍', '__debug__'),
    *('extra', 'self', 'await', 'async', 'match', '\n', "'", '"""', '\\', '\x00', '\x01', '\ud800', 'tool', 'User'),
)
names = st.one_of(st.sampled_from(_AWKWARD), st.text(max_size=6))
texts = st.one_of(
    st.sampled_from(
        ['', 'A word.', 'Two\nlines', '"""', "'''", 'ends in "', 'back\\slash', '\\', '# no', '\x00\x01\x02']
    ),
    st.text(max_size=30),
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)),
    max_leaves=5,
)
_kinds = st.sampled_from(
    ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object', 'dict', 'float', 'any', 'x']
)
_references = st.sampled_from(
    ['#', '#/$defs/A', '#/$defs/B', '#/definitions/A', '#/properties/name', '#anchor', '?', 'A']
)
_numbers = st.one_of(st.integers(-5, 5), st.floats(), st.booleans())


def _keywords(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    """Return strategies for the keywords, with values of roughly the right kind."""
    branches = st.lists(inner, max_size=3)
    named = st.dictionaries(names, inner, max_size=3)
    return {
        'type': st.one_of(_kinds, st.lists(_kinds, max_size=3)),
        'properties': named,
        'required': st.lists(names, max_size=3),
        'additionalProperties': st.one_of(st.booleans(), inner),
        'patternProperties': named,
        'items': st.one_of(inner, branches),
        'prefixItems': branches,
        **dict.fromkeys(('anyOf', 'oneOf', 'allOf'), branches),
        'not': inner,
        '$ref': _references,
        '$defs': st.fixed_dictionaries({'A': inner, 'B': inner}),
        'definitions': st.fixed_dictionaries({'A': inner}),
        'enum': st.lists(values, max_size=4),
        'const': values,
        'default': values,
        'examples': st.lists(values, max_size=2),
        **dict.fromkeys(('description', 'title', 'format', 'pattern', '$anchor'), texts),
        **dict.fromkeys(('minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxItems', 'multipleOf'), _numbers),
        **dict.fromkeys(('nullable', 'deprecated', 'readOnly', 'uniqueItems'), st.booleans()),
        'dependentRequired': st.dictionaries(names, st.lists(names, max_size=2), max_size=2),
    }


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({}, optional=_keywords(inner))


def _mad(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(st.sampled_from(sorted(_keywords(st.none()))), st.one_of(values, inner), max_size=4)


schemas: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.fixed_dictionaries({'type': _kinds}), st.booleans(), values),
    lambda inner: st.one_of(_schemas(inner), _mad(inner)),
    max_leaves=8,
)


def _arguments_object(properties: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    return {'type': 'object', 'properties': properties, **rest}


argument_schemas: st.SearchStrategy[Any] = st.one_of(
    schemas,
    st.builds(
        _arguments_object,
        st.dictionaries(names, schemas, max_size=5),
        st.fixed_dictionaries(
            {},
            optional={
                'required': st.lists(names, max_size=3),
                'additionalProperties': st.booleans(),
                '$defs': st.fixed_dictionaries({'A': schemas, 'B': schemas}),
            },
        ),
    ),
)
