"""The pages of the reference, and the page that the site starts with."""

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / 'docs'
PACKAGES = [
    'toolscript',
    'toolscript.history',
    'toolscript.search',
    'toolscript.testing',
    'toolscript_sandbox',
    'toolscript_signatures',
]


@pytest.mark.parametrize('package', PACKAGES)
def test_every_public_name_is_in_the_reference_once(package: str) -> None:
    text = '\n'.join(page.read_text() for page in sorted((DOCS / 'reference').glob('*.md')))
    reported = Counter(re.findall(rf'^::: {re.escape(package)}\.(\w+)$', text, re.MULTILINE))
    assert reported == Counter(importlib.import_module(package).__all__)
