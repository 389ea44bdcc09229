"""The names nearest to a name that does not exist."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from heapq import nlargest

from toolscript.search.vocabulary.synonyms import related
from toolscript.search.vocabulary.terms import terms
from toolscript.search.vocabulary.words import split_name

_LEAST = 0.39
"""Below this likeness a name is no help."""
_CONSIDERED = 60
"""A close look at each of ten thousand names takes too long."""
_GUESS = 0.9
"""What sharing all words counts beside the same spelling."""
_MEANT = 0.5
"""What a synonym counts beside the word itself."""
_VERB_WEIGHT = 0.25

_VERB_STEMS = """
add chang creat delet edit execut fetch find get insert list load make manag new post put queri read remov retriev run
save search send set show tool updat view write
"""
_VERBS = frozenset(_VERB_STEMS.split())


def closest_names(name: str, names: Collection[str], *, limit: int = 3) -> list[str]:
    """Up to `limit` of `names` that somebody who wrote `name` may have meant, the likeliest first.

    Typos, other spellings (`getUser` for `get_user`) and guesses that share a telling word (`create_refund` for
    `refund_payment`) are found; empty when nothing is alike.
    """
    if not (everything := tuple(names)):
        return []
    # Most runs know every name that they read, and need no numpy.
    from .alike import spellings

    known = spellings(everything)
    spelled = known.likeness(spellings((name,)))
    likeness = {
        everything[place]: max(float(spelled[place]), _GUESS * _overlap(terms(name), terms(everything[place])))
        for place in known.nearest(spelled, _telling(name), _CONSIDERED)
    }
    best = nlargest(limit, likeness, key=lambda other: (likeness[other], other == name))
    return [other for other in best if likeness[other] >= _LEAST]


def _telling(name: str) -> list[str]:
    """The words of a name that say more than what is done."""
    return [word.casefold() for word in split_name(name) if len(word) > 2 and not _VERBS.issuperset(terms(word))]


def _overlap(one: Iterable[str], other: Iterable[str]) -> float:
    """The share of telling words that both names say, or at least mean."""
    these, those = set(one), set(other)
    meant = {term for term in these - those if not those.isdisjoint(related(term))}
    shared = _weight(these & those) + _MEANT * _weight(meant)
    return shared / (_weight(these | those) or 1)


def _weight(found: Iterable[str]) -> float:
    return sum(_VERB_WEIGHT if term in _VERBS else 1 for term in found)
