"""Words as terms: what a query and a tool must share to match."""

from __future__ import annotations

import re
from functools import lru_cache

from .stems import stem
from .words import split_camel, words

_SCRIPTS = re.compile(r'[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+')
_DIGITS = re.compile(r'\d+|\D+')


def terms(text: str) -> list[str]:
    """The terms of `text`, in order."""
    return [term for word in words(text) for term in word_terms(word)]


@lru_cache(maxsize=1 << 16)
def word_terms(word: str) -> tuple[str, ...]:
    """The terms of one run of letters and digits: itself stemmed, and its parts when it is a compound identifier."""
    if not word.isascii():
        return tuple(term for run in _SCRIPTS.findall(word) for term in _run_terms(run))
    return _latin_terms(word)


def _run_terms(run: str) -> tuple[str, ...]:
    if '\u3040' <= run[0] <= '\u9fff' or '\uac00' <= run[0] <= '\ud7af':
        # These scripts put no space between words; pairs of characters stand in for them.
        return (run,) if len(run) < 3 else tuple(run[i : i + 2] for i in range(len(run) - 1))
    return _latin_terms(run)


def _latin_terms(word: str) -> tuple[str, ...]:
    parts = [part for camel in split_camel(word) for part in _DIGITS.findall(camel) if len(part) > 1]
    whole = stem(word.casefold())
    if len(parts) < 2:
        return (whole,)
    return (*(stem(part.casefold()) for part in parts), whole)
