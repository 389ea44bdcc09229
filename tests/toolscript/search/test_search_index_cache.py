"""An index is built once for the same content."""

from __future__ import annotations

import pytest

from toolscript.search import Document, build_index


def documents(count: int = 3) -> list[Document]:
    return [Document(f'tool_{number}', 'weather', {'properties': {'city': {}}}) for number in range(count)]


def test_equal_documents_get_the_same_index() -> None:
    assert build_index('ranked', documents()) is build_index('ranked', tuple(documents()))


def test_other_documents_or_another_algorithm_get_another() -> None:
    index = build_index('ranked', documents())
    assert build_index('ranked', documents(4)) is not index
    assert build_index('keywords', documents()) is not index


def test_a_changed_description_is_found_at_once() -> None:
    assert build_index('ranked', [Document('tool', 'weather')]).search('stocks', limit=5) == []
    assert build_index('ranked', [Document('tool', 'stocks')]).search('stocks', limit=5) == ['tool']


def test_only_the_last_used_are_kept() -> None:
    kept = build_index('ranked', documents(1))
    others = [build_index('ranked', documents(count)) for count in range(2, 9)]
    assert build_index('ranked', documents(1)) is kept
    build_index('ranked', documents(20))
    assert build_index('ranked', documents(1)) is kept
    assert build_index('ranked', documents(2)) is not others[0]


@pytest.mark.long
def test_of_large_catalogs_fewer_are_kept() -> None:
    tools = [Document(f'tool_{number}') for number in range(75_000)]
    catalogs = [tools, tools[:-1], tools[:-2]]
    first, second, _ = (build_index('regex', catalog) for catalog in catalogs)
    assert build_index('regex', catalogs[1]) is second
    assert build_index('regex', catalogs[0]) is not first
