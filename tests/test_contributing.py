"""CONTRIBUTING names files, targets and code that exist."""

import re
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).parent.parent
_TEXT = (_REPOSITORY / 'CONTRIBUTING.md').read_text()


@pytest.mark.parametrize('path', sorted(set(re.findall(r'`([\w./-]+(?:/|\.py|\.toml|\.lock))`', _TEXT))))
def test_it_refers_to_existing_files(path: str) -> None:
    if path != '__init__.py':
        assert (_REPOSITORY / path).exists()


@pytest.mark.parametrize('target', sorted(set(re.findall(r'make ([a-z-]+)', _TEXT))))
def test_it_names_existing_make_targets(target: str) -> None:
    assert f'\n{target}:' in (_REPOSITORY / 'Makefile').read_text()


def test_its_code_is_copied_from_the_named_file() -> None:
    shown = next(block for block in re.findall(r'```python\n(.*?)```', _TEXT, re.DOTALL) if 'class Watched' in block)
    assert shown in (_REPOSITORY / 'demo' / 'watched.py').read_text()
