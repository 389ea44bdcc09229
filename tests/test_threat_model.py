"""The threat model names existing tests, and the index links to it."""

import re
from pathlib import Path

_REPOSITORY = Path(__file__).parent.parent
_PAGE = (_REPOSITORY / 'docs' / 'threat-model.md').read_text()


def test_every_test_named_on_the_page_exists() -> None:
    named = set(re.findall(r'`(test_\w+)`', _PAGE))
    assert len(named) > 30
    files = (_REPOSITORY / 'tests').rglob('test_*.py')
    tests = [re.findall(r'^(?:async )?def (test_\w+)', file.read_text(), re.MULTILINE) for file in files]
    assert named.difference(*tests) == set()


def test_every_promise_of_the_page_names_a_test() -> None:
    lines = [line for line in _PAGE.splitlines() if line.startswith('- ')]
    assert len(lines) > 80
    assert [line for line in lines if '`test_' not in line.rpartition(': ')[2]] == []


def test_the_index_links_to_the_page() -> None:
    for page in ('README.md', 'SECURITY.md'):
        assert 'docs/threat-model.md' in (_REPOSITORY / page).read_text()
