"""Draws the flow of a script's data: calls as boxes, values as arrows."""

import re
from collections.abc import Sequence
from html import escape

from .transcript import TranscriptCall
from .values import one_line, visible

_MOST = 40
_ROW, _WIDTH, _SIDE = 30, 380, 220
_CHARS = 50


def flow_figure(calls: Sequence[TranscriptCall]) -> str:
    """Return an SVG of the calls that pass or receive data; empty if flows are not tracked, or no data flows."""
    labels = dict[tuple[int | None, str], str]()
    for call in calls:
        labels.setdefault((call.line, _function(call.code)), f'line {call.line}: {call.code}')
    arrows = dict[tuple[str, str, str], None]()
    for call in calls:
        for name, text in call.origins:
            made = re.search(r' in line (\d+)$', text)
            start = text if made is None else labels.get((int(made[1]), _function(text)), text)
            arrows[start, labels[call.line, _function(call.code)], name] = None
    shown = list(arrows)[:_MOST]
    if not shown:
        return ''
    used = {end for start, to, _ in shown for end in (start, to)}
    inside = [box for box in labels.values() if box in used]
    boxes = [*dict.fromkeys(start for start, _, _ in shown if start not in inside), *inside]
    places = {box: _ROW * number + 4 for number, box in enumerate(boxes)}
    more = f'<p class="dim">… {len(arrows) - _MOST:,} more arrows</p>' if len(arrows) > _MOST else ''
    drawn = ''.join([*(_box(box, y) for box, y in places.items()), *(_arrow(*one, places) for one in shown)])
    size = f'viewBox="0 0 {_WIDTH + _SIDE} {_ROW * len(boxes) + 4}"'
    return f'<svg class="flow" role="img" aria-label="Where data flows" {size}>{drawn}</svg>{more}\n'


def _function(call: str) -> str:
    return call.partition('(')[0]


def _box(text: str, y: int) -> str:
    line = visible(one_line(text))
    short = line if len(line) <= _CHARS else line[: _CHARS - 1] + '…'
    return (
        f'<rect x="1" y="{y}" width="{_WIDTH}" height="{_ROW - 8}" rx="3"/>'
        f'<text x="8" y="{y + 15}">{escape(short)}<title>{escape(line)}</title></text>'
    )


def _arrow(start: str, end: str, name: str, places: dict[str, int]) -> str:
    """Return an arrow from the right side of one box to that of another, with the argument's name next to it."""
    y1, y2 = places[start] + 8, places[end] + 14
    x, bend = _WIDTH + 1, _WIDTH + min(100, 30 + abs(y2 - y1) // 3)
    return (
        f'<path d="M{x} {y1} C{bend} {y1} {bend} {y2} {x} {y2}"/>'
        f'<path d="M{x + 7} {y2 - 4} L{x} {y2} L{x + 7} {y2 + 4}"/>'
        f'<text x="{(x + 3 * bend) // 4 + 6}" y="{(y1 + y2) // 2 + 4}">{escape(visible(one_line(name)))}</text>'
    )
