"""English words without their endings, after M. F. Porter's algorithm of 1980."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import ascii_lowercase

_STEP_2 = {
    'ational': 'ate', 'tional': 'tion', 'enci': 'ence', 'anci': 'ance', 'izer': 'ize', 'abli': 'able', 'alli': 'al',
    'entli': 'ent', 'eli': 'e', 'ousli': 'ous', 'ization': 'ize', 'ation': 'ate', 'ator': 'ate', 'alism': 'al',
    'iveness': 'ive', 'fulness': 'ful', 'ousness': 'ous', 'aliti': 'al', 'iviti': 'ive', 'biliti': 'ble',
}  # fmt: skip
_STEP_3 = {'icate': 'ic', 'ative': '', 'alize': 'al', 'iciti': 'ic', 'ical': 'ic', 'ful': '', 'ness': ''}
_STEP_4 = {
    'al': '', 'ance': '', 'ence': '', 'er': '', 'ic': '', 'able': '', 'ible': '', 'ant': '', 'ement': '', 'ment': '',
    'ent': '', 'sion': 's', 'tion': 't', 'ou': '', 'ism': '', 'ate': '', 'iti': '', 'ous': '', 'ive': '', 'ize': '',
}  # fmt: skip
_STEPS = (
    (tuple(_STEP_2), _STEP_2, 1),
    (tuple(_STEP_3), _STEP_3, 1),
    (tuple(_STEP_4), _STEP_4, 2),
)

_SHAPES = str.maketrans({letter: 'v' if letter in 'aeiou' else 'c' for letter in ascii_lowercase if letter != 'y'})
_SYLLABLE = re.compile('v+c+')
_DOUBLED = re.compile(r'([^aeiouylsz])\1$')


def stem(word: str) -> str:
    """`word`, in lower case, without its ending; a word that is not plain English letters stays as it is."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _without_participle(_without_plural(word))
    if word.endswith('y') and _has_vowel(word[:-1]):
        word = word[:-1] + 'i'
    for endings, replacements, least in _STEPS:
        # Most words have none of the endings; to ask for all of them at once is several times quicker.
        if word.endswith(endings):
            word = _replaced(word, replacements, least)
    return _without_final_e(word) if word.endswith(('e', 'l')) else word


def _replaced(word: str, replacements: Mapping[str, str], least: int) -> str:
    """`word` with its ending replaced, if at least `least` syllables stay in front."""
    ending = next(filter(word.endswith, replacements))
    rest = word[: -len(ending)]
    kept = replacements[ending]
    return rest + kept if _syllables(rest + kept if least > 1 else rest) >= least else word


def _without_plural(word: str) -> str:
    if word.endswith(('sses', 'ies')):
        return word[:-2]
    return word[:-1] if word.endswith('s') and not word.endswith('ss') else word


def _without_participle(word: str) -> str:
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
    if word.endswith('e'):
        rest = word[:-1]
        syllables = _syllables(rest)
        if syllables > 1 or (syllables == 1 and not _ends_short(rest)):
            word = rest
    return word[:-1] if word.endswith('ll') and _syllables(word) > 1 else word


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
