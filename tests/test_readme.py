"""The examples of README, and of the page of the docs that begins like it, print what the pages show."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs import ROOT, blocks, run_block
from tests.toolscript.history.shop import plain
from tests.toolscript.scripted import Script, run_code, search

pytestmark = pytest.mark.pydantic_ai

EXAMPLE, _ = blocks('README.md')
PRINTED, SIGNATURE = blocks('README.md', 'text')


def test_the_first_example_prints_what_the_page_shows_without_a_key(tmp_path: Path) -> None:
    pasted = tmp_path / 'pasted.py'
    pasted.write_text(EXAMPLE)
    environment = {'PATH': os.environ['PATH'], 'HOME': str(tmp_path)}
    ran = subprocess.run([sys.executable, pasted], env=environment, capture_output=True, text=True, timeout=300)
    assert ran.stderr == ''
    assert plain(ran.stdout).strip() == plain(PRINTED).strip()


@pytest.mark.usefixtures('loop', 'without_keys')
def test_the_model_is_shown_the_signature_once_words_find_it() -> None:
    names: dict[str, Any] = {'__name__': 'readme'}
    run_block(EXAMPLE, names)
    model = Script([run_code('await orders_of(1)'), 'done', search('orders')])
    with names['agent'].override(model=model.model):
        names['agent'].run_sync('What did customers 1 to 3 spend?')
        names['agent'].run_sync('Hello')
    assert {*model.shown[0]} == {'pai_tool_search_tool', 'run_code'}
    shown = [SIGNATURE.strip() in (tools['run_code'].description or '') for tools in model.shown]
    assert shown == [True, True, False, True]


def test_the_first_page_of_the_docs_has_the_same_example() -> None:
    assert blocks('docs/index.md') == [EXAMPLE]
    assert blocks('docs/index.md', 'text') == [PRINTED, SIGNATURE]
    assert blocks('docs/index.md', 'sh') == blocks('README.md', 'sh')[1:]


def test_readme_has_at_most_1400_words() -> None:
    assert len((ROOT / 'README.md').read_text().split()) <= 1_400
