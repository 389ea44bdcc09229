"""The recipes run as they stand, and print what they say."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent

from toolscript.testing import script_model

PAGE = (Path(__file__).parent.parent / 'docs' / 'recipes.md').read_text()
RECIPES = {
    title: text
    for title, text in re.findall(r'^## (.*?)\n(.*?)(?=^## |\Z)', PAGE, re.MULTILINE | re.DOTALL)
    if '```python' in text
}


@pytest.mark.parametrize('recipe', RECIPES)
def test_a_recipe_runs_and_prints_what_it_says(
    recipe: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'unused')
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {'__name__': 'recipe'}
    exec(_blocks(recipe, 'python')[0], names)
    *scripts, printed = _blocks(recipe, 'text') or ['']
    if 'main' in names:
        with names.get('agent', Agent()).override(model=script_model(*scripts)):
            asyncio.run(names['main']())
    assert capsys.readouterr().out == printed


def _blocks(recipe: str, language: str) -> list[str]:
    return re.findall(rf'```{language}\n(.*?)```', RECIPES[recipe], re.DOTALL)
