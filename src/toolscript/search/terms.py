"""Text as words, and words as terms: a query and a tool match when they share a term.

A term is a word without its ending, after the first and the last step of M. F. Porter's algorithm of 1980. The steps
in between, which reduce `organize` and `organic` to `organ`, confuse more tools than they find; nouns from verbs
(`conversion`) are synonyms instead.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from string import ascii_lowercase
from unicodedata import normalize

_RUN = re.compile(r'[^\W_]+')
_GAPS = bytes(code if chr(code).isalnum() else 32 for code in range(128)).ljust(256)
SEPARATOR = '\x01'
"""Separates the words of two texts."""
_GAPS_BUT_SEPARATOR = bytes(code if chr(code) == SEPARATOR else gap for code, gap in enumerate(_GAPS))
_CAMEL = re.compile(r'[A-Z]+(?![^A-Z])|[A-Z]?[^A-Z]+|[A-Z]+(?=[A-Z])')


_STOP_WORDS = """
a able about above after again all also am an and any are as at be because been before being below between both but by
can could currently d did do does doing don during each few for from further get getting give given going good got
great had has have he hello help her here hers hey hi him his hope how i if in interested into is it its just kindly
know let like ll looking m me more most my need no nor not now of ok okay on once one only or other our over own
please provide re s same she should so some such sure t tell than thank thanks that the their them then there these
they this those through to too under until us use used using ve very via want was way we were what when where which
whether while who whom why will with would yes you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that say nothing about a tool: grammar, and polite words around a request."""

# Chinese, Japanese and Korean are written without spaces, so pairs of characters are the terms.
_UNSPACED = '\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af'
_DIGITS = re.compile(r'\d+|\D+')

_MAX_WORD = 50
"""Longer runs of letters are data, not words."""
_LAST_LETTERS = frozenset('sdgye')
"""The last letters of all endings. Most words end differently and need no closer look."""
_NO_PLURALS = ('ss', 'us', 'is', 'news')
_NO_PARTICIPLES = ('meaning', 'morning', 'evening', 'wedding')
_SHAPES = str.maketrans({letter: 'v' if letter in 'aeiou' else 'c' for letter in ascii_lowercase if letter != 'y'})
_SYLLABLE = re.compile('v+c+')
_DOUBLED = re.compile(r'([^aeiouylsz])\1$')


def words(text: str) -> list[str]:
    """Return the runs of letters and digits in `text`, in any form of Unicode."""
    # Most text is ASCII, for which this is four times faster than a regular expression.
    return text.encode().translate(_GAPS).decode().split() if text.isascii() else _RUN.findall(normalize('NFKC', text))


def words_of_each(texts: Sequence[str]) -> list[str]:
    """Return the words of all `texts`, with `SEPARATOR` between one text and the next."""
    joined = f' {SEPARATOR} '.join(texts)
    if joined.isascii() and joined.count(SEPARATOR) == len(texts) - 1:
        return joined.encode().translate(_GAPS_BUT_SEPARATOR).decode().split()
    return [word for text in texts for word in (*words(text), SEPARATOR)][:-1]


def split_camel(identifier: str) -> list[str]:
    """Return the parts of a camelCase identifier: `HTMLParser` is `HTML` and `Parser`."""
    return _CAMEL.findall(identifier)


def split_name(name: str) -> list[str]:
    """Return the parts of a tool's name, split at underscores, other separators and camelCase."""
    return [part for word in words(name) for part in split_camel(word)]


def terms(text: str) -> list[str]:
    """Return the terms of `text`, in order, including those of stop words."""
    return [term for word in words(text) for term in word_terms(word)]


@lru_cache(maxsize=1 << 16)
def word_terms(word: str) -> tuple[str, ...]:
    """Return the terms of one run of letters and digits: its stem, after those of its parts if it is a compound."""
    if word.isascii():
        return _spaced(word)
    return tuple(term for run in _run().findall(word) for term in _script_terms(run))


