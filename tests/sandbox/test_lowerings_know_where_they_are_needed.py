"""A lowering is asked of programs that have one of its marks: of the others it would have made the same."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from toolscript_sandbox.lowering import snippet
from toolscript_sandbox.lowering.passes import LOWERINGS, REPAIRS, Pass
from toolscript_sandbox.lowering.snippet import Snippet, prepared

from tests.sampling import share
from tests.sandbox.guest_cases import FILES, FUNCTIONS, cases
from toolscript_sandbox.language.refusals import Refusal, Refused

PROGRAMS = [case.program for file in FILES for case in cases(file)]


def _made_of(program: str, after: Snippet | None) -> Snippet | list[Refusal] | str:
    """The snippet, behind another one; what is refused of it, or why it is no Python."""
    known = frozenset[str]() if after is None else after.bound
    defined = frozenset[str]() if after is None else after.defined
    loaded = frozenset[str]() if after is None else frozenset(after.pieces)
    modules, kin = ({}, {}) if after is None else (dict(after.modules), dict(after.kin))
    try:
        return prepared(program, FUNCTIONS, known, modules, defined, loaded, kin)
    except Refused as refused:
        return list(refused.refusals)
    except (SyntaxError, ValueError) as error:
        return str(error)


def _all_made_of(programs: Sequence[str]) -> Iterator[Snippet | list[Refusal] | str]:
    """What becomes of each by itself, and behind the one before it."""
    for first, second in pairwise(programs):
        made = _made_of(first, None)
        yield made
        yield _made_of(second, made if isinstance(made, Snippet) else None)


def _of_all(passes: Sequence[Pass]) -> tuple[Pass, ...]:
    return tuple(Pass(one.lowering) for one in passes)


@share(one_in=50)
def test_a_lowering_without_its_marks_changes_nothing(one_in: int, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = PROGRAMS[::one_in]
    asked_where_needed = list(_all_made_of(programs))
    monkeypatch.setattr(snippet, 'REPAIRS', _of_all(REPAIRS))
    monkeypatch.setattr(snippet, 'LOWERINGS', _of_all(LOWERINGS))
    for program, made, of_all in zip(_twice(programs), asked_where_needed, _all_made_of(programs), strict=True):
        assert made == of_all, program


def _twice(programs: Sequence[str]) -> Iterator[str]:
    for pair in pairwise(programs):
        yield from pair
