import ast
from typing import Any

import pytest
from inline_snapshot import snapshot

from toolscript_signatures import Catalog, ToolSpec


def _shown(schema: Any, **rest: Any) -> str:
    """The lines in which a property `x` of a schema is shown, types before it."""
    parameters = {'type': 'object', 'properties': {'x': schema}, 'required': ['x'], **rest}
    text = Catalog([ToolSpec('f', parameters)]).of('f').render()
    ast.parse(text)
    inner = text.removesuffix(' ...').removesuffix(') -> Any:')
    return inner.replace('async def f(', '').strip('\n ')


_SHOWN: list[tuple[Any, str]] = [
        ({'type': 'string'}, 'x: str'),
        ({'type': ['string', 'null']}, 'x: str | None'),
        ({'type': 'string', 'nullable': True}, 'x: str | None'),
        ({'type': 'float'}, 'x: float'),
        ({'type': 'dict'}, 'x: dict'),
        ({'type': 'file'}, 'x: Any # file'),
        ({'type': 'string', 'format': 'date-time'}, 'x: str # date-time'),
        ({'type': 'string', 'minLength': 1, 'maxLength': 5, 'pattern': '^a'}, 'x: str # 1..5 chars, /^a/'),
        ({'type': 'string', 'minLength': 4, 'maxLength': 4}, 'x: str # 4 chars'),
        ({'type': 'integer', 'minimum': 1}, 'x: int # >=1'),
        ({'type': 'number', 'exclusiveMinimum': 0, 'maximum': 1.5, 'multipleOf': 0.5}, 'x: float # >0, <=1.5, multiple of 0.5'),
        ({'type': 'number', 'minimum': 0, 'exclusiveMinimum': True}, 'x: float # >0'),
        ({'type': 'array', 'items': {'type': 'integer'}, 'minItems': 1, 'uniqueItems': True}, 'x: list[int] # >=1 items, unique'),
        ({'type': 'array', 'items': {'type': 'string', 'format': 'uri', 'description': 'A link'}}, 'x: list[str] # each: A link (uri)'),
        ({'type': 'array'}, 'x: list'),
        ({'type': 'array', 'prefixItems': [{'type': 'integer'}, {'type': 'string'}], 'items': False, 'minItems': 2}, 'x: tuple[int, str] # >=2 items'),
        ({'type': 'array', 'items': [{'type': 'integer'}, {'type': 'string'}]}, 'x: list'),
        ({'items': {'type': 'integer'}}, 'x: list[int]'),
        ({'items': [{'type': 'object'}, {'type': 'string'}]}, 'x: Any'),
        ({'type': 'array', 'items': [{'type': 'integer'}, {'type': 'string'}], 'additionalItems': False}, 'x: list[int | str]'),
        ({'type': 'object', 'additionalProperties': {'type': 'integer', 'minimum': 0}}, 'x: dict[str, int] # values: >=0'),
        ({'type': 'object', 'patternProperties': {'^a': {'type': 'integer'}}}, 'x: dict[str, int] # keys /^a/'),
        ({'enum': ['a', 'b', None]}, "x: Literal['a','b'] | None"),
        ({'enum': [1, 2.5]}, 'x: Literal[1] | float # one of 2.5'),
        ({'type': 'array', 'enum': ['a', 'b'], 'items': {'type': 'string'}}, "x: list[Literal['a','b']]"),
        ({'const': 'a'}, "x: Literal['a']"),
        ({'const': True}, 'x: Literal[True]'),
        ({'anyOf': [{'type': 'integer'}, {'type': 'string', 'description': 'A name'}]}, 'x: int | str # str: A name'),
        ({'oneOf': [{'const': 'a', 'description': 'First'}, {'const': 'b'}]}, "x: Literal['a','b'] # 'a': First"),
        ({'anyOf': [{'type': 'string', 'minLength': 1}, {'type': 'null'}]}, 'x: str | None # >=1 chars'),
        ({'anyOf': [{'not': {}}, {'type': 'string'}]}, 'x: str'),
        ({'allOf': [{'type': 'integer', 'minimum': 1}, {'minimum': 3, 'maximum': 9}]}, 'x: int # 3..9'),
        ({'type': 'string', 'description': 'Two\n  lines'}, 'x: str # Two lines'),
        ({'type': 'string', 'title': 'X'}, 'x: str'),
        ({'type': 'string', 'title': 'What to look for'}, 'x: str # What to look for'),
        ({'type': 'string', 'deprecated': True, 'readOnly': True}, 'x: str # deprecated, read-only'),
        ({'type': 'string', 'examples': ['abc', 'd'], 'description': 'For example abc'}, "x: str # For example abc (like 'd')"),
        ({'type': 'boolean', 'examples': [True]}, 'x: bool'),
        ({'type': 'string', 'contentEncoding': 'base64'}, 'x: str # base64'),
        ({'type': 'object', 'not': {'required': ['a']}}, 'x: dict # not: {"required":["a"]}'),
        ({'if': {'type': 'string'}, 'then': {'minLength': 1}}, 'x: Any # if: {"type":"string"}, then: {"minLength":1}'),
        (True, 'x: Any'),
        (False, 'x: Any'),
        ('nonsense', 'x: Any'),
        ({'$ref': '#/$defs/gone', 'description': 'Lost'}, 'x: Any # Lost (gone)'),
        ({'$ref': 'https://schemas.example/pet.json', 'type': 'object'}, 'x: dict # pet'),
        ({}, 'x: Any'),
    ]  # fmt: skip


