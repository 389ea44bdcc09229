"""The report is one page that a browser shows without anything else."""

import re
import shutil
import struct
import subprocess
import zlib
from itertools import pairwise
from pathlib import Path

import pytest

from evals.command import main
from evals.report.charts import line_chart

_BROWSERS = ('chromium', 'chromium-browser', 'google-chrome', 'chrome')


@pytest.fixture(scope='module')
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on a few tasks."""
    folder = tmp_path_factory.mktemp('report')
    tasks = ['shop-stock', 'office-book', 'analytics-purge']
    arguments = ['--routes', 'direct', 'code', '--no-ladders', '--no-peers', '--processes', '1']
    main(['--tasks', *tasks, *arguments, '--out', str(folder)])
    return folder / 'report.html'


def test_the_page_asks_for_nothing_else(page: Path) -> None:
    html = page.read_text()
    assert re.findall(r'(?:src|href)=|@import|url\(', html) == []
    for section in ('What code costs', 'By kind of task', 'Where code loses', 'Transcripts', 'How to read this'):
        assert section in html


def test_the_transcripts_are_no_script(page: Path) -> None:
    html = page.read_text()
    assert html.count('<template ') == html.count('</template>') == 6
    assert html.count('</script>') == 1


def test_a_browser_shows_charts_and_transcripts(page: Path) -> None:
    dom = _browse(page, '--dump-dom', '--virtual-time-budget=3000')
    assert dom.count('<rect') > 10
    left, right = dom.split('id="left-run"')[1].split('<template')[0].split('id="right-run"')
    assert 'calls product' in left
    # Of two counts of the same tokens a reader would believe neither.
    assert left.count(' tokens in') == right.count(' tokens in') == 1
    assert 'writes run_code' in right
    assert '<code>product(' in right


@pytest.mark.long
def test_the_page_is_not_blank(page: Path, tmp_path: Path) -> None:
    image = tmp_path / 'shot.png'
    _browse(page, f'--screenshot={image}', '--window-size=1160,1600', '--force-device-scale-factor=0.5')
    width, height, colours = _png(image.read_bytes())
    assert (width, height) == (580, 800)
    # Text alone has shades of grey; charts and swatches have the colours of the routes.
    assert {(0, 114, 178), (128, 128, 128)} <= colours


def test_lines_that_end_together_have_labels_apart() -> None:
    chart = line_chart(
        {'direct': [(1, 1.0), (2, 2.0)], 'code': [(1, 1.0), (2, 2.0)], 'both': [(1, 1.0), (2, 2.0)]},
        title='requests by calls',
        x_title='calls',
        tell='{:.0f}'.format,
    )
    heights = sorted(float(y) for y in re.findall(r'class="end" x="[\d.]+" y="([\d.]+)"', chart))
    assert [round(b - a) for a, b in pairwise(heights)] == [13, 13]


def _browse(page: Path, *arguments: str) -> str:
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        pytest.skip('no Chromium on this machine')
    command = [browser, '--headless', '--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', *arguments]
    done = subprocess.run([*command, page.as_uri()], capture_output=True, text=True, timeout=500, check=True)
    return done.stdout


def _png(image: bytes) -> tuple[int, int, set[tuple[int, int, int]]]:
    """Width, height and colours of a PNG as Chromium writes it: eight bits a channel, not interlaced."""
    width, height, depth, kind = struct.unpack('>IIBB', image[16:26])
    assert depth == 8
    size = {2: 3, 6: 4}[kind]
    data, at = b'', 8
    while at < len(image):
        length, name = struct.unpack('>I4s', image[at : at + 8])
        data += image[at + 8 : at + 8 + length] if name == b'IDAT' else b''
        at += 12 + length
    return width, height, _colours(zlib.decompress(data), width * size, height, size)


def _colours(raw: bytes, stride: int, height: int, size: int) -> set[tuple[int, int, int]]:
    found: set[tuple[int, int, int]] = set()
    above = bytearray(stride)
    for row in range(height):
        start = row * (stride + 1)
        line = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), above, size)
        found.update(zip(line[0::size], line[1::size], line[2::size], strict=True))
        above = line
    return found


def _unfiltered(method: int, line: bytearray, above: bytearray, size: int) -> bytearray:
    for index in range(len(line)):
        left = line[index - size] if index >= size else 0
        corner = above[index - size] if index >= size else 0
        line[index] = (line[index] + _predicted(method, left, above[index], corner)) & 255
    return line


def _predicted(method: int, left: int, up: int, corner: int) -> int:
    if method == 4:
        guess = left + up - corner
        return min((left, up, corner), key=lambda value: abs(guess - value))
    return (0, left, up, (left + up) // 2)[method]
