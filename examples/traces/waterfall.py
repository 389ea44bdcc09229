"""Traces as a waterfall, drawn without help: a row per span, a bar for its time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from opentelemetry.sdk.trace import ReadableSpan

_WIDTH, _ROW, _NAMES, _RIGHT = 980, 20, 260, 200
_COLOURS = {'invoke_agent': '#808080', 'chat': '#e69f00', 'execute_tool': '#0072b2'}
_OURS, _FAILED = '#009e73', '#c0392b'


@dataclass(frozen=True)
class _Row:
    span: ReadableSpan
    depth: int


def waterfall(spans: Sequence[ReadableSpan]) -> str:
    """An SVG of the traces, one below the other, each from its own beginning."""
    roots = sorted((span for span in spans if span.parent is None), key=_began)
    traces = [list(_rows(root, spans, 0)) for root in roots]
    names = {_id(span): span.name for span in spans}
    longest = max(_ended(root) - _began(root) for root in roots)
    lines, y = list[str](), 34
    for rows in traces:
        for row in rows:
            lines.append(_line(row, y, _began(rows[0].span), longest, names))
            y += _ROW
        y += _ROW // 2
    return _page('\n'.join([*_legend(), *lines]), y)


def _rows(span: ReadableSpan, spans: Sequence[ReadableSpan], depth: int) -> Iterator[_Row]:
    yield _Row(span, depth)
    children = [child for child in spans if child.parent is not None and child.parent.span_id == _id(span)]
    for child in sorted(children, key=_began):
        yield from _rows(child, spans, depth + 1)


def _line(row: _Row, y: int, began: int, longest: int, names: Mapping[int, str]) -> str:
    span, scale = row.span, (_WIDTH - _NAMES - _RIGHT) / longest
    start, length = (_began(span) - began) * scale, (_ended(span) - _began(span)) * scale
    failed, left = not span.status.is_ok, _NAMES + start
    colour = _COLOURS.get(span.name.partition(' ')[0], _OURS)
    links = ''.join(f' → {names.get(link.context.span_id, "another trace")}' for link in span.links)
    told = f'{_time(_ended(span) - _began(span))}{links}'
    bar, ink = max(length, 2.0), ' class="failed"' if failed else ''
    edge = f' stroke="{_FAILED}" stroke-width="1.5"' if failed else ''
    return (
        f'<text x="{8 + 14 * row.depth}" y="{y + 13}"{ink}>{escape(span.name)}</text>'
        f'<rect x="{left:.1f}" y="{y + 4}" width="{bar:.1f}" height="11" rx="2" fill="{colour}"{edge}/>'
        f'<text x="{left + bar + 5:.1f}" y="{y + 13}" class="time">{escape(told)}</text>'
    )


def _legend() -> Iterator[str]:
    x = _NAMES
    for words, colour in (*_COLOURS.items(), ('toolscript', _OURS)):
        yield f'<rect x="{x}" y="10" width="10" height="10" rx="2" fill="{colour}"/>'
        yield f'<text x="{x + 15}" y="19">{words}</text>'
        x += 30 + 8 * len(words)
    yield f'<text x="{x}" y="19" class="failed">failed</text>'


def _page(body: str, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        'font-family="ui-monospace, monospace" font-size="12" role="img" aria-label="Spans of two runs">\n'
        f'<style>text{{fill:#222}} .time{{fill:#777;font-size:11px}} .failed{{fill:{_FAILED}}}</style>\n'
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>\n{body}\n</svg>\n'
    )


def _time(nanoseconds: int) -> str:
    return f'{nanoseconds / 1e9:.2f} s' if nanoseconds >= 1e9 else f'{nanoseconds / 1e6:.0f} ms'


def _began(span: ReadableSpan) -> int:
    return span.start_time or 0


def _ended(span: ReadableSpan) -> int:
    return span.end_time or 0


def _id(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id
