"""The pages of the reference, and the page that the site starts with."""

import importlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolscript.testing import script_model

DOCS = Path(__file__).parent.parent / 'docs'
DOORS = [
    'toolscript',
    'toolscript.reading',
    'toolscript.search',
    'toolscript.testing',
    'toolscript_sandbox',
    'toolscript_signatures',
]


@pytest.mark.parametrize('door', DOORS)
def test_every_public_name_stands_in_the_reference_once(door: str) -> None:
    text = '\n'.join(page.read_text() for page in sorted((DOCS / 'reference').glob('*.md')))
    told = Counter(re.findall(rf'^::: {re.escape(door)}\.(\w+)$', text, re.MULTILINE))
    assert told == Counter(importlib.import_module(door).__all__)


@pytest.mark.anyio
async def test_the_first_example_takes_two_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'unused')
    page = (DOCS / 'index.md').read_text()
    names: dict[str, Any] = {'__name__': 'example'}
    exec(_block(page, 'python'), names)
    model = script_model(_block(page, 'text'))
    result = await names['agent'].run('What have our customers in Norway ordered, in all?', model=model)
    assert '300.0' in result.output
    assert result.usage.requests == 2


def _block(page: str, language: str) -> str:
    found = re.search(rf'```{language}\n(.*?)```', page, re.DOTALL)
    assert found is not None
    return found[1]
