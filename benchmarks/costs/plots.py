"""Curves as SVG."""

from __future__ import annotations

from statistics import median

from benchmarks.costs.results import Curve
from evals.report.charts import line_chart

_STYLE = """<style>
svg { font: 12px system-ui, sans-serif; background: #fff }
polyline { fill: none; stroke-width: 2 }
.grid { stroke: #ddd }
text:not(.end) { fill: #333 }
.tick { text-anchor: end } .x { text-anchor: middle }
</style>"""


def plot(curve: Curve) -> str:
    """A curve, both axes logarithmic."""
    lines = {
        label: [(float(size), median(times)) for size, times in line.items()] for label, line in curve.lines.items()
    }
    title = f'milliseconds of {curve.name}, by {curve.x}'
    return _alone(line_chart(lines, title=title, x_title=curve.x, tell=_milliseconds, logarithmic=True))


def _milliseconds(value: float) -> str:
    return f'{value / 1000:,.3g} s' if value >= 1000 else f'{value:,.3g} ms'


def _alone(svg: str) -> str:
    """With what a page would have said of fonts and lines."""
    head, bracket, rest = svg.partition('>')
    return head.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + bracket + _STYLE + rest + '\n'
