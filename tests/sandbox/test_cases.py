"""The programs of `cases/` behave as in CPython, or are refused with the words beside them."""

import json
import sys

import pytest

from tests.sandbox.case_files import (
    FILES,
    KEPT,
    Case,
    Ending,
    cases,
    current_endings,
    disagreement,
    in_sandbox,
    python_endings,
)

ALL = [
    pytest.param(case, id=f'{case.file}:{case.line}')
    for file in FILES
    if file != 'one_of_each.txt'
    for case in cases(file)
]


@pytest.mark.parametrize('case', ALL)
async def test_a_case_ends_as_in_python_or_is_refused(case: Case) -> None:
    if case.follows_newer:
        pytest.skip('what the sandbox follows is newer than this Python')
    sandbox, _ = await in_sandbox(case.program)
    assert disagreement(case, python_endings()[case], sandbox) is None


@pytest.mark.parametrize('case', cases('one_of_each.txt'), ids=lambda case: str(case.line))
async def test_a_feature_of_each_kind_behaves_as_in_python(case: Case) -> None:
    sandbox, _ = await in_sandbox(case.program)
    assert disagreement(case, python_endings()[case], sandbox) is None


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason='it is kept of Python 3.11')
def test_expected_results_for_newer_pythons_agree_with_this_one() -> None:
    """`python -m tests.sandbox.case_files` writes it again."""
    assert json.loads(KEPT.read_text()) == current_endings()


def test_the_comparison_detects_differences_in_type_order_and_calls() -> None:
    case = Case('', 1, 'f()')
    python = Ending('1\n', None, None, ('f()',))
    assert disagreement(case, python, python) is None
    assert disagreement(case, python, Ending('1.0\n', None, None, ('f()',))) is not None
    assert disagreement(case, python, Ending('1\n', None, None, ())) is not None
    assert disagreement(case, python, Ending('1\n', ('ValueError', 'line 1: f()'), 1, ('f()',))) is not None


def test_a_refusal_names_its_line_and_precedes_everything() -> None:
    case = Case('', 1, 'print(1)\nfrozen()  ### no frozen here')
    python = Ending('1\n', None, None, ())
    message = ('', 'line 2: frozen()\nThere is no frozen here.')
    assert disagreement(case, python, Ending('', message, 2, (), refused=True)) is None
    assert disagreement(case, python, Ending('1\n', message, 2, ())) is not None
    assert disagreement(case, python, Ending('', ('', message[1].replace('2', '1')), 1, (), refused=True)) is not None
    assert disagreement(case, python, python) is not None
