"""Each of the small examples runs, and prints what its README shows."""

import io
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from demo.installation import CannotInstall, node_modules
from examples.analysis import __main__ as analysis
from examples.serve import __main__ as serve
from examples.triage import __main__ as triage
from toolscript.cli.target import load_target
from toolscript.serve.settings import settings_beside

pytestmark = pytest.mark.anyio

_EXAMPLES = Path(__file__).parents[2] / 'examples'
_VARIES = [
    (r'\S*/(analysis|triage|serve)-\w+', 'FOLDER'),
    (r'(\[y/n\] )[yn]\n', r'\1'),
]
"""What is another one in each run, or typed in."""


def shown(example: str) -> str:
    """What the README of an example says is printed."""
    [block] = re.findall(r'```text\n(.*?)```', (_EXAMPLES / example / 'README.md').read_text(), re.DOTALL)
    return block


def settled(text: str) -> str:
    for pattern, instead in _VARIES:
        text = re.sub(pattern, instead, text)
    return text


async def printed(main: Callable[[Path], Awaitable[None]], name: str, root: Path, read: Callable[[], str]) -> str:
    folder = root / f'{name}-of_a_test'
    folder.mkdir()
    await main(folder)
    return read()


async def test_the_analysis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = await printed(analysis.main, 'analysis', tmp_path, lambda: capsys.readouterr().out)
    assert settled(said) == settled(shown('analysis'))


async def test_the_triage_over_six_servers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        node_modules()
    except CannotInstall as error:
        pytest.skip(str(error))
    monkeypatch.setattr('sys.stdin', io.StringIO('n\ny\n'))
    said = await printed(
        lambda folder: triage.main(folder, triage.ask), 'triage', tmp_path, lambda: capsys.readouterr().out
    )
    assert settled(said) == settled(shown('triage'))


@pytest.mark.long
async def test_a_client_in_front_of_serve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = await printed(serve.main, 'serve', tmp_path, lambda: capsys.readouterr().out)
    assert settled(said) == settled(shown('serve'))


def test_the_client_configuration_and_the_rules_of_the_example_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ('REPOSITORY', 'ISSUES'):
        monkeypatch.setenv(name, 'somewhere')
    target = load_target(str(_EXAMPLES / 'serve' / 'mcp.json'))
    settings, _ = settings_beside(target.text, None)
    assert [source.name for source in target.sources] == ['git', 'time', 'tracker']
    assert {rule.server for rule in settings.rules} == {'git', 'time', 'tracker', '*'}
