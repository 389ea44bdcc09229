"""The recipes, copied unchanged, print the documented output, without a key."""

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs import ROOT, blocks_in
from tests.postgres_server import Server

PAGE = (ROOT / 'docs' / 'recipes.md').read_text()
RECIPES = {
    title: text
    for title, text in re.findall(r'^## (.*?)\n(.*?)(?=^## |\Z)', PAGE, re.MULTILINE | re.DOTALL)
    if '```python' in text
}
_LONG = ("'serve'", 'PostgresStore(', 'MCPServer(')
"""Recipes that start a program, which takes seconds."""
_CASES = [
    pytest.param(title, marks=[pytest.mark.long] if any(mark in text for mark in _LONG) else [])
    for title, text in RECIPES.items()
]


@pytest.mark.usefixtures('loop', 'without_keys')
@pytest.mark.parametrize('recipe', _CASES)
def test_a_recipe_prints_the_documented_output(
    recipe: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.setenv('PATH', str(Path(sys.executable).parent), prepend=os.pathsep)
    if 'DATABASE_URL' in RECIPES[recipe]:
        server: Server = request.getfixturevalue('postgres')
        monkeypatch.setenv('DATABASE_URL', server.url)
    monkeypatch.chdir(tmp_path)
    (program,) = blocks_in(RECIPES[recipe])
    (printed,) = blocks_in(RECIPES[recipe], 'text')
    names: dict[str, Any] = {'__name__': '__main__'}
    exec(compile(program, recipe, 'exec', dont_inherit=True), names)
    assert capfd.readouterr().out == printed
