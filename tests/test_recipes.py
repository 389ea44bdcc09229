"""The recipes run as they stand, and print what they say."""

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent

from tests.docs import LIVE_MODEL, ROOT, run_block
from tests.postgres_server import Server
from toolscript.testing import script_model

PAGE = (ROOT / 'docs' / 'recipes.md').read_text()
RECIPES = {
    title: text
    for title, text in re.findall(r'^## (.*?)\n(.*?)(?=^## |\Z)', PAGE, re.MULTILINE | re.DOTALL)
    if '```python' in text
}
_LONG = ("'serve'", 'DBOS.', 'PostgresStore(')
"""What starts a program of its own, which takes seconds."""
_CASES = [
    pytest.param(title, marks=[pytest.mark.long] if any(mark in text for mark in _LONG) else [])
    for title, text in RECIPES.items()
]


@pytest.mark.usefixtures('without_keys')
@pytest.mark.parametrize('recipe', _CASES)
def test_a_recipe_runs_and_prints_what_it_says(
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
    (source,) = _blocks(recipe, 'python')
    *scripts, printed = _blocks(recipe, 'text') or ['']
    names: dict[str, Any] = {'__name__': 'recipe', 'played': script_model(*scripts)}
    if 'DBOSDurability' in source:
        # A workflow takes no model that its agent did not begin with.
        source = LIVE_MODEL.sub('played', source)
    run_block(source, names)
    # What happens later, in another conversation, has a script of its own.
    parts = [names[name] for name in ('main', 'later') if name in names]
    for part, script in zip(parts, scripts or [''], strict=False):
        model = names['played'] if 'DBOSDurability' in source else script_model(script)
        with names.get('agent', Agent()).override(model=model):
            asyncio.run(part())
    assert capfd.readouterr().out == printed


def test_there_are_twenty_that_run() -> None:
    assert len(RECIPES) >= 20
    assert PAGE.count('\n## ') > len(RECIPES)


def _blocks(recipe: str, language: str) -> list[str]:
    return re.findall(rf'```{language}\n(.*?)```', RECIPES[recipe], re.DOTALL)
