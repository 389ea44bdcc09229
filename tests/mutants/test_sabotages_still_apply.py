"""Sabotages that say no longer what to change would prove nothing."""

import ast

import pytest

from tests.mutants.all_mutants import MUTANTS
from tests.mutants.mutant import REPOSITORY, Mutant, Outdated


@pytest.mark.parametrize('mutant', MUTANTS, ids=lambda mutant: mutant.promise)
def test_what_is_to_be_changed_stands_there_once_and_is_python_afterwards(mutant: Mutant) -> None:
    sabotaged = mutant.apply()
    assert sabotaged != (REPOSITORY / mutant.file).read_text()
    if mutant.file.endswith('.py'):
        ast.parse(sabotaged)


@pytest.mark.parametrize('path', sorted({test.partition('::')[0] for mutant in MUTANTS for test in mutant.tests}))
def test_the_tests_that_are_named_are_there(path: str) -> None:
    assert (REPOSITORY / path).is_file()


def test_each_promise_is_named_once() -> None:
    promises = [mutant.promise for mutant in MUTANTS]
    assert len({*promises}) == len(promises)


def test_code_that_has_moved_on_is_said() -> None:
    mutant = Mutant('anything', 'README.md', 'no such words in it', '', ())
    with pytest.raises(Outdated, match='it has to stand there once'):
        mutant.apply()
