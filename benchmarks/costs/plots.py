"""Curves as SVG, both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from statistics import median

from benchmarks.costs.results import Curve

_WIDTH, _HEIGHT = 540, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 160, 16, 44
_LABEL = 13
_COLOURS = ('#0072b2', '#009e73', '#808080')
_STYLE = """<style>
svg { font: 12px system-ui, sans-serif; background: #fff }
polyline { fill: none; stroke-width: 2 }
.grid { stroke: #ddd }
text:not(.end) { fill: #333 }
.tick { text-anchor: end } .x { text-anchor: middle }
</style>"""


def plot(curve: Curve) -> str:
    """One line for each line of the curve."""
    lines = {label: [(size, median(times)) for size, times in line.items()] for label, line in curve.lines.items()}
    xs = sorted({x for points in lines.values() for x, _ in points})
    ys = [y for points in lines.values() for _, y in points]
    across = _scale(min(xs), max(xs), _LEFT, _WIDTH - _RIGHT)
    up = _scale(min(ys), max(ys), _HEIGHT - _BOTTOM, _TOP)
    parts = [*_grid(min(ys), max(ys), up), *_x_labels(xs, across, curve.x)]
    ends = _apart({label: up(points[-1][1]) for label, points in lines.items()})
    for (label, points), colour in zip(lines.items(), _COLOURS, strict=False):
        path = ' '.join(f'{across(x):.1f},{up(y):.1f}' for x, y in points)
        parts.append(f'<polyline points="{path}" stroke="{colour}"/>')
        for x, y in points:
            hint = f'<title>{escape(f"{label}, {x:g}: {_milliseconds(y)}")}</title>'
            parts.append(f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3.2" fill="{colour}">{hint}</circle>')
        end = f'<text class="end" x="{_WIDTH - _RIGHT + 8}" y="{ends[label] + 4:.1f}" fill="{colour}">'
        parts.append(f'{end}{escape(label)}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
    title = escape(f'milliseconds of {curve.name}, by {curve.x}')
    return f'{head} aria-label="{title}">{_STYLE}{"".join(parts)}</svg>\n'


def _milliseconds(value: float) -> str:
    return f'{value / 1000:,.3g} s' if value >= 1000 else f'{value:,.3g} ms'


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    first, span = math.log(low), (math.log(high) - math.log(low)) or 1.0
    return lambda value: start + (math.log(value) - first) / span * (end - start)


def _grid(low: float, high: float, up: Callable[[float], float]) -> list[str]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [tick for power in powers for tick in (10.0**power, 3 * 10.0**power) if low <= tick <= high]
    return [
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{up(tick):.1f}" y2="{up(tick):.1f}"/>'
        f'<text class="tick" x="{_LEFT - 8}" y="{up(tick) + 4:.1f}">{escape(_milliseconds(tick))}</text>'
        for tick in ticks
    ]


def _x_labels(xs: Sequence[float], across: Callable[[float], float], title: str) -> list[str]:
    labels, last = list[str](), -math.inf
    for x in xs:
        if across(x) - last >= 24:
            last = across(x)
            labels.append(f'<text class="x" x="{last:.1f}" y="{_HEIGHT - _BOTTOM + 16}">{x:,g}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    return [*labels, f'<text class="x title" x="{middle}" y="{_HEIGHT - 8}">{escape(title)}</text>']


def _apart(ends: Mapping[str, float]) -> dict[str, float]:
    """The heights of the labels, moved apart where they would overlap."""
    placed, last, lowest = dict[str, float](), -math.inf, float(_HEIGHT - _BOTTOM)
    for label, y in sorted(ends.items(), key=lambda end: end[1]):
        last = placed[label] = max(y, last + _LABEL)
    for label in reversed(placed):
        placed[label] = min(placed[label], lowest)
        lowest = placed[label] - _LABEL
    return placed
