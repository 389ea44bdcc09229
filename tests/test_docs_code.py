"""Code in the docs can be copied: it runs, and its names exist."""

import ast
import builtins
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel

from tests.docs import LIVE_MODEL, ROOT, blocks, run_block

PAGES = [pytest.param(page, id=page.name) for page in (ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md')))]

PLACEHOLDERS = {'model', 'look', 'book'}
"""Names that the text around a block explains."""


def code_of(page: Path) -> str:
    """Return all blocks of a page, which is read from the top."""
    return '\n'.join(blocks(str(page.relative_to(ROOT))))


@pytest.mark.parametrize('page', PAGES)
def test_every_imported_name_exists(page: Path) -> None:
    names: dict[str, Any] = {}
    for statement in ast.parse(code_of(page)).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            exec(ast.unparse(statement), names)


@pytest.mark.parametrize('page', PAGES)
def test_a_page_that_names_a_live_model_says_that_it_needs_a_key(page: Path) -> None:
    prose = ' '.join(re.sub(r'```.*?```', '', page.read_text(), flags=re.DOTALL).split())
    says = re.search(r'live model[^.]* key\. Without a key, [^.]*testing\.md#without-a-model', prose)
    assert (LIVE_MODEL.search(code_of(page)) is None) or says


@pytest.mark.usefixtures('loop', 'without_keys')
@pytest.mark.parametrize('page', [page for page in PAGES if page.id != 'recipes.md'])
def test_the_blocks_of_a_page_run_one_after_the_other(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run the definitions; the tests of each page check their results. Recipes have their own test."""
    text = page.read_text()
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'functions').mkdir()
    server = {'command': sys.executable, 'args': [str(ROOT / 'tests' / 'servers' / 'contacts.py')]}
    (tmp_path / 'mcp.json').write_text(json.dumps({'mcpServers': {'office': server}}))
    for name, settings in re.findall(r'```yaml\n# (\w+\.yaml)\n(.*?)```', text, re.DOTALL):
        (tmp_path / name).write_text(settings)
    names: dict[str, Any] = {'__name__': 'page', 'model': TestModel(), 'look': look, 'book': book}
    try:
        for block in blocks(str(page.relative_to(ROOT))):
            run_block(block, names)
    finally:
        # The page on traces turns them on for the whole process.
        Agent.instrument_all(False)


async def look(place: int) -> str:
    """Look whether a place is free."""
    return f'{place} is free'


async def book(place: int) -> str:
    """Book a place."""
    return f'{place} is booked'


@pytest.mark.parametrize('page', PAGES)
def test_every_used_name_is_imported_or_defined(page: Path) -> None:
    nodes = [*ast.walk(ast.parse(code_of(page)))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    known = {*dir(builtins), *PLACEHOLDERS, *(name.id for name in names if isinstance(name.ctx, ast.Store))}
    for node in nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                known.add(node.name)
            case ast.alias():
                known.add((node.asname or node.name).partition('.')[0])
            case ast.arg():
                known.add(node.arg)
            case _:
                pass
    assert {name.id for name in names} <= known
