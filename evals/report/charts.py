"""Charts as SVG, drawn without help."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 540, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 160, 16, 44

_LABEL = 13

_COLOURS = {
    'direct': '#808080',
    'code': '#0072b2',
    'both': '#cc79a7',
    'direct + search': '#b8860b',
    'code + search': '#009e73',
    'both + search': '#d55e00',
    'pydantic-ai ToolSearch': '#e69f00',
    'harness CodeMode': '#8c564b',
    'harness CodeMode + ToolSearch': '#c49c94',
    'toolscript': '#0072b2',
    'all shown': '#0072b2',
    'deferred': '#009e73',
    'direct calls': '#808080',
    'one after the other': '#0072b2',
    'gathered': '#009e73',
}
"""Okabe and Ito's as far as they reach, which people with any kind of colour vision can tell apart; each stands out
from white and from black paper."""


def colour(route: str) -> str:
    """The colour of a route, the same in every chart; a variant has that of the route it varies."""
    return _COLOURS.get(route) or _COLOURS.get(route.partition(',')[0], '#56b4e9')


@dataclass(frozen=True)
class Mark:
    """A size at which lines cross."""

    at: float
    text: str


def line_chart(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    *,
    title: str,
    x_title: str,
    tell: Callable[[float], str],
    logarithmic: bool = False,
    mark: Mark | None = None,
) -> str:
    """One line per route over sizes; both axes logarithmic where sizes span magnitudes."""
    xs = sorted({x for points in lines.values() for x, _ in points})
    ys = [y for points in lines.values() for _, y in points]
    if not xs:
        return ''
    across = _scale(min(xs), max(xs), _LEFT, _WIDTH - _RIGHT, logarithmic)
    low, high = (min(ys), max(ys)) if logarithmic else (0.0, max(ys) * 1.05 or 1.0)
    up = _scale(low, high, _HEIGHT - _BOTTOM, _TOP, logarithmic)
    parts = [*_grid(low, high, up, tell, logarithmic), *_x_labels(xs, across, x_title)]
    if mark is not None:
        x = across(mark.at)
        parts.append(f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>')
        parts.append(f'<text class="mark" x="{x + 5:.1f}" y="{_TOP + 10}">{escape(mark.text)}</text>')
    ends = _spread({route: up(points[-1][1]) for route, points in lines.items() if points})
    for route, points in lines.items():
        path = ' '.join(f'{across(x):.1f},{up(y):.1f}' for x, y in points)
        parts.append(f'<polyline points="{path}" stroke="{colour(route)}"{_dashes(route)}/>')
        parts += [_dot(route, across(x), up(y), f'{route}, {x:g}: {tell(y)}') for x, y in points]
        label = f'<text class="end" x="{_WIDTH - _RIGHT + 8}" y="{ends[route] + 4:.1f}" fill="{colour(route)}">'
        parts.append(f'{label}{escape(route)}</text>')
    return _svg(title, parts, _HEIGHT)


def bar_chart(title: str, groups: Mapping[str, Mapping[str, float]], *, tell: Callable[[float], str]) -> str:
    """A row of bars for each group, one bar per route."""
    highest = max((value for bars in groups.values() for value in bars.values()), default=0) or 1.0
    parts: list[str] = []
    y = 8.0
    for group, bars in groups.items():
        middle = y + len(bars) * 13 / 2 + 4
        parts.append(f'<text class="group" x="88" y="{middle:.1f}">{escape(group)}</text>')
        for route, value in bars.items():
            width = max(1.0, value / highest * (_WIDTH - 300))
            hint = f'<title>{escape(", ".join(filter(None, (group, route))))}: {escape(tell(value))}</title>'
            parts.append(
                f'<rect x="98" y="{y:.1f}" width="{width:.1f}" height="11" fill="{colour(route)}">{hint}</rect>'
            )
            words = f'{tell(value)} <tspan class="dim">{escape(route)}</tspan>'
            parts.append(f'<text class="value" x="{104 + width:.1f}" y="{y + 9.5:.1f}">{words}</text>')
            y += 13
        y += 12
    return _svg(title, parts, y)


def _svg(title: str, parts: Sequence[str], height: float) -> str:
    size = f'viewBox="0 0 {_WIDTH} {height:.0f}"'
    return f'<svg {size} role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'


def _dashes(route: str) -> str:
    """What tells lines apart besides their colour: with search dashed, and dotted where the catalog is appended."""
    if route.endswith('appended'):
        return ' stroke-dasharray="2 3"'
    return ' stroke-dasharray="7 4"' if 'search' in route.lower() else ''


def _dot(route: str, x: float, y: float, words: str) -> str:
    title = f'<title>{escape(words)}</title>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{colour(route)}">{title}</circle>'


def _scale(low: float, high: float, start: float, end: float, logarithmic: bool) -> Callable[[float], float]:
    change: Callable[[float], float] = math.log if logarithmic else float
    first, span = change(low), (change(high) - change(low)) or 1.0
    return lambda value: start + (change(value) - first) / span * (end - start)


def _grid(
    low: float, high: float, up: Callable[[float], float], tell: Callable[[float], str], logarithmic: bool
) -> list[str]:
    return [
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{up(tick):.1f}" y2="{up(tick):.1f}"/>'
        f'<text class="tick" x="{_LEFT - 8}" y="{up(tick) + 4:.1f}">{escape(tell(tick))}</text>'
        for tick in _ticks(low, high, logarithmic)
    ]


def _ticks(low: float, high: float, logarithmic: bool) -> list[float]:
    if logarithmic:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        return [tick for power in powers for tick in (10.0**power, 3 * 10.0**power) if low <= tick <= high]
    step = 10 ** math.floor(math.log10(high / 4))
    step = next(step * factor for factor in (1, 2, 2.5, 5, 10) if high / (step * factor) <= 5)
    return [step * count for count in range(int(high / step) + 1)]


def _x_labels(xs: Sequence[float], across: Callable[[float], float], title: str) -> list[str]:
    labels: list[str] = []
    last = -math.inf
    for x in xs:
        if across(x) - last >= 24:
            last = across(x)
            labels.append(f'<text class="x" x="{last:.1f}" y="{_HEIGHT - _BOTTOM + 16}">{x:,g}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    return [*labels, f'<text class="x title" x="{middle}" y="{_HEIGHT - 8}">{escape(title)}</text>']


def _spread(ends: Mapping[str, float]) -> dict[str, float]:
    """The heights of the labels, moved apart where they would overlap."""
    placed: dict[str, float] = {}
    last = -math.inf
    for route, y in sorted(ends.items(), key=lambda end: end[1]):
        last = placed[route] = max(y, last + _LABEL)
    lowest = float(_HEIGHT - _BOTTOM)
    for route in reversed(placed):
        placed[route] = min(placed[route], lowest)
        lowest = placed[route] - _LABEL
    return placed
