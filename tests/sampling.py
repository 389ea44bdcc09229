"""What repeats is tried on a sample for each change, and whole by `make test-long`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard, TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar('T')


def sampled(cases: Iterable[T], take: int) -> list[T | ParameterSet]:
    """All cases as parameters, spread evenly over them `take` that run for each change; the others are `long`."""
    every = list(cases)
    chosen = {round(place * (len(every) - 1) / max(take - 1, 1)) for place in range(take)}
    return [case if place in chosen else _long(case) for place, case in enumerate(every)]


def _long(case: object) -> ParameterSet:
    """The values of a case that has several, or the one."""
    return pytest.param(*(case if _has_several(case) else (case,)), marks=pytest.mark.long)


def _has_several(case: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(case, tuple)


def share(one_in: int) -> pytest.MarkDecorator:
    """Gives the test `one_in`: of what it goes over it takes every so many-th for each change, each when there is time."""
    return pytest.mark.parametrize('one_in', [one_in, pytest.param(1, marks=pytest.mark.long)])
