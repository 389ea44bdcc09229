"""The picture in the README: the output of the demo, shortened to one screen.

`python -m demo.picture` runs the demo and redraws the picture `docs/pictures/demo.svg`.
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import Sequence
from contextlib import chdir
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from demo.__main__ import main as demo

PICTURE = Path(__file__).parent.parent / 'docs' / 'pictures' / 'demo.svg'
WIDTH = 100
"""The width of the terminal in the picture, in characters."""

_PASSAGES = (
    ('The job', 'As a script'),
    ('─ As a script ─', 'The model is shown'),
    ('The model calls today', 'today returned'),
    ('Turn 2', 'new in run_code'),
    ('The model calls run_code', 'import asyncio'),
    ('regions = await', 'by_day = {}'),
    ('list_regions ()', '(south, 2026'),
    ('shipment_of (', None),
    ('customer (', 'run_code returned'),
    ('Turn 3', 'By direct calls'),
    ('What it took', None),
)
"""Each passage is from the line with the first text up to, not including, the one with the second. If that is None, it
is one line, or, for the last passage, the rest."""

_SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: arial; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""Rich's own template, but with local fonts instead of fonts from the network."""


def recording() -> Console:
    """Return a terminal that shows nothing and records its output."""
    return Console(record=True, file=StringIO(), width=WIDTH, highlight=False)


def excerpt(console: Console) -> list[Text]:
    """Return the recorded lines for the picture, with `…` where some are omitted.

    Raises:
        ValueError: The demo no longer prints what the picture shows.
    """
    lines = [Text.from_ansi(line) for line in console.export_text(styles=True).splitlines()]
    plain = [line.plain for line in lines]
    found, at = list[Text](), 0
    for first, behind in _PASSAGES:
        start = _line_with(first, plain, at)
        if found and start > at:
            found.append(Text('    …', style='dim'))
        last = behind is None and first == _PASSAGES[-1][0]
        at = len(lines) if last else start + 1 if behind is None else _line_with(behind, plain, start)
        found += lines[start:at]
    return found


def drawn(lines: Sequence[Text]) -> str:
    """Return the lines as an SVG picture."""
    console = recording()
    for line in lines:
        console.print(line, no_wrap=True, crop=True)
    svg = console.export_svg(title='make demo', code_format=_SVG, unique_id='demo')
    return re.sub(r'[ \t]+$', '', svg, flags=re.MULTILINE)


def _line_with(text: str, lines: Sequence[str], start: int) -> int:
    for number in range(start, len(lines)):
        if text in lines[number]:
            return number
    raise ValueError(f'The demo prints no line with {text!r} there; say in demo/picture.py what the picture shows.')


if __name__ == '__main__':
    recorder = recording()
    with tempfile.TemporaryDirectory(prefix='demo-') as temporary, chdir(temporary):
        # Relative paths are short and do not name a machine.
        if not asyncio.run(demo(recorder, None, Path())):
            sys.exit('An answer was wrong.')
    PICTURE.write_text(drawn(excerpt(recorder)))
