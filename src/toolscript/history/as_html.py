"""Renders a run as a self-contained HTML page."""

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path

from .reader import History, transcript_of
from .transcript import Block, Excerpt, Transcript, TranscriptCall, Turn
from .values import one_line, visible

STYLE = (Path(__file__).parent / 'page.css').read_text(encoding='utf-8')
"""The style sheet for the output of `render_fragment`. It affects nothing else on the page."""

_PAGE_STYLE = 'body { margin: 0; } @media (prefers-color-scheme: dark) { body { background: #14171d; } }\n' + STYLE
_ONE_LINE = 120
"""Results of nested calls up to this length are displayed next to the call, longer ones below it."""


def render_html(history: History, *, title: str = 'A run') -> str:
    """Render a run as one page: like `render_text`, with more detail.

    The page needs no scripts or external resources, and forbids both to its contents. It follows the reader's light or
    dark mode, and fits a phone.

    Args:
        history: `result.all_messages()`, or the JSON of `result.all_messages_json()`.
        title: The text of the heading and the browser's tab.

    Raises:
        ValueError: The JSON is not a message history.
    """
    digest = b64encode(sha256(_PAGE_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{_line(title)}</title>'
        f'<style>{_PAGE_STYLE}</style></head>\n<body>'
        f'{_article(transcript_of(history), f"<h1>{_line(title)}</h1>")}</body></html>\n'
    )


def render_fragment(history: History) -> str:
    """Render a run as an element for your own page, which also needs `STYLE`.

    Args:
        history: `result.all_messages()`, or the JSON of `result.all_messages_json()`.

    Raises:
        ValueError: The JSON is not a message history.
    """
    return _article(transcript_of(history), '')


def _article(transcript: Transcript, heading: str) -> str:
    parts = list[str]()
    before = 0
    for turn in transcript.turns:
        if turn.number > before + 1:
            parts.append(f'<p class="dim">{turn.number - before - 1:,} requests are left out here.</p>\n')
        before = turn.number
        parts.append(_turn(turn))
    words = f'<p class="dim">{escape(transcript.words)}</p>\n'
    return f'<article class="toolscript-run">{heading}{words}{"".join(parts)}</article>'


def _turn(turn: Turn) -> str:
    run = f'Run {turn.run}, request' if turn.run > 1 else 'Request'
    when = f' <time class="dim">{escape(turn.time)}</time>' if turn.time else ''
    return (
        f'<section><h2>{run} {turn.number}{when}</h2>\n{"".join(map(_block, turn.request))}'
        f'<p class="dim">{escape(turn.words)}</p>\n{"".join(map(_block, turn.response))}</section>\n'
    )


def _block(block: Block) -> str:
    if block.kind == 'left-out':
        return f'<p class="dim">{escape(block.label)}</p>\n'
    inside = '' if block.text is None else _pre(block.text)
    if block.is_folded is not None:
        size = '' if block.text is None else f' {_dim(f"{block.text.chars:,} characters")}'
        state = '' if block.is_folded else ' open'
        summary = f'<summary>{escape(block.label)}{size}</summary>'
        return f'<details class="box {block.kind}"{state}>{summary}{inside}</details>\n'
    if block.code is not None:
        rows = block.code.text.removesuffix('\n').split('\n')
        lines = ''.join(f'<span>{_visible(row)}</span>\n' for row in rows)
        inside += f'<pre class="code">{lines}{_dim(block.code.more)}</pre>'
    if block.calls:
        over = f'<li class="dim">… {block.more_calls:,} more calls</li>' if block.more_calls else ''
        inside += f'<ol>{"".join(map(_nested, block.calls))}{over}</ol>{flow_figure(block.calls)}'
    if block.note:
        inside += f'<p class="pause">{escape(block.note)}</p>'
    if block.answer:
        parts = ''.join(f'<dt>{_line(label)}</dt><dd>{_pre(text)}</dd>' for label, text in block.answer)
        inside += f'<dl class="{block.outcome}">{parts}</dl>'
    return f'<div class="box {block.kind}"><div class="label">{escape(block.label)}</div>{inside}</div>\n'


def _nested(call: TranscriptCall) -> str:
    line = '' if call.line is None else f'{_dim(f"line {call.line}")} '
    notes = f' {_dim(call.notes)}' if call.notes else ''
    head, result = f'{line}<code>{escape(call.code)}</code> {escape(call.ended)} ', call.result
    if result.chars <= _ONE_LINE and '\n' not in result.text:
        return f'<li class="{call.status}">{head}<code>{_line(result.text)}</code>{notes}</li>\n'
    summary = f'<summary>{head}{_dim(f"{result.chars:,} characters")}{notes}</summary>'
    return f'<li class="{call.status}"><details>{summary}{_pre(result)}</details></li>\n'


def _pre(excerpt: Excerpt) -> str:
    return f'<pre>{_visible(excerpt.text)}{_dim(excerpt.more)}</pre>'


def _dim(words: str) -> str:
    return f'<span class="dim">{escape(words)}</span>' if words else ''


def _visible(text: str) -> str:
    return escape(visible(text))


def _line(text: str) -> str:
    return escape(one_line(text))


_MAX_ARROWS = 40
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
    shown = list(arrows)[:_MAX_ARROWS]
    if not shown:
        return ''
    used = {end for start, to, _ in shown for end in (start, to)}
    inside = [box for box in labels.values() if box in used]
    boxes = [*dict.fromkeys(start for start, _, _ in shown if start not in inside), *inside]
    places = {box: _ROW * number + 4 for number, box in enumerate(boxes)}
    more = f'<p class="dim">… {len(arrows) - _MAX_ARROWS:,} more arrows</p>' if len(arrows) > _MAX_ARROWS else ''
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