@pytest.mark.parametrize(('schema', 'shown'), _SHOWN)
def test_a_keyword_is_shown(schema: Any, shown: str) -> None:
    assert _shown(schema) == shown


def test_a_reference_names_a_type_after_its_definition() -> None:
    definitions = {'pet-type': {'type': 'object', 'description': 'A pet.', 'properties': {'age': {'type': 'integer'}}}}
    assert _shown({'$ref': '#/$defs/pet-type', 'description': 'Yours.'}, **{'$defs': definitions}) == snapshot("""\
class PetType(TypedDict, total=False): # A pet.
 age: int


 x: PetType # Yours.\
""")


def test_what_is_said_beside_a_reference_is_told_and_leaves_the_type_its_name() -> None:
    definitions = {
        'Pet': {'type': 'object', 'description': 'A pet.', 'properties': {'age': {'type': 'integer'}}},
        'Size': {'type': 'string', 'description': 'How tall.', 'enum': ['s', 'm']},
    }
    pet, size = {'$ref': '#/$defs/Pet'}, {'$ref': '#/$defs/Size'}
    properties = {
        'beside': {**pet, 'examples': [{'age': 3}], 'deprecated': True},
        'pydantic': {'allOf': [pet], 'description': 'The second.'},
        'openapi': {'allOf': [pet, {'description': 'The third.', 'nullable': True}]},
        'each': {'type': 'array', 'items': {**pet, 'description': 'One of them.'}},
        'size': size,
        'sizes': {'type': 'array', 'items': size},
    }
    assert _shown({'type': 'object', 'properties': properties}, **{'$defs': definitions}) == snapshot("""\
class Pet(TypedDict, total=False): # A pet.
 age: int

class X(TypedDict, total=False):
 beside: Pet # deprecated, like {'age': 3}
 pydantic: Pet # The second.
 openapi: Pet | None # The third.
 each: list[Pet] # each: One of them.
 size: Literal['s','m'] # How tall.
 sizes: list[Literal['s','m']] # each: How tall.

x: X\
""")


def test_a_type_that_widens_another_needs_only_its_own_description() -> None:
    definitions: dict[str, Any] = {
        'Base': {'type': 'object', 'description': 'Anything.', 'properties': {'id': {'type': 'integer'}}},
        'Pet': {'allOf': [{'$ref': '#/$defs/Base'}, {'description': 'A pet.', 'properties': {'age': {}}}]},
        'Copy': {'allOf': [{'$ref': '#/$defs/Base'}, {'properties': {'of': {}}}]},
    }
    properties = {'pet': {'$ref': '#/$defs/Pet'}, 'copy': {'$ref': '#/$defs/Copy'}}
    assert _shown({'type': 'object', 'properties': properties}, **{'$defs': definitions}) == snapshot("""\
class Pet(TypedDict, total=False): # A pet.
 age: Any
 id: int

class Copy(TypedDict, total=False): # Anything.
 of: Any
 id: int

class X(TypedDict, total=False):
 pet: Pet
 copy: Copy

x: X\
""")


_NODE = {'properties': {'next': {'allOf': [{'$ref': '#/$defs/Node'}, {'minProperties': 1}]}}}
_DYNAMIC = {'$dynamicAnchor': 'node', 'properties': {'next': {'$dynamicRef': '#node'}}}
_TREE = {'properties': {'children': {'type': 'array', 'items': {'$ref': '#/$defs/Maybe'}}}}


@pytest.mark.parametrize(
    ('definitions', 'shown'),
    [
        (
            {'Node': _NODE},
            snapshot("""\
class Node(TypedDict, total=False):
 next: 'Node' # >=1 keys

x: Node\
"""),
        ),
        (
            {'Node': _DYNAMIC},
            snapshot("""\
class Node(TypedDict, total=False):
 next: 'Node'

x: Node\
"""),
        ),
        (
            {'Node': _TREE, 'Maybe': {'anyOf': [{'$ref': '#/$defs/Node'}, {'type': 'null'}]}},
            snapshot("""\
class Node(TypedDict, total=False):
 children: 'list[Node | None]'

x: Node\
"""),
        ),
        ({'Node': {'type': 'array', 'items': {'$ref': '#/$defs/Node'}}}, snapshot('x: list')),
    ],
)
def test_circles_end(definitions: Any, shown: str) -> None:
    assert _shown({'$ref': '#/$defs/Node'}, **{'$defs': definitions}) == shown


