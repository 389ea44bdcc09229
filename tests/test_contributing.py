"""CONTRIBUTING names files, targets and code that exist."""

import re
from pathlib import Path

_REPOSITORY = Path(__file__).parent.parent
_TEXT = (_REPOSITORY / 'CONTRIBUTING.md').read_text()


def test_it_refers_to_existing_files() -> None:
    paths = set(re.findall(r'`([\w./-]+(?:/|\.py|\.toml|\.lock))`', _TEXT)) - {'__init__.py'}
    assert [path for path in paths if not (_REPOSITORY / path).exists()] == []


def test_it_names_existing_make_targets() -> None:
    makefile = (_REPOSITORY / 'Makefile').read_text()
    assert [target for target in re.findall(r'make ([a-z-]+)', _TEXT) if f'\n{target}:' not in makefile] == []


def test_its_code_is_copied_from_the_named_file() -> None:
    shown = next(block for block in re.findall(r'```python\n(.*?)```', _TEXT, re.DOTALL) if 'class Watched' in block)
    assert shown in (_REPOSITORY / 'demo' / 'watched.py').read_text()
