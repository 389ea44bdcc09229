"""Schemas in Python: `keywords.txt` has schemas of one parameter, `parameters.txt` those of all."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from tests.text_cases import TextCase, text_cases
from toolscript_signatures import Catalog, ToolSpec

_HERE = Path(__file__).parent


def _shown(schema: Any, definitions: Any = None) -> str:
    """Return the lines that show a parameter `x` of a schema, types before it."""
    parameters = {'type': 'object', 'properties': {'x': schema}, 'required': ['x'], '$defs': definitions or {}}
    text = Catalog([ToolSpec('f', parameters)]).of('f').render()
    ast.parse(text)
    inner = text.removesuffix(' ...').removesuffix(') -> Any:')
    return inner.replace('async def f(', '').strip('\n ')


@pytest.mark.parametrize('case', text_cases(_HERE / 'keywords.txt'), ids=str)
def test_a_schema_is_shown(case: TextCase) -> None:
    schema: Any = json.loads(case.given)
    definitions = schema.pop('$defs', None) if '$defs' in case.given else None
    assert _shown(schema, definitions) == case.expected


@pytest.mark.parametrize('case', text_cases(_HERE / 'parameters.txt'), ids=str)
def test_arguments_are_read_from_any_schema(case: TextCase) -> None:
    assert Catalog([ToolSpec('f', json.loads(case.given))]).of('f').signature == case.expected


def test_a_recursive_schema_refers_to_itself_by_name() -> None:
    node: dict[str, Any] = {'type': 'object', 'properties': {'value': {'type': 'integer'}}}
    node['properties']['next'] = node
    assert _shown(node) == snapshot("""\
class X(TypedDict, total=False):
 value: int
 next: 'X'

x: X\
""")


@pytest.mark.parametrize(
    'description',
    ['plain', 'two\n\nparagraphs', 'ends in "', 'has \'\'\' and """', 'back\\slash', 'ends in \\', '"""', "'''", '"'],
)
def test_a_description_is_kept_word_for_word(description: str) -> None:
    text = Catalog([ToolSpec('f', {}, description)]).of('f').render()
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    assert ast.get_docstring(function) == description
