"""Arguments that a script writes out are judged by their values, before anything runs."""

import ast
import sys
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

import pytest

from tests.sampling import sampled
from tests.signatures.broken_values import broken_values
from tests.signatures.schema_values import SchemaValues
from toolscript_sandbox import Call, Completed, Failed, Function, Outcome, Sandbox
from toolscript_sandbox.checking.arguments import judged
from toolscript_signatures import Catalog, ToolSpec
from toolscript_signatures.shapes.json_values import is_object

pytestmark = pytest.mark.anyio

TraceFunction = Callable[[FrameType, str, Any], Any]

_STUB = """\
from typing import Literal, NotRequired, TypedDict
class Place(TypedDict):
    city: str
    zip: NotRequired[int]
class Person(TypedDict):
    name: str
    kind: Literal['adult', 'child']
    places: list[Place]
    scores: NotRequired[dict[str, float]]
async def save(person: Person, tags: list[str] = ..., when: str | int | None = ..., count: int = ...) -> str: ...
"""


class _Save:
    def __init__(self, function: Function) -> None:
        self._function = function

    def get(self, name: str, /) -> Function | None:
        return self._function if name == self._function.name else None

    def hint(self, name: str, /) -> str | None:
        return None


async def _outcome(code: str, function: Function) -> tuple[Outcome, int]:
    calls = 0

    async def dispatch(call: Call) -> str:
        nonlocal calls
        calls += 1
        return 'saved'

    async with Sandbox.shared().session() as session:
        return await session.run(code, _Save(function), dispatch), calls


_PERSON = "{'name': 'Ada', 'kind': 'adult', 'places': [{'city': 'Oslo'}]}"
_VALID = [
    f'await save({_PERSON})',
    f'person = {_PERSON}\nawait save(person)',
    f'person = {_PERSON}\nawait save(person=person, count="101")',
    "place = {'city': 'Oslo'}\nplace['zip'] = 150\nawait save({'name': 'Ada', 'kind': 'adult', 'places': [place]})",
    "person = {}\nperson['name'] = 'Ada'\nperson.update(kind='adult', places=[])\nawait save(person)",
    "person = {'name': 'Ada'}\nfor key in ['kind']:\n    person[key] = 'adult'\nperson['places'] = []\nawait save(person)",
    "person = {'name': 'Ada'}\ndef whole(it):\n    it['kind'] = 'adult'\n    it['places'] = []\nwhole(person)\nawait save(person)",
    "person = {'name': 'Ada'}\nother = person\nother.update({'kind': 'adult', 'places': []})\nawait save(person)",
    f'person = {{}}\nasync def go():\n    return await save(person)\nperson.update({_PERSON})\nawait go()',
    f'base = {_PERSON}\nawait save({{**base, "name": "Bob"}}, tags=["a", *["b"]])',
    f'tags = []\nfor n in range(2):\n    tags.append(str(n))\nawait save({_PERSON}, tags)',
    f'kind = "child"\nif 1 > 2:\n    kind = 7\nawait save({{**{_PERSON}, "kind": kind}})',
    f'n = 1\nawait save({_PERSON}, when=f"{{n}}", count=n + 1)',
    f'await save({_PERSON}, when=None)',
    f'given = [{_PERSON}]\nawait save(*given)',
    f'given = {{"tags": ["a"]}}\nawait save({_PERSON}, **given)',
    f'count = "many"\nif not count.isdigit():\n    count = 3\nawait save({_PERSON}, count=count)',
    f'person = other = {{}}\nother.update({_PERSON})\nawait save(person)',
    f'people = [{{}}, {{}}]\nfor each in people:\n    each.update({_PERSON})\n    await save(each)\nawait save(people[0])',
    f'await save(**{{"person": {_PERSON}}})',
]
_BROKEN = [
    ("await save({'name': 'Ada', 'kind': 'adult'})", '`person`', 'Missing required key places of `Person`'),
    ("await save({'name': 'Ada', 'kind': 'old', 'places': []})", "`person['kind']`", "found `'old'`"),
    ("await save({'name': 'Ada', 'kind': ['adult'], 'places': []})", "`person['kind']`", 'found a list'),
    (
        "p = {'city': 7}\nawait save({'name': 'A', 'kind': 'child', 'places': [p]})",
        "`person['places'][0]['city']`",
        '`7`',
    ),
    ("await save({'name': 'A', 'kind': 'child', 'places': [{}]})", "`person['places'][0]`", 'key city of `Place`'),
    ("await save({'name': 'A', 'kind': 'child', 'places': [], 'x': 1})", '`person`', 'Unknown key `x` of `Person`'),
    (f'await save({_PERSON}, [7])', '`tags[0]`', 'Expected `str`, found `7`'),
    (f'tags = ["a"]\ntags.append(7)\nawait save({_PERSON}, tags)', '`tags[1]`', 'found `7`'),
    (f'await save({_PERSON}, count="zz")', '`count`', "found `'zz'`"),
    (f'await save({_PERSON}, count=True)', '`count`', 'found `True`'),
    (f'await save({_PERSON}, when={{"a": ["b"]}})', '`when`', 'found a dict'),
    (f'await save({{**{_PERSON}, "scores": {{"k": ["a"]}}}})', "`person['scores']['k']`", 'found a list'),
    ("person = {}\nperson['name'] = 'Ada'\nawait save(person)", '`person`', 'Missing required keys kind, places'),
    (
        "kind = 'a'\nif 1 > 2:\n    kind = 7\nawait save({'name': 'A', 'kind': kind, 'places': []})",
        "['kind']`",
        'found',
    ),
    ("await save(**{'count': 1})", '`save`', 'is missing `person`'),
]


