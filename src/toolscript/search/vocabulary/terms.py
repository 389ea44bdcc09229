"""Words as terms: what a query and a tool must share to match."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from .spellings import spelled
from .stems import stem
from .stopwords import STOP_WORDS
from .words import split_camel, words

# Chinese, Japanese and Korean put no space between words; pairs of characters stand in for them.
_UNSPACED = '\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af'
_DIGITS = re.compile(r'\d+|\D+')


def terms(text: str) -> list[str]:
    """The terms of `text`, in order, with those of stop words."""
    return [term for word in words(text) for term in word_terms(word)]


@lru_cache(maxsize=1 << 16)
def word_terms(word: str) -> tuple[str, ...]:
    """The terms of one run of letters and digits: its stem, after those of its parts when it is a compound."""
    if word.isascii():
        return _spaced(word)
    return tuple(term for run in _run().findall(word) for term in _script_terms(run))


def part_terms(word: str) -> tuple[str, ...]:
    """The terms of the parts of `word`, without that of the whole where there are several."""
    found = word_terms(word)
    return found[:-1] or found


@lru_cache(maxsize=1 << 16)
def telling_terms(word: str) -> tuple[str, ...]:
    """The terms of `word` that say something; none for a stop word."""
    return () if word.casefold() in STOP_WORDS else tuple(t for t in word_terms(word) if t not in _stop_terms())


def _script_terms(run: str) -> tuple[str, ...]:
    if not _unspaced_start().match(run):
        return _spaced(run)
    return (run,) if len(run) < 3 else tuple(run[i : i + 2] for i in range(len(run) - 1))


def _spaced(word: str) -> tuple[str, ...]:
    whole = _term(word.casefold())
    if word.isalpha() and (word.islower() or word.istitle()):
        return (whole,)
    humps = split_camel(word)
    parts = humps if word.isalpha() else [part for hump in humps for part in _DIGITS.findall(hump)]
    said = [_term(part.casefold()) for part in parts if len(part) > 1]
    return (whole,) if len(said) < 2 else (*said, whole)


@lru_cache(maxsize=1 << 14)
def _term(folded: str) -> str:
    return stem(spelled(folded))


# Such patterns take milliseconds to compile, which most programs never need.
@cache
def _run() -> re.Pattern[str]:
    return re.compile(f'[{_UNSPACED}]+|[^{_UNSPACED}]+')


@cache
def _unspaced_start() -> re.Pattern[str]:
    return re.compile(f'[{_UNSPACED}]')


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(stem(spelled(word)) for word in STOP_WORDS)
