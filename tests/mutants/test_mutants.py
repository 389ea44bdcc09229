"""Every sabotage must match the current code."""

import ast

import pytest

from tests.mutants.mutant import MUTANTS, REPOSITORY, Mutant, Outdated


def test_each_sabotage_matches_once_and_leaves_valid_python() -> None:
    for mutant in MUTANTS:
        sabotaged = mutant.apply()
        assert sabotaged != (REPOSITORY / mutant.file).read_text(), mutant.promise
        if mutant.file.endswith('.py'):
            ast.parse(sabotaged, mutant.promise)


def test_the_tests_of_a_sabotage_exist_and_each_promise_is_listed_once() -> None:
    named = [test.partition('::') for mutant in MUTANTS for test in mutant.tests]
    texts = {path: (REPOSITORY / path).read_text() for path, _, _ in named}
    assert not [test for path, _, test in named if test and f'def {test.partition("[")[0]}(' not in texts[path]]
    assert len({mutant.promise for mutant in MUTANTS}) == len(MUTANTS)


def test_an_outdated_sabotage_is_an_error() -> None:
    mutant = Mutant('anything', 'README.md', 'no such words in it', '', [])
    with pytest.raises(Outdated, match='0 times, not once'):
        mutant.apply()
