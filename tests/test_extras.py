"""README and the changelog name the existing extras, and `all` has all of them but `embeddings`."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

_REPOSITORY = Path(__file__).parent.parent
_EXTRAS: dict[str, list[str]] = tomllib.loads((_REPOSITORY / 'pyproject.toml').read_text())['project'][
    'optional-dependencies'
]


def test_all_has_every_extra_except_the_one_that_installs_pytorch() -> None:
    (everything,) = _EXTRAS['all']
    assert Requirement(everything).extras == set(_EXTRAS) - {'all', 'embeddings'}


def test_the_readme_names_every_extra() -> None:
    sentence = re.findall(r'The extras are (.*?)\.\n', (_REPOSITORY / 'README.md').read_text(), re.DOTALL)
    assert set(re.findall(r'`(\w+)`', sentence[0])) == set(_EXTRAS)


def test_extras_in_messages_exist() -> None:
    """In messages, docstrings and docs: `pip install 'toolscript[...]'`, or `'./toolscript[...]'`."""
    files = [*_REPOSITORY.glob('docs/*.md'), *_REPOSITORY.glob('src/**/*.py'), _REPOSITORY / 'README.md']
    reported = {
        name
        for file in files
        for names in re.findall(r"toolscript\[([\w,]+)\]'", file.read_text())
        for name in names.split(',')
    }
    assert reported >= {'anthropic', 'mcp', 'cli', 'postgres', 'encryption', 'bm25'}
    assert reported <= set(_EXTRAS)
