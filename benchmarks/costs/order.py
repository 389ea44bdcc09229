"""How fast a curve grows, in one word."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import linear_regression

UPPER = 20.0
"""What is fixed hides what grows: only sizes of at least a so-many-th of the largest one count, three at least."""


def slope(points: Mapping[int, float]) -> float:
    """The slope of the straight line through the upper end of a curve, both axes logarithmic: 0 flat, 1 linear."""
    sizes = sorted(points)
    upper = [size for size in sizes if size * UPPER >= sizes[-1]]
    kept = upper if len(upper) >= _LEAST else sizes[-_LEAST:]
    if len(kept) < 2:
        return 0.0
    return linear_regression([math.log(size) for size in kept], [math.log(points[size]) for size in kept]).slope


_LEAST = 3


def order(slope: float) -> str:
    """The word for a slope."""
    if slope < 0.15:
        return 'flat'
    if slope < 0.85:
        return 'less than linear'
    return 'linear' if slope < 1.2 else 'more than linear'
