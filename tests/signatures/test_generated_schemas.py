"""Any schema becomes Python: generated ones, and those that authors and generators write."""

import ast
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.signatures.checker import assert_known
from tests.signatures.json_schemas import argument_schemas, names, schemas, texts
from toolscript_signatures import Catalog, ToolSpec, signature_from_schema

_specs = st.builds(
    ToolSpec,
    name=names,
    parameters=argument_schemas,
    description=st.one_of(st.none(), texts),
    returns=st.one_of(st.none(), schemas),
    sequential=st.booleans(),
)
_often = settings(max_examples=15)


@_often
@given(st.lists(_specs, max_size=4))
def test_every_generated_text_parses(specs: list[ToolSpec]) -> None:
    catalog = Catalog(specs, reserved=['run_code'])
    for function in catalog:
        for source in (function.render('brief'), function.render('signature'), function.render(), function.stub):
            ast.parse(source)
        assert ast.parse(function.signature)
    ast.parse(catalog.render().text)
    ast.parse(catalog.render(detail='signature', budget=100).text)


@_often
@given(names, argument_schemas, st.one_of(st.none(), texts), st.one_of(st.none(), schemas))
def test_every_plain_signature_parses(name: str, takes: Any, description: str | None, gives: Any) -> None:
    found = signature_from_schema(
        name=name, parameters_json_schema=takes, description=description, return_json_schema=gives
    )
    ast.parse('\n\n'.join([*found.type_definitions, found.signature]))


@settings(_often, max_examples=8)
@given(st.lists(_specs, min_size=1, max_size=4))
def test_the_type_checker_accepts_every_stub(specs: list[ToolSpec]) -> None:
    assert_known([*Catalog(specs)])


@_often
@given(st.lists(names, max_size=8))
def test_every_tool_has_a_unique_name(wanted: list[str]) -> None:
    catalog = Catalog([ToolSpec(name, {}) for name in wanted])
    given_names = [function.name for function in catalog]
    assert all(name.isidentifier() and not name.startswith('_') for name in given_names)
    assert len(set(given_names)) == len(wanted)
    assert [function.name for function in Catalog([ToolSpec(name, {}) for name in wanted])] == given_names


def _object(**properties: Any) -> dict[str, Any]:
    return {'type': 'object', 'properties': properties}


def _deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {'type': 'string'}
    for _ in range(levels):
        schema = {'type': 'array', 'items': schema}
    return schema


_QUOTES = 'q"""\'\'\'\\ \x00 \ud800 \u202e\u2028 end\\'
_KEYS = ('', '__a', 'class', 'None', 'a b', "it's", '"', '\\', '\n', '日本', 'ﬁ', 'int', 'str', 'Required', '_', '\x00')
_CROWD = {
    f'D{one}': _object(**{f'p{n}': {'$ref': f'#/$defs/D{(one * 7 + n) % 20}', 'minProperties': 1} for n in range(4)})
    for one in range(20)
}
_DOUBLING = {f'D{one}': {'anyOf': [{'$ref': f'#/$defs/D{one + 1}'}] * 2} for one in range(30)}
_ESCAPED = {'a/b': {'type': 'string'}, 'c%d': {'type': 'integer'}, 'e~f': {'enum': ['z']}, 'g h': {'type': 'boolean'}}
_KINDS = [_object(kind={'const': 'a'}, v={'type': 'string'}), _object(kind={'const': 'b'}, v={'type': 'integer'})]
_TOOLS: dict[str, Any] = {
    'deep': _object(x=_deep(3000)),
    'crowd': {'$defs': _CROWD, **_object(x={'$ref': '#/$defs/D0'})},
    'doubling': {'$defs': _DOUBLING, **_object(x={'$ref': '#/$defs/D0'})},
    'quotes': _object(**{_QUOTES: {'description': _QUOTES, 'default': _QUOTES, 'enum': [_QUOTES], 'pattern': _QUOTES}}),
    'names': _object(**{key: {'type': 'integer'} for key in _KEYS}),
    'keys': _object(x=_object(**{key: {'type': 'integer'} for key in _KEYS})),
    'required': {'properties': {'a': {}}, 'required': ['a', 'b', 3, None, 'b']},
    'no_required': {'properties': {'a': {}}, 'required': 'a'},
    'numbers': _object(a={'type': 'integer', 'minimum': 1.0, 'maximum': 1e400}, b={'const': 1.0}, c={'enum': [10**5000]}),
    'defaults': _object(a={'type': 'number', 'default': float('nan')}, b={'type': 'string', 'default': 5}),
    'mixed': _object(x={'enum': [1, '1', True, None, 1.5, [1], {'a': 1}, float('inf')]}),
    'escaped': {'$defs': _ESCAPED, **_object(a={'$ref': '#/$defs/a~1b'}, b={'$ref': '#/$defs/c%25d'}, c={'$ref': '#/$defs/e~0f'}, d={'$ref': '#/$defs/g%20h'})},
    'circle': {'$defs': {'A': {'$ref': '#/$defs/B'}, 'B': {'$ref': '#/$defs/A'}}, **_object(x={'$ref': '#/$defs/A'})},
    'kinds': {'oneOf': _KINDS, 'discriminator': {'propertyName': 'kind'}},
    'conflict': _object(x={'allOf': [{'type': 'string'}, {'type': 'integer'}]}, y={'allOf': [{'const': 1}, {'const': 2}]}),
    'rules': {**_object(a={}), 'if': {'required': ['a']}, 'else': False, 'propertyNames': {'pattern': '('}},
    'nonsense': _object(a={'description': 5, 'enum': 'abc', 'items': 5, 'anyOf': 5, 'allOf': {}, 'default': ...}),
    'python': {'properties': {1: {'enum': {'x'}}, None: {'default': {1}}}, 'required': [1]},
}  # fmt: skip


@pytest.mark.parametrize('name', _TOOLS)
def test_an_unusual_schema_is_still_read(name: str) -> None:
    function = Catalog([ToolSpec(name, _TOOLS[name], _QUOTES, _TOOLS[name])]).of(name)
    for text in (function.render(), function.render('signature'), function.render('brief'), function.stub):
        ast.parse(text)
    assert function.parameters
    plain = signature_from_schema(name=name, parameters_json_schema=_TOOLS[name], return_json_schema=_TOOLS[name])
    ast.parse('\n\n'.join([*plain.type_definitions, plain.signature]))


def test_references_with_escapes_are_resolved() -> None:
    signature = Catalog([ToolSpec('f', _TOOLS['escaped'])]).of('f').signature
    assert signature == "async def f(a: str = ..., b: int = ..., c: Literal['z'] = ..., d: bool = ...) -> Any: ..."


def test_the_type_checker_accepts_all_unusual_stubs_together() -> None:
    catalog = Catalog([ToolSpec(name, schema, None, schema) for name, schema in _TOOLS.items()])
    ast.parse(catalog.render().text)
    assert_known([*catalog])


def test_another_process_gives_the_same_bytes() -> None:
    code = """
import hashlib, pickle, sys
from toolscript_signatures import Catalog, ToolSpec
text = Catalog([ToolSpec(name, schema, None, schema) for name, schema in pickle.load(sys.stdin.buffer)]).render().text
print(hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest())
"""
    # A set has another order in each process, and `pickle` supports less depth.
    tools = pickle.dumps([(name, schema) for name, schema in _TOOLS.items() if name not in ('python', 'deep')])
    first, second = [
        subprocess.check_output([sys.executable, '-c', code], input=tools, env={**os.environ, 'PYTHONHASHSEED': seed})
        for seed in ('1', '2')
    ]
    assert first == second != b''
