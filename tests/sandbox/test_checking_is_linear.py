"""To judge a snippet takes work in proportion to its length, whatever is wrong with it."""

import pytest

from tests.sandbox.tables import Table
from tests.sandbox.test_preparing_is_linear import lines_run
from tests.sandbox.test_written_out_arguments import FUNCTION, PERSON
from toolscript_sandbox import Limits, Sandbox
from toolscript_sandbox.checking import check_policy
from toolscript_sandbox.checking.checker import Diagnostic
from toolscript_sandbox.contract.outcomes import Failed
from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.execution.preparation import Asked, Prepared

pytestmark = pytest.mark.anyio


_FUNCTIONS = Table(save=FUNCTION)
_SHAPES = {
    'undefined names in one line': ('x = [', 'a.b, ', ']'),
    'wide characters': ("x = ['é', ", 'a.b, ', ']'),
    'wrong calls': ('', 'await save(1)\n', ''),
    'wrong calls in one line': ('import asyncio\nawait asyncio.gather(', f'save({PERSON}, count="zz"), ', ')'),
    'calls of one variable': (f'person = {PERSON}\n', 'await save(person)\n', ''),
    'changes': ('person = {}\n', "person.update(kind='adult')\nperson['a'] = 1\nawait save(person)\n", ''),
    'wrong calls that are expected': ('', 'try:\n    await save(1)\nexcept ValueError:\n    pass\n', ''),
    'unknown keys': (f'x = await save({PERSON})\n', "x['titel']\nx.foo\n", ''),
    'sums': ('a = []\n', 'a = a + a\na.b\n', ''),
}


async def _prepared(code: str) -> tuple[Prepared, list[Diagnostic]]:
    prepared = Asked(code, _FUNCTIONS, Limits(), {}, Memory()).prepared()
    assert isinstance(prepared, Prepared)
    return prepared, await Sandbox.shared().check(code, prepared.context)


@pytest.mark.parametrize('shape', _SHAPES)
async def test_twice_the_text_takes_twice_the_work(shape: str) -> None:
    head, part, tail = _SHAPES[shape]
    (small, few), (large, many) = [await _prepared(head + part * times + tail) for times in (100, 200)]
    once, twice = lines_run(lambda: small.judged(few)), lines_run(lambda: large.judged(many))
    assert twice < 2.4 * once


async def test_a_judgement_that_computes_too_long_refuses_the_snippet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_policy, 'SECONDS', 0.0)
    prepared, findings = await _prepared('await save(1)')
    refused = prepared.judged(findings)
    assert isinstance(refused, Failed)
    assert refused.error.message == (
        'The check of this snippet was stopped after 0 s. Write it shorter, or in several steps.\nNothing was run.'
    )


async def test_of_very_many_findings_the_first_are_read() -> None:
    _, findings = await _prepared('x = [' + 'a.b, ' * 5_000 + ']')
    assert len(findings) == 2_000
    assert findings == sorted(findings, key=lambda finding: (finding.line, finding.column))