def part_terms(word: str) -> tuple[str, ...]:
    """Return the terms of the parts of `word`, without that of the whole if there are several."""
    found = word_terms(word)
    return found[:-1] or found


@lru_cache(maxsize=1 << 16)
def content_terms(word: str) -> tuple[str, ...]:
    """Return the terms of `word` without stop words; none for a stop word."""
    return () if word.casefold() in STOP_WORDS else tuple(t for t in word_terms(word) if t not in _stop_terms())


def has_content(text: str) -> bool:
    """Return whether `text` has any word that is not a stop word."""
    return any(map(content_terms, words(text)))


def stem(word: str) -> str:
    """Return `word` in lower case, without its ending. Words with other than English letters are unchanged."""
    if not 2 < len(word) < _MAX_WORD or not (word.isascii() and word.isalpha()):
        return word
    if word[-1] not in _LAST_LETTERS:
        return word
    word = _without_participle(_without_plural(word))
    if word.endswith('y') and _has_vowel(word[:-1]):
        word = word[:-1] + 'i'
    return _without_final_e(word) if word.endswith('e') else word


def _script_terms(run: str) -> tuple[str, ...]:
    if not _unspaced_start().match(run):
        return _spaced(run)
    return (run,) if len(run) < 3 else tuple(run[i : i + 2] for i in range(len(run) - 1))


def _spaced(word: str) -> tuple[str, ...]:
    whole = stem(word.casefold())
    if word.isalpha() and (word.islower() or word.istitle()):
        return (whole,)
    humps = split_camel(word)
    parts = humps if word.isalpha() else [part for hump in humps for part in _DIGITS.findall(hump)]
    stems = [stem(part.casefold()) for part in parts if len(part) > 1]
    return (whole,) if len(stems) < 2 else (*stems, whole)


# These patterns take milliseconds to compile, and most programs never need them.
@cache
def _run() -> re.Pattern[str]:
    return re.compile(f'[{_UNSPACED}]+|[^{_UNSPACED}]+')


@cache
def _unspaced_start() -> re.Pattern[str]:
    return re.compile(f'[{_UNSPACED}]')


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(map(stem, STOP_WORDS))


def _without_plural(word: str) -> str:
    if word.endswith(('sses', 'ies')):
        return word[:-2]
    return word[:-1] if word.endswith('s') and not word.endswith(_NO_PLURALS) and len(word) > 3 else word


def _without_participle(word: str) -> str:
    if not word.endswith(('ed', 'ing')) or word in _NO_PARTICIPLES:
        return word
    if word.endswith('eed'):
        return word[:-1] if _syllables(word[:-3]) else word
    for ending in ('ed', 'ing'):
        if word.endswith(ending) and _has_vowel(rest := word[: -len(ending)]):
            return _restored(rest)
    return word


def _restored(rest: str) -> str:
    if rest.endswith(('at', 'bl', 'iz')):
        return rest + 'e'
    if _DOUBLED.search(rest):
        return rest[:-1]
    return rest + 'e' if _syllables(rest) == 1 and _ends_short(rest) else rest


def _without_final_e(word: str) -> str:
    rest = word[:-1]
    syllables = _syllables(rest)
    return rest if syllables > 1 or (syllables == 1 and not _ends_short(rest)) else word


def _shape(word: str) -> str:
    """Return `word` as vowels and consonants: `v` and `c`. A `y` is a vowel after a consonant."""
    shape = word.translate(_SHAPES)
    while 'y' in shape:
        before, _, after = shape.partition('y')
        shape = before + ('v' if before.endswith('c') else 'c') + after
    return shape


def _syllables(word: str) -> int:
    return len(_SYLLABLE.findall(_shape(word)))


def _has_vowel(word: str) -> bool:
    return 'v' in _shape(word)


def _ends_short(word: str) -> bool:
    return _shape(word).endswith('cvc') and word[-1] not in 'wxy'
