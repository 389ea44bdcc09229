"""The small example runs, and prints what its README shows."""

import re
from pathlib import Path

import pytest

from examples.analysis import __main__ as analysis

pytestmark = pytest.mark.anyio


async def test_the_analysis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await analysis.main(tmp_path)
    readme = Path(analysis.__file__).with_name('README.md').read_text()
    [shown] = re.findall(r'```text\n(.*?)```', readme, re.DOTALL)
    assert capsys.readouterr().out == shown
