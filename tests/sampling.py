"""Repetitive cases are sampled for each change and run in full by `make test-long`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard, TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar('T')


def sampled(cases: Iterable[T], take: int) -> list[T | ParameterSet]:
    """Return all cases as parameters. `take` of them, evenly spread, run for each change; the others are `long`."""
    every = list(cases)
    chosen = {round(place * (len(every) - 1) / max(take - 1, 1)) for place in range(take)}
    return [case if place in chosen else _long(case) for place, case in enumerate(every)]


def _long(case: object) -> ParameterSet:
    """Return the case, unpacked if it has several values, marked as `long`."""
    return pytest.param(*(case if _has_several(case) else (case,)), marks=pytest.mark.long)


def _has_several(case: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(case, tuple)


def share(one_in: int) -> pytest.MarkDecorator:
    """Parametrize the test with `one_in`: for each change it checks every `one_in`-th item, in long runs all."""
    return pytest.mark.parametrize('one_in', [one_in, pytest.param(1, marks=pytest.mark.long)])
