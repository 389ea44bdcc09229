"""The page for new contributors names existing files."""

import re
from pathlib import Path

_REPOSITORY = Path(__file__).parent.parent
_PAGE = (_REPOSITORY / 'docs' / 'how-it-works.md').read_text()


def test_every_file_and_folder_on_the_page_exists() -> None:
    named = set(re.findall(r'`((?:src|sandbox|signatures|tests)/[\w/.]+)`', _PAGE))
    assert len(named) > 40
    assert [name for name in sorted(named) if not (_REPOSITORY / name).exists()] == []
