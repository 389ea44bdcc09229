"""Requests in eleven other languages, with everyday words replaced by English ones.

This is not translation: `buscar vuelos` becomes `search find flight`.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, islice
from unicodedata import category, normalize

from .terms import STOP_WORDS, word_terms
from .vocabulary import actions_of, related

_LATIN = 6
"""How many languages use the Latin alphabet: that of a request is guessed. Other scripts need no guess."""
_CHINESE, _JAPANESE = 7, 8
_MIN_SHARE = 0.5
"""The share of a request's words that its language must know; otherwise it is English with a foreign word."""
_STEM = 4
_ENDING = 2
"""How many last letters of a word may differ, if the stem remains."""
_MAX_ENDING = 3
_MAX_WORD = 40
"""Longer runs of letters are data, not words."""
_ARTICLE = '\u0627\u0644'
"""In Arabic, the article and the noun are one word."""

_WORD = re.compile(r'[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u097f])*')
_UNSPACED = re.compile('[\u3040-\u30ff\u3400-\u9fff]+')
_KANA = re.compile('[\u3040-\u30ff]')


class _Language:
    """The words of one language, folded, with English ones for each."""

    def __init__(self) -> None:
        self._meanings: dict[str, str] = {}
        self._stems: dict[str, str] = {}
        self._empty: set[str] = set()
        self._longest = 0

    def learn(self, word: str, english: str) -> None:
        """Add a meaning of `word`; an empty one marks a stop word."""
        if not english:
            self._empty.add(word)
            return
        self._longest = max(self._longest, len(word))
        self._meanings[word] = f'{known} {english}' if (known := self._meanings.get(word)) else english
        if len(word) > _STEM:
            self._stems.setdefault(word[: max(_STEM, len(word) - _ENDING)], english)

    def prefixes(self) -> set[str]:
        return {word[:_STEM] for word in self._meanings}

    def english(self, word: str) -> str | None:
        """Return the English words for any form of `word`; empty for a stop word, None for an unknown one."""
        if len(word) > _MAX_WORD:
            return None
        if (known := self._meanings.get(word)) is not None:
            return known
        if word in self._empty:
            return ''
        for end in range(len(word), max(_STEM, len(word) - _MAX_ENDING) - 1, -1):
            if (known := self._stems.get(word[:end])) is not None:
                return known
        return self.english(word[len(_ARTICLE) :]) if word.startswith(_ARTICLE) else self._of_parts(word)

    def explains(self, word: str, may_be_english: Callable[[], bool]) -> bool:
        """Return whether `word` has a meaning; if it may be English, only in exactly this form."""
        return word in self._meanings or (bool(self.english(word)) and not may_be_english())

    def unspaced(self, run: str) -> str:
        """Return a run of characters, with the English words for the words in it, the longest first.

        Verbs are replaced, because names of tools have English ones, which do not distinguish tools.
        """
        other, found = '', list[str]()
        start = 0
        while start < len(run):
            ends = range(min(len(run), start + self._longest), start, -1)
            end = next((end for end in ends if run[start:end] in self._meanings), start + 1)
            english = self._meanings.get(run[start:end], '')
            other += ' ' if any(map(actions_of, english.split())) else run[start:end]
            found.append(english)
            start = end
        return ' '.join(filter(None, [other, *found]))

    def _of_parts(self, word: str) -> str | None:
        """Return the English words for a compound, as in German and Dutch: `Wettervorhersage`."""
        for end in range(len(word) - _STEM, _STEM - 1, -1):
            first, second = self._meanings.get(word[:end]), self._meanings.get(word[end:])
            if first and second:
                return f'{first} {second}'
        return None


def in_english(request: str, is_known: Callable[[str], bool], is_typo: Callable[[str], bool]) -> str:
    """Return `request` with English words in place of those of another language.

    Words that some tool contains (`is_known`) stay next to their translation, because tools are described in other
    languages too. A word that may be a typo (`is_typo`) does not make a request foreign by its first letters.
    """
    found = _WORD.findall(request)
    if request.isascii() and not _ONLY_ENGLISH.isdisjoint(map(str.casefold, found[:_FIRST])):
        return request
    foreign = [word for word in found if not _is_english(word)]
    if not foreign:
        return request
    if not request.isascii():
        request = _UNSPACED.sub(lambda run: f'{_unspaced(_folded(run[0]))} ', request)
    language = _language_of(_WORD.findall(request), foreign, lambda word: is_known(word) or is_typo(word))
    if not language and request.isascii():
        return request
    return _WORD.sub(lambda word: _translated(word[0], language, is_known), request)


_ONLY_ENGLISH_WORDS = """
and are can could does find for from get give have help how if its let my need of please show that the their there
these they this to want what when where which who with would you your
"""
_ONLY_ENGLISH = frozenset(_ONLY_ENGLISH_WORDS.split())
"""Words that none of the languages has and nearly all English sentences have."""
_FIRST = 8
"""How many words of an English request are enough to contain one of them."""


@lru_cache(maxsize=1 << 14)
def _is_english(word: str) -> bool:
    return word.isascii() and (word.casefold() in STOP_WORDS or any(map(related, word_terms(word))))


def _translated(word: str, language: _Language | None, is_known: Callable[[str], bool]) -> str:
    folded = _folded(word)
    english = language.english(folded) if language else None
    if english is None and not word.isascii():
        english = _of_its_script(folded)
    if english is None:
        return word
    return f'{word} {english}' if english and is_known(word) else english


def _language_of(found: list[str], foreign: list[str], may_be_english: Callable[[str], bool]) -> _Language | None:
    """Return the language that knows most of the words, if it explains one that is not English."""
    written = {word: folded for word in foreign if (folded := _folded(word))[:_STEM] in _prefixes()}
    if not written:
        return None
    checked = dict(islice(written.items(), _MAX_CHECKED))
    every = [_folded(word) for word in found if ord(word[0]) < _FIRST_NOT_LATIN]
    knows = {
        language: sum(language.english(word) is not None for word in every)
        for language in _languages()[:_LATIN]
        if any(language.explains(folded, lambda word=word: may_be_english(word)) for word, folded in checked.items())
    }
    best = max(knows, key=knows.__getitem__, default=None)
    return best if best and knows[best] >= _MIN_SHARE * len(every) else None


_FIRST_NOT_LATIN = 0x250
_MAX_CHECKED = 20
"""How many words that may be foreign are enough to recognize the language."""


def _of_its_script(folded: str) -> str | None:
    others = (language.english(folded) for language in _languages()[_LATIN:])
    return next((english for english in others if english is not None), None)


def _unspaced(run: str) -> str:
    languages = _languages()
    return languages[_JAPANESE if _KANA.search(run) else _CHINESE].unspaced(run)


@cache
def _prefixes() -> frozenset[str]:
    """Return the first letters of all words in the Latin alphabet; most English words begin differently."""
    return frozenset(chain.from_iterable(language.prefixes() for language in _languages()[:_LATIN]))


def _folded(word: str) -> str:
    """Return `word` without case and accents."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    return ''.join(char for char in normalize('NFKD', folded) if not category(char).startswith('M'))


@cache
def _languages() -> list[_Language]:
    text = (files('toolscript.search') / 'languages.txt').read_text(encoding='utf-8')
    rows = [line.split('|') for line in text.splitlines() if not line.startswith('#')]
    languages = [_Language() for _ in rows[0][1:]]
    for english, *columns in rows:
        for language, words in zip(languages, columns, strict=True):
            for word in words.split():
                language.learn(_folded(word), '' if english == '-' else english)
    return languages
