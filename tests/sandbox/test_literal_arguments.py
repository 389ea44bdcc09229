"""Literal arguments of scripts are validated before anything runs."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.sampling import sampled
from tests.sandbox.outcomes import completed, failed, run_script
from tests.sandbox.tables import Table
from tests.signatures.broken_values import broken_values
from tests.signatures.schema_values import SchemaValues
from tests.text_cases import TextCase, text_cases
from toolscript_sandbox import Call, Completed, Function, Outcome
from toolscript_signatures import Catalog, ToolSpec
from toolscript_signatures.types.json_values import is_object

_PLACE = {
    'title': 'Place',
    'type': 'object',
    'properties': {'city': {'type': 'string'}, 'zip': {'type': 'integer'}},
    'required': ['city'],
}
_PERSON_TYPE = {
    'title': 'Person',
    'type': 'object',
    'properties': {
        'name': {'type': 'string'},
        'kind': {'enum': ['adult', 'child']},
        'places': {'type': 'array', 'items': _PLACE},
        'scores': {'type': 'object', 'additionalProperties': {'type': 'number'}},
    },
    'required': ['name', 'kind', 'places'],
}
_PARAMETERS = {
    'type': 'object',
    'properties': {
        'person': _PERSON_TYPE,
        'tags': {'type': 'array', 'items': {'type': 'string'}},
        'when': {'anyOf': [{'type': 'string'}, {'type': 'integer'}, {'type': 'null'}]},
        'count': {'type': 'integer'},
        'span': {'type': 'array', 'prefixItems': [{'type': 'integer'}] * 2, 'items': False, 'minItems': 2},
    },
    'required': ['person'],
    'additionalProperties': False,
}


def _function(parameters: dict[str, Any], name: str = 'save') -> Function:
    made = next(iter(Catalog([ToolSpec(name, parameters)])))
    return Function(name, made.stub, validate=made.validate)


FUNCTION = _function(_PARAMETERS)


async def _outcome(code: str, function: Function) -> tuple[Outcome, int]:
    calls = 0

    async def dispatch(call: Call) -> str:
        nonlocal calls
        calls += 1
        return 'saved'

    return await run_script(code, Table({function.name: function}), dispatch), calls


PERSON = "{'name': 'Ada', 'kind': 'adult', 'places': [{'city': 'Oslo'}]}"


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('arguments.txt')), ids=str)
async def test_possible_arguments_run_and_impossible_ones_are_refused_with_their_place(case: TextCase) -> None:
    """After `=` it runs; otherwise the message has these words. PERSON is a literal person."""
    outcome, calls = await _outcome(case.given.replace('PERSON', PERSON), FUNCTION)
    if case.expected == '=':
        assert completed(outcome)
        assert calls > 0
    else:
        message = failed(outcome).error.message
        assert calls == 0
        assert [words for words in case.expected.split('\n') if words not in message] == []


async def test_the_validator_of_a_function_decides() -> None:
    asked = list[tuple[str, object]]()

    def validate(word: str, value: object) -> str | None:
        asked.append((word, value))
        return None if word == 'person' else '' if value is True else 'too many'

    function = replace(FUNCTION, validate=validate)
    taken, _ = await _outcome(f'await save({PERSON}, count=True)', function)
    bounded, calls = await _outcome(f'await save({PERSON}, count=99)', function)
    ready, _ = await _outcome(f'try:\n    await save({PERSON}, count=99)\nexcept ValueError:\n    pass', function)
    assert completed(taken)
    assert 'Argument `count` of function `save` is incorrect: too many' in failed(bounded).error.message
    assert completed(ready)
    assert calls == 0
    assert [given for word, given in asked if word == 'count'] == [True, 99, 99]


@pytest.mark.parametrize('seed', sampled(range(6), 1))
async def test_at_any_depth_of_any_schema_valid_values_run_and_invalid_ones_do_not(seed: int) -> None:
    random = Random(seed)
    schema = _schema(random, 3)
    function = _function(schema, 'tool')
    drawn = SchemaValues(schema, random).draw(full=True)
    assert is_object(drawn)
    taken, calls = await _outcome(f'await tool(**{dict(drawn)!r})', function)
    assert isinstance(taken, Completed), (drawn, taken)
    assert calls == 1
    for kind, broken in broken_values(schema, dict(drawn), random, most=20):
        refused, calls = await _outcome(f'await tool(**{broken!r})', function)
        assert calls == 0, (kind, broken, function.stub, refused)


def _schema(random: Random, depth: int) -> dict[str, object]:
    properties = {f'key{number}': _any(random, depth) for number in range(4)}
    required = [name for name in properties if random.random() < 0.7]
    return {'type': 'object', 'properties': properties, 'required': required, 'additionalProperties': False}


def _any(random: Random, depth: int) -> dict[str, object]:
    plain: list[dict[str, object]] = [
        {'type': 'string'},
        {'type': 'integer'},
        {'type': 'number'},
        {'type': 'boolean'},
        {'enum': [f'value {number}' for number in range(random.choice([3, 2_000]))]},
        {'anyOf': [{'type': 'integer'}, {'type': 'null'}]},
    ]
    if depth == 0 or random.random() < 0.3:
        return random.choice(plain)
    inner = _any(random, depth - 1)
    return random.choice(
        [
            {'type': 'array', 'items': inner, 'minItems': 1},
            {'type': 'object', 'additionalProperties': inner},
            _schema(random, depth - 1),
            {'anyOf': [_schema(random, depth - 1), {'type': 'null'}]},
        ]
    )


def test_values_that_take_too_long_to_validate_are_not_judged() -> None:
    nested: dict[str, Any] = {'$defs': {'T': {'anyOf': []}}, '$ref': '#/$defs/T'}
    branch = {'type': 'object', 'properties': {'next': {'$ref': '#/$defs/T'}}, 'required': ['next', 'end']}
    nested['$defs']['T']['anyOf'] = [{**branch, 'title': f'T{number}'} for number in range(4)]
    schema = {'type': 'object', 'properties': {'tree': {'$ref': '#/$defs/T'}}, '$defs': nested['$defs']}
    value: dict[str, Any] = {'end': 1}
    for _ in range(30):
        value = {'next': value, 'end': 1}
    function = _function(schema)
    assert function.validate is not None
    assert function.validate('tree', value) is None
