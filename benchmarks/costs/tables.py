"""Results as Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import linear_regression, median

from benchmarks.costs.results import Aim, Curve, Results, Row
from benchmarks.costs.sides.all_sides import OURS, PEER


def parts(results: Results, *, aims: bool = True) -> dict[str, list[str]]:
    """The lines of each part of a report: on what, the table with or without what is aimed at, the curves' orders."""
    setting = [
        f'`{results.command}` at commit {results.commit}, {results.date}: {results.machine}, Python {results.python}.',
        '',
        *(f'- {side}: {_versions(found)}' for side, found in results.packages.items()),
        *(f'- {note}' for note in results.notes),
    ]
    return {'setting': setting, 'table': table(results, aims=aims), 'orders': orders(results)}


def table(results: Results, *, aims: bool = True) -> list[str]:
    """A line for each row: ours, the others, what cannot be avoided, and what is aimed at."""
    sides = list(results.packages)
    head = ['what', *sides, 'floor', *(['of the floor', 'aim'] if aims else [])]
    return [
        _line(head),
        _line(['---', *['--:'] * (len(sides) + 1), *(['--:', '---'] if aims else [])]),
        *(_line(_row(row, sides, aims)) for row in results.rows),
    ]


def _row(row: Row, sides: list[str], aims: bool) -> list[str]:
    floor, ratio = _floor(row)
    return [row.name, *(_cell(row, side) for side in sides), floor, *([ratio, _aim(row)] if aims else [])]


def orders(results: Results) -> list[str]:
    """A line for each line of each curve."""
    head = ['what grows', 'with', 'line', 'slope', 'order']
    return [
        _line(head),
        _line(['---', '---', '---', '--:', '---']),
        *(_order(curve, line) for curve in results.curves for line in curve.lines),
    ]


def _order(curve: Curve, line: str) -> str:
    points = {size: median(times) for size, times in curve.lines[line].items()}
    steep = slope(points)
    return _line([curve.name, curve.x, line, f'{steep:.2f}', order(steep)])


def _cell(row: Row, side: str) -> str:
    if not row.sides.get(side):
        return '–'
    unit = f' {row.unit}' if row.unit else ''
    return f'{_number(median(row.sides[side]))}{unit}'


def _floor(row: Row) -> tuple[str, str]:
    if not row.floors:
        return '–', '–'
    floor = median(row.floors)
    ratio = f'{median(row.sides[OURS]) / floor:.2f}' if floor else '–'
    unit = f' {row.unit}' if row.unit else ''
    return f'{_number(floor)}{unit}', ratio


def _aim(row: Row) -> str:
    answer = {True: 'reached', False: 'not reached', None: 'not compared'}[row.reached]
    return f'{_words(row.aim, row.unit)}: {answer}'


def _words(aim: Aim, unit: str) -> str:
    bound = 'at least' if aim.least else 'at most'
    match aim.of:
        case 'floor':
            return f'{bound} {aim.times:g} floors'
        case 'peer':
            return f'{bound} {aim.times:g} times {PEER}'
        case 'nothing':
            return f'{bound} {aim.times:g} {unit}'.strip()


def _number(value: float) -> str:
    if value and abs(value) < 1:
        return f'{value:.2f}' if abs(value) >= 0.1 else f'{value:.3f}'
    return f'{value:.1f}' if abs(value) < 100 and value != int(value) else f'{value:,.0f}'


def _versions(packages: dict[str, str]) -> str:
    return ', '.join(f'{name} {number}' for name, number in packages.items())


def _line(cells: list[str]) -> str:
    return f'| {" | ".join(cells)} |'


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
