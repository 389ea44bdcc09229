"""An algorithm whose package is not installed says which extra brings it."""

import sys

import pytest

from toolscript.search import build_index


def test_bm25_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'rank_bm25', None)
    monkeypatch.delitem(sys.modules, 'toolscript.search.bm25', raising=False)
    with pytest.raises(ImportError, match=r"pip install 'toolscript\[bm25\]'"):
        build_index('bm25', [])
