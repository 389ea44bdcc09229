"""Results as Markdown."""

from __future__ import annotations

from statistics import median

from benchmarks.costs.results import Aim, Results, Row
from benchmarks.costs.sides.all_sides import OURS, PEER


def parts(results: Results, *, aims: bool = True) -> dict[str, list[str]]:
    """Return the lines of each part of a report: the setup, and the table with or without aims."""
    setting = [
        f'`{results.command}` at commit {results.commit}, {results.date}: {results.machine}, Python {results.python}.',
        '',
        *(f'- {side}: {_versions(found)}' for side, found in results.packages.items()),
        *(f'- {note}' for note in results.notes),
    ]
    return {'setting': setting, 'table': table(results, aims=aims)}


def table(results: Results, *, aims: bool = True) -> list[str]:
    """Return a line for each row: our figures, those of the others, the floor and the aim."""
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
