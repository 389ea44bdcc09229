"""English words without their endings, after the first and the last step of M. F. Porter's algorithm of 1980.

The steps between, which take `organize` and `organic` to `organ`, find less among tools than they confuse; the nouns of
verbs (`conversion`) are synonyms instead.
"""

from __future__ import annotations

import re
from string import ascii_lowercase

_LONGEST = 50
"""No word is as long; what is, is data."""

_LAST = frozenset('sdgye')
"""With which letters the endings end: most words have none, and one look tells."""

_NO_PLURALS = ('ss', 'us', 'is', 'news')

_NO_PARTICIPLES = ('meaning', 'morning', 'evening', 'wedding')
"""Nouns that only look like one: what a word means is not an average."""

_SHAPES = str.maketrans({letter: 'v' if letter in 'aeiou' else 'c' for letter in ascii_lowercase if letter != 'y'})
_SYLLABLE = re.compile('v+c+')
_DOUBLED = re.compile(r'([^aeiouylsz])\1$')


def stem(word: str) -> str:
    """`word`, in lower case, without its ending; a word that is not plain English letters stays as it is."""
    if not 2 < len(word) < _LONGEST or not (word.isascii() and word.isalpha()):
        return word
    if word[-1] not in _LAST:
        return word
    word = _without_participle(_without_plural(word))
    if word.endswith('y') and _has_vowel(word[:-1]):
        word = word[:-1] + 'i'
    return _without_final_e(word) if word.endswith('e') else word


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
    """`word` as vowels and consonants: `v` and `c`. A `y` is a vowel after a consonant."""
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
