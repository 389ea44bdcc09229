"""Real tool definitions, if they are available. None of them is part of the project."""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from tests.data_sets import NO_DATA, SHARED
from tests.signatures.broken_values import broken_values
from tests.signatures.checker import assert_known, diagnostics
from tests.signatures.schema_values import SchemaValues
from toolscript_signatures import Catalog, ToolFunction, ToolSpec
from toolscript_signatures.types.json_values import is_object, object_at, text_at

_SCHEMAS = SHARED / 'data' / 'schemas.jsonl'
pytestmark = pytest.mark.skipif(not _SCHEMAS.exists(), reason=NO_DATA)


@pytest.fixture(scope='module')
def catalog() -> Catalog:
    rows: list[dict[str, Any]] = [json.loads(line) for line in _SCHEMAS.read_text().splitlines()[::2]]
    return Catalog(
        [
            ToolSpec(row['name'], row['parameters_json_schema'], row['description'], returns=row.get('return_schema'))
            for row in rows
        ]
    )


def test_every_text_of_a_real_tool_parses(catalog: Catalog) -> None:
    ast.parse(catalog.render().text)
    for function in list(catalog)[::8]:
        ast.parse('\n'.join([function.render(), function.render('signature'), function.render('brief'), function.stub]))


def test_every_description_of_a_real_tool_is_shown(catalog: Catalog) -> None:
    for function in list(catalog)[::2]:
        shown = ' '.join(function.render(whole=True).split())
        for described in _descriptions(function.spec.parameters):
            text = ' '.join(described.split())
            assert text in shown or not text.isprintable(), (function.name, described)


def _descriptions(schema: Any) -> list[str]:
    properties: Mapping[str, Any] = object_at(schema, 'properties') if is_object(schema) else {}
    return [text_at(one, 'description') for one in properties.values() if is_object(one)]


def test_the_type_checker_accepts_all_real_stubs_together(catalog: Catalog) -> None:
    functions = list(catalog)
    for start in range(0, len(functions), 500):
        assert_known(functions[start : start + 500])


def test_the_type_checker_distinguishes_valid_arguments_from_broken_ones(catalog: Catalog) -> None:
    random = Random(20)
    functions = list(catalog)[7::23]
    valid: list[tuple[ToolFunction, Mapping[str, Any]]] = []
    broken: list[tuple[ToolFunction, Mapping[str, Any]]] = []
    for function in functions:
        values = SchemaValues(function.spec.parameters, random)
        drawn = values.draw(full=True)
        if not is_object(drawn) or not values.valid(drawn):
            continue
        named = {parameter.key: parameter.name for parameter in function.parameters}
        assert function.arguments([], {named[key]: value for key, value in drawn.items()}) == drawn
        valid.append((function, drawn))
        for kind, spoiled in broken_values(function.spec.parameters, dict(drawn), random, most=20):
            if kind.endswith(('missing key', 'wrong scalar')):
                broken.append((function, spoiled))
                break
    assert len(valid) > 50
    assert len(broken) > 40
    assert _refused(valid) == set()
    assert _refused(broken) == {function.name for function, _ in broken}


def _refused(calls: Sequence[tuple[ToolFunction, Mapping[str, Any]]]) -> set[str]:
    """Return the functions whose call the checker refuses."""
    lines = ['async def _call():']
    for function, arguments in calls:
        named = {parameter.key: parameter.name for parameter in function.parameters}
        written = ', '.join(f'{named[key]}={value!r}' for key, value in arguments.items())
        lines.append(f'    await {function.name}({written})')
    found = diagnostics([function for function, _ in calls], '\n'.join(lines))
    numbers = {int(number) for line in found for number in re.findall(r'^[^:]*:(\d+):', line)}
    return {function.name for number, (function, _) in enumerate(calls, len(calls) + 2) if number in numbers}