def test_a_schema_that_holds_itself_names_itself() -> None:
    node: dict[str, Any] = {'type': 'object', 'properties': {'value': {'type': 'integer'}}}
    node['properties']['next'] = node
    assert _shown(node) == snapshot("""\
class X(TypedDict, total=False):
 value: int
 next: 'X'

x: X\
""")


def test_types_may_refer_to_themselves_and_to_each_other() -> None:
    definitions = {
        'Node': {'type': 'object', 'properties': {'edges': {'type': 'array', 'items': {'$ref': '#/$defs/Edge'}}}},
        'Edge': {'type': 'object', 'properties': {'to': {'$ref': '#/$defs/Node'}}, 'required': ['to']},
    }
    assert _shown({'$ref': '#/$defs/Node'}, **{'$defs': definitions}) == snapshot("""\
class Edge(TypedDict):
 to: 'Node'

class Node(TypedDict, total=False):
 edges: list[Edge]

x: Node\
""")


def test_keys_that_are_no_identifiers_keep_their_json_names() -> None:
    schema = {'type': 'object', 'properties': {'from': {'type': 'string', 'description': 'Sender'}, 'x-id': {}}}
    assert _shown(schema) == snapshot("""\
X = TypedDict('X', {
 'from': str, # Sender
 'x-id': Any,
}, total=False)

x: X\
""")


def test_an_object_may_say_of_which_type_its_other_keys_are() -> None:
    schema = {
        'type': 'object',
        'properties': {'id': {'type': 'integer'}},
        'required': ['id'],
        'additionalProperties': {'type': 'string'},
    }
    assert _shown(schema) == snapshot("""\
class X(TypedDict): # other keys: str
 id: int

x: X\
""")


def test_alternatives_that_only_require_become_a_note() -> None:
    schema = {
        'type': 'object',
        'properties': {'a': {'type': 'string'}, 'b': {'type': 'string'}},
        'anyOf': [{'required': ['a']}, {'required': ['b']}],
    }
    assert _shown(schema) == snapshot("""\
class X(TypedDict, total=False):
 a: str
 b: str


 x: X # needs a or b\
""")


_SIGNATURES: list[tuple[Any, str]] = [
        (None, 'async def f(**extra: Any) -> Any: ...'),
        (True, 'async def f(**extra: Any) -> Any: ...'),
        ({}, 'async def f() -> Any: ...'),
        ({'type': 'object', 'properties': ['a']}, 'async def f(**extra: Any) -> Any: ...'),
        ({'type': 'object', 'required': ['a', 3]}, 'async def f(a: Any) -> Any: ...'),
        ({'type': 'object', 'properties': {'a': {'type': 'string', 'required': True}, 'b': {}}}, 'async def f(a: str, b: Any = ...) -> Any: ...'),
        ({'type': 'object', 'additionalProperties': {'type': 'string'}}, 'async def f(**extra: str) -> Any: ...'),
        ({'$ref': '#/$defs/A', '$defs': {'A': {'properties': {'a': {'type': 'string'}}}}}, 'async def f(a: str = ...) -> Any: ...'),
        ({'allOf': [{'properties': {'a': {}}}, {'properties': {'b': {}}, 'required': ['b']}]}, 'async def f(b: Any, a: Any = ...) -> Any: ...'),
        ({'oneOf': [{'properties': {'a': {'type': 'string'}}, 'required': ['a']}, {'properties': {'b': {}, 'a': {'type': 'integer'}}, 'required': ['a', 'b']}]}, 'async def f(a: str | int, b: Any = ...) -> Any: ...'),
    ]  # fmt: skip


@pytest.mark.parametrize(('parameters', 'signature'), _SIGNATURES)
def test_arguments_are_read_from_any_schema(parameters: Any, signature: str) -> None:
    assert Catalog([ToolSpec('f', parameters)]).of('f').signature == signature


@pytest.mark.parametrize(
    'description',
    ['plain', 'two\n\nparagraphs', 'ends in "', 'has \'\'\' and """', 'back\\slash', 'ends in \\', '"""', "'''", '"'],
)
def test_a_description_is_kept_word_for_word(description: str) -> None:
    text = Catalog([ToolSpec('f', {}, description)]).of('f').render()
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    assert ast.get_docstring(function) == description
