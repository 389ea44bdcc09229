"""Slightly mutated schemas, rendered as Python."""

import ast
from random import Random
from typing import Any

from benchmarks.fuzz import mutations
from toolscript_signatures import Catalog, ToolSpec, signature_from_schema

_SCHEMAS: list[dict[str, Any]] = [
    {
        'type': 'object',
        'properties': {
            'id': {'type': 'integer', 'minimum': 1, 'description': 'Which one.'},
            'kind': {'enum': ['a', 'b', None], 'default': 'a'},
            'where': {'$ref': '#/$defs/Place'},
            'tags': {'type': 'array', 'items': {'type': 'string'}, 'maxItems': 3},
            'x-y': {'anyOf': [{'type': 'string', 'format': 'date'}, {'type': 'null'}]},
        },
        'required': ['id', 'where'],
        '$defs': {
            'Place': {
                'type': 'object',
                'properties': {'next': {'$ref': '#/$defs/Place'}, 'class': {'const': 1}},
                'required': ['class'],
                'additionalProperties': False,
            }
        },
    },
    {'type': 'object', 'allOf': [{'properties': {'a': {'type': ['string', 'number']}}}, {'properties': {'b': True}}]},
    {'properties': {'rows': {'prefixItems': [{'type': 'string'}], 'items': {'patternProperties': {'^a': {}}}}}},
    {'type': 'object', 'additionalProperties': {'type': 'object', 'additionalProperties': {'type': 'number'}}},
]


async def schema(random: Random) -> None:
    """Check that every text rendered from a mutated schema is valid Python."""
    names = [mutations.text(random, 'get-user')[:80] for _ in range(2)]
    specs = [_spec(random, name) for name in dict.fromkeys(names)]
    catalog = Catalog(specs)
    ast.parse(catalog.render().text)
    for function in catalog:
        for text in (function.render(), function.render('signature'), function.render('brief'), function.stub):
            ast.parse(text)
    made = signature_from_schema(name='tool', parameters_json_schema=specs[0].parameters or {})
    ast.parse('\n'.join([*made.type_definitions, made.signature]))


def _spec(random: Random, name: str) -> ToolSpec:
    parameters = mutations.value(random, random.choice(_SCHEMAS))
    return ToolSpec(name, parameters, mutations.text(random, 'Gets a user.'), returns=_some(random))


def _some(random: Random) -> Any:
    return mutations.value(random, random.choice(_SCHEMAS)) if random.random() < 0.5 else None
