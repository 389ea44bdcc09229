"""CONTRIBUTING teaches by pointing, so what it points at is there."""

import re
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).parent.parent
_TEXT = (_REPOSITORY / 'CONTRIBUTING.md').read_text()


@pytest.mark.parametrize('path', sorted(set(re.findall(r'`([\w./-]+(?:/|\.py|\.toml|\.lock))`', _TEXT))))
def test_it_points_at_files_that_exist(path: str) -> None:
    if path != '__init__.py':
        assert (_REPOSITORY / path).exists()


@pytest.mark.parametrize('target', sorted(set(re.findall(r'make ([a-z-]+)', _TEXT))))
def test_it_names_targets_that_make_knows(target: str) -> None:
    assert f'\n{target}:' in (_REPOSITORY / 'Makefile').read_text()


def test_the_code_it_shows_is_the_code_it_points_at() -> None:
    shown = next(block for block in re.findall(r'```python\n(.*?)```', _TEXT, re.DOTALL) if 'class Watched' in block)
    assert shown in (_REPOSITORY / 'demo' / 'watched.py').read_text()
