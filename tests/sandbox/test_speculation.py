"""The reads of a script are predicted while it is being written."""

from __future__ import annotations

import ast
import asyncio
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.text_cases import TextCase, text_cases
from toolscript.guards import items
from toolscript_sandbox.speculation.foresight import NameKind, SpeculativeCall, Speculator, Statements
from toolscript_sandbox.speculation.terms import ITEM, Joined, Key, SpeculativeResult, Term, Unknown, value_of

_KINDS: dict[str, NameKind] = {'get': 'starts', 'find': 'starts', 'hidden': 'reads', 'save': 'acts', 'kept': 'unseen'}


@pytest.mark.parametrize(
    ('text', 'count', 'left'),
    [
        ('', 0, ''),
        ('x = 1', 0, 'x = 1'),
        ('x = 1\n', 1, ''),
        ('x = 1\ny = ', 1, 'y = '),
        ('x = 1; y = 2\n', 2, ''),
        ('x = f(\n    1,\n', 0, 'x = f(\n    1,\n'),
        ('x = f(\n    1,\n)\n', 1, ''),
        ('x = f(\n    1)\ny = g(\n', 1, 'y = g(\n'),
        ('x = """\na = 1\n', 0, 'x = """\na = 1\n'),
        ('if x:\n    y\n', 0, 'if x:\n    y\n'),
        ('if x:\n    y\nelse:\n', 0, 'if x:\n    y\nelse:\n'),
        ('if x:\n    y\nz\n', 2, ''),
        ('a = 1\n@b\ndef c(): pass\n', 1, '@b\ndef c(): pass\n'),
        ('x = 1 \\\n', 0, 'x = 1 \\\n'),
        ('x = 1\r\n', 0, 'x = 1\r\n'),
        ('```python\nx = 1\n', 0, '```python\nx = 1\n'),
    ],
)
def test_a_statement_is_complete_when_no_further_text_can_change_it(text: str, count: int, left: str) -> None:
    statements = Statements()
    assert (len(statements.of(text)), text[statements.end :]) == (count, left)


def foreseen(code: str, max_calls: int = 100) -> list[SpeculativeCall]:
    """Return the calls, where `get` and `find` may start, `hidden` only reads, `save` acts, and `kept` is an earlier variable."""
    foresight = Speculator(_KINDS.get, max_calls)
    return [call for statement in ast.parse(code).body for call in foresight.read(statement)]


def reported(call: SpeculativeCall) -> str:
    args = [*map(_text, call.args), *(f'{name}={_text(term)}' for name, term in call.kwargs.items())]
    return f'{call.function}({", ".join(args)})' + ('' if call.over is None else f' for each of {_text(call.over)}')


def _text(term: Term) -> str:
    match term:
        case list():
            return f'[{", ".join(map(_text, term))}]'
        case dict():
            return '{' + ', '.join(f'{key!r}: {_text(inner)}' for key, inner in term.items()) + '}'
        case Joined(parts):
            return "f'" + ''.join(part if isinstance(part, str) else f'{{{_text(part)}}}' for part in parts) + "'"
        case SpeculativeResult(call, path):
            return ('each' if call == ITEM else f'#{call}') + ''.join(map(_key, path))
        case _:
            return repr(term)


def _key(key: Key) -> str:
    if not isinstance(key, slice):
        return f'[{key!r}]'
    return f'[{"" if key.start is None else key.start}:{"" if key.stop is None else key.stop}]'


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('predictions.txt')), ids=str)
def test_calls_are_predicted(case: TextCase) -> None:
    assert ('\n'.join(map(reported, foreseen(case.given))) or 'nothing') == case.expected


def test_an_extremely_long_text_is_not_read_further() -> None:
    foresight = Speculator(_KINDS.get, 100)
    assert len(foresight.written('await get(1)\n')) == 1
    assert foresight.written('await get(1)\n' * 10_000) == []
    assert foresight.over


def test_no_more_calls_than_requested_are_predicted() -> None:
    assert [reported(call) for call in foreseen('await get(1)\nawait get(2)\nawait get(3)', max_calls=2)] == [
        'get(1)',
        'get(2)',
    ]
    assert foreseen('[await get(n) for n in range(3)]', max_calls=2) == []


# -- compared with CPython

_VALUES = st.sampled_from(
    ['1', "'a'", 'None', '[1, 2]', "{'id': 3}", 'a', 'b', 'c', "a['id']", "b['list']", 'c[0]', 'c[:1]', 'f"{a}-{1}"']
)
_NAMES = st.sampled_from(['a', 'b', 'c'])
_LINES = st.one_of(
    st.builds('{} = await get({})'.format, _NAMES, _VALUES),
    st.builds('{} = {}'.format, _NAMES, _VALUES),
    st.builds('{}, {} = await asyncio.gather(get({}), get({}))'.format, _NAMES, _NAMES, _VALUES, _VALUES),
    st.builds('{} = [await get(each) for each in {}]'.format, _NAMES, _VALUES),
    st.builds("{} = await asyncio.gather(*[get(each['id']) for each in {}['list'][:1]])".format, _NAMES, _NAMES),
    st.builds('{}.append({})'.format, _NAMES, _VALUES),
    st.builds("{}['id'] = {}".format, _NAMES, _VALUES),
    st.builds('if {}: {} = await get({})'.format, _VALUES, _NAMES, _VALUES),
    st.builds('def change(): {}.append(0)'.format, _NAMES),
    st.just('change()'),
    st.builds('print({}, await get({}))'.format, _VALUES, _VALUES),
    st.builds('{} += [{}]'.format, _NAMES, _VALUES),
    st.builds('del {}'.format, _NAMES),
)


@settings(max_examples=100)
@given(st.lists(_LINES, min_size=1, max_size=8))
def test_predictions_agree_with_python(rest: list[str]) -> None:
    lines = ["a = {'id': 1, 'list': [{'id': 8}]}", 'b = await get(a)', 'c = [1, b]', *rest]
    made, begun = _run_in_python(lines)
    calls = foreseen('\n'.join(lines[:begun]))
    results = dict[int, object]()
    for call in calls:
        try:
            given = list(_arguments(call, results))
        except (Unknown, KeyError):
            continue
        answers = [_answer(argument) for argument in given]
        results[call.number] = answers if call.over is not None else answers[0]
        made.subtract(map(repr, given))
    assert min(made.values(), default=0) >= 0


def _arguments(call: SpeculativeCall, results: dict[int, object]) -> Iterator[object]:
    over = [None] if call.over is None else items(value_of(call.over, results))
    for item in over:
        yield value_of(call.args[0], results, item)


def _answer(argument: object) -> object:
    return {'id': repr(argument)[:20], 'list': [{'id': 1}, {'id': 2}]}


def _run_in_python(lines: list[str]) -> tuple[Counter[str], int]:
    """Return the arguments of the successful calls, and the number of lines that succeeded."""
    made, begun = Counter[str](), 0

    class get:
        def __init__(self, argument: object) -> None:
            self.argument = argument

        def __await__(self) -> Generator[None, None, object]:
            made[repr(self.argument)] += 1
            yield
            return _answer(self.argument)

    async def each_line() -> None:
        nonlocal begun
        space: dict[str, Any] = {'get': get, 'asyncio': asyncio, 'print': repr}
        for line in lines:
            before = Counter(made)
            code = compile(line, 'line', 'exec', flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            try:
                if (running := eval(code, space)) is not None:
                    await running
            except Exception:
                made.clear()
                made.update(before)
                return
            begun += 1

    asyncio.run(each_line())
    return made, begun