@pytest.mark.parametrize('code', _VALID)
async def test_what_may_be_right_runs(code: str) -> None:
    outcome, calls = await _outcome(code, Function('save', _STUB))
    assert isinstance(outcome, Completed), outcome
    assert calls > 0


@pytest.mark.parametrize(('code', 'where', 'why'), _BROKEN)
async def test_what_cannot_be_right_is_told_with_its_place(code: str, where: str, why: str) -> None:
    outcome, calls = await _outcome(code, Function('save', _STUB))
    assert isinstance(outcome, Failed)
    assert calls == 0
    assert where in outcome.error.message
    assert why in outcome.error.message


async def test_the_validator_of_a_function_has_the_last_word() -> None:
    asked = list[tuple[str, object]]()

    def objection(word: str, value: object) -> str | None:
        asked.append((word, value))
        return None if word == 'person' else '' if value is True else 'too many' if value == 99 else 'no number'

    function = Function('save', _STUB, objection=objection)
    taken, _ = await _outcome(f'await save({_PERSON}, count=True)', function)
    refused, calls = await _outcome(f'await save({_PERSON}, count="zz")', function)
    bounded, _ = await _outcome(f'await save({_PERSON}, count=99)', function)
    ready, _ = await _outcome(f'try:\n    await save({_PERSON}, count=99)\nexcept ValueError:\n    pass', function)
    assert isinstance(taken, Completed)
    assert isinstance(refused, Failed)
    assert "Expected `int`, found `'zz'`" in refused.error.message
    assert isinstance(bounded, Failed)
    assert 'Argument `count` of function `save` is incorrect: too many' in bounded.error.message
    assert isinstance(ready, Completed)
    assert calls == 0
    assert [given for word, given in asked if word == 'count'] == [True, 'zz', 99, 99]


@pytest.mark.parametrize('seed', sampled(range(6), 2))
async def test_at_any_depth_of_any_schema_valid_values_run_and_broken_ones_do_not(seed: int) -> None:
    random = Random(seed)
    schema = _schema(random, 3)
    function = next(iter(Catalog([ToolSpec('tool', schema)])))
    stub = Function('tool', function.stub)
    drawn = SchemaValues(schema, random).draw(full=True)
    assert is_object(drawn)
    taken, calls = await _outcome(f'await tool(**{dict(drawn)!r})', stub)
    assert isinstance(taken, Completed), (drawn, taken)
    assert calls == 1
    for kind, broken in broken_values(schema, dict(drawn), random, most=20):
        refused, calls = await _outcome(f'await tool(**{broken!r})', stub)
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


_REPEATED = {
    'calls': "await save({'name': 'A', 'kind': 'x', 'places': []})\n",
    'changes': "person['name'] = 'Ada'\nawait save(person)\n",
    'bindings': "person = {'name': 'Ada'}\nawait save(person)\n",
    'updates': "person.update(kind='adult')\n",
}


@pytest.mark.parametrize('line', _REPEATED.values(), ids=_REPEATED.keys())
def test_twice_the_script_is_twice_the_work(line: str) -> None:
    def steps(count: int) -> int:
        code = 'person = {}\n' + line * count
        taken = 0

        def count_line(frame: FrameType, event: str, _: object) -> TraceFunction:
            nonlocal taken
            taken += event == 'line'
            return count_line

        tree = ast.parse(code)
        before = sys.gettrace()
        sys.settrace(count_line)
        try:
            judged(code, tree, {'save': Function('save', _STUB)}, frozenset())
        finally:
            sys.settrace(before)
        return taken

    assert steps(1_200) < 3 * steps(600)
