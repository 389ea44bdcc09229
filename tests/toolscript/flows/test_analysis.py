"""No flow is missed, in misleading programs by people and in generated ones, compared with runs in CPython."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from tests.sampling import sampled
from toolscript.flows.analysis import ANYTHING, Site, analyse

from .generated import program
from .oracle import TOOLS, judge
from .tasks import SINKS, TRUSTED, task_tools

_PROGRAMS = (Path(__file__).parent / 'programs.txt').read_text().split('\n---\n')


_TASKS = (Path(__file__).parent / 'tasks.txt').read_text().split('\n---\n')


def _scripts(text: str) -> list[str]:
    return text.split('\n===\n')


@pytest.mark.parametrize('text', _PROGRAMS)
def test_no_flow_of_a_misleading_program_is_missed(text: str) -> None:
    verdict, with_conditions = (judge(_scripts(text), strict=strict) for strict in (False, True))
    assert (verdict.missed, with_conditions.missed) == ([], [])
    assert any(verdict.flows.values()) or 'clean' in text


@pytest.mark.parametrize('text', [text for text in _PROGRAMS if '#= ' in text])
def test_arguments_without_a_source_are_recognised(text: str) -> None:
    analysis = analyse(_scripts(text), TOOLS.__contains__)
    for comment in (line for line in text.split('\n') if line.startswith('#= ')):
        line, _, expected = comment.removeprefix('#= ').partition(': ')
        name = expected.partition(' is')[0] if ' is ' in expected else '0'
        number = next(
            n for n, one in enumerate(text.split('\n'), 1) if one.lstrip().startswith('send(') and n >= int(line)
        )
        assert analysis.names(analysis.arguments('send', number, 0).of(name)) == []


def test_in_typical_scripts_most_arguments_without_a_foreign_origin_are_recognised() -> None:
    unneeded = clean = 0
    for text in _TASKS:
        verdict = judge([text], tools=task_tools, ignored=[*SINKS, *TRUSTED])
        assert (text, verdict.missed) == (text, [])
        unneeded += verdict.unneeded
        clean += verdict.clean
    assert (unneeded, clean) == (1, 160)


@pytest.mark.parametrize('strict', [False, True])
@pytest.mark.parametrize('first', sampled(range(0, 5_000, 10), 1))
def test_no_flow_of_a_generated_program_is_missed(first: int, strict: bool) -> None:
    flows = 0
    for seed in range(first, first + 10):
        verdict = judge(program(seed, strict=strict), strict=strict)
        assert (seed, verdict.missed) == (seed, [])
        assert verdict.analysis.is_complete
        flows += sum(map(len, verdict.flows.values()))
    assert flows > 0


def test_a_function_of_an_unknown_script_may_have_made_any_call() -> None:
    analysis = analyse(["x = get()\nsend('a')\nhelper(x)"], TOOLS.__contains__)
    assert analysis.arguments('send', 2, 0).of('0') & ANYTHING
    assert [one.name for one in analysis.names(~0) if not isinstance(one, Site)] == ['helper']


def test_a_call_in_a_function_may_be_reported_with_the_line_of_another() -> None:
    analysis = analyse(['def f(x):\n    return get(x)\nlist(map(f, [get()]))'], TOOLS.__contains__)
    assert [one.line for one in analysis.names(analysis.calls('get', 3, 0)) if isinstance(one, Site)] == [3, 2]


def test_a_global_variable_has_the_value_of_a_function_although_unknown_scripts_may_have_set_it() -> None:
    text = 'def fill():\n    global x\n    x = get()\nfill()\nsend(x)'
    analysis = analyse([text], TOOLS.__contains__, earlier=['x'])
    assert 'get' in {one.name for one in analysis.names(analysis.arguments('send', 5, 0).of('0'))}


def test_a_variable_that_is_bound_later_may_hold_a_value_of_an_unknown_script_before() -> None:
    scripts = ["send(x)\nx = 'a'\nsend(x)\nif x:\n    y = 'b'\nsend(y)", 'send(x)']
    analysis = analyse(scripts, TOOLS.__contains__, earlier=['x', 'y'])

    def variables(line: int, script: int) -> list[str]:
        found = analysis.names(analysis.arguments('send', line, script).of('0'))
        return [one.name for one in found if not isinstance(one, Site)]

    assert [variables(1, 0), variables(3, 0), variables(6, 0), variables(1, 1)] == [['x'], [], ['y'], ['x']]
    known = analyse(scripts, TOOLS.__contains__)
    assert known.arguments('send', 6, 0).of('0') & ~1 == 0


@pytest.mark.parametrize('use', ['f = Box.v.fget', 'f = Box.v.setter'])
def test_a_property_that_is_used_as_a_value_stops_the_analysis(use: str) -> None:
    text = 'class Box:\n    @property\n    def v(self):\n        return self.w\n'
    analysis = analyse([text + use], TOOLS.__contains__)
    assert (analysis.is_complete, analysis.why) == (False, f'the script uses {use.rpartition(".")[2]}')


def test_a_variable_that_shadows_a_builtin_stops_the_analysis() -> None:
    analysis = analyse(['send(max(1, 2))'], TOOLS.__contains__, earlier=['x', 'max'])
    assert (analysis.is_complete, analysis.why) == (False, 'a variable is named max')


# -- the cost of the analysis, counted in work: it is linear in the script

_SHAPES: dict[str, Callable[[int], str]] = {
    'one list gets many items': lambda n: 'xs = []\n' + 'xs.append(get())\n' * n + 'send(xs)',
    'one text grows': lambda n: 'x = get()\n' + 'x = x + "a"\n' * n + 'send(x)',
    'each call gets the result before': lambda n: (
        'x0 = get()\n' + ''.join(f'x{i} = get(x{i - 1})\n' for i in range(1, n))
    ),
    'each result is kept and used': lambda n: 'xs = []\n' + 'x = get()\nxs.append(x)\nsend(x, to=xs[0])\n' * n,
    'one function is called often': lambda n: 'def f(x):\n    return x + "a"\n' + 'send(f(get()))\n' * n,
    'each function calls the one before': lambda n: (
        'def f0(x):\n    return x\n'
        + ''.join(f'def f{i}(x):\n    return f{i - 1}(x)\n' for i in range(1, n))
        + f'send(f{n - 1}(get()))'
    ),
    'one loop passes results in a circle': lambda n: (
        'for _ in range(3):\n' + ''.join(f'    x{i} = get(x{(i + 1) % n})\n' for i in range(n))
    ),
    'many loops fill one list': lambda n: 'xs = []\n' + 'for x in get():\n    xs.append(x)\nsend(xs[0])\n' * n,
}


def _work(code: str) -> int:
    """Return how many calls of Python functions the analysis makes."""
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == 'call'

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        analysis = analyse([code], {'get', 'send'}.__contains__)
    finally:
        sys.setprofile(before)
    assert analysis.is_complete
    return calls


@pytest.mark.parametrize('shape', _SHAPES)
def test_the_analysis_is_linear_in_the_script(shape: str) -> None:
    small, large = (_work(_SHAPES[shape](n)) for n in (100, 200))
    assert large < 2.2 * small
