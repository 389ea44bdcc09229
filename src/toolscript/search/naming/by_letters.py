"""Names by their letters alone, in whatever case and with whatever separators they are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolscript.search.differing import differing
from toolscript.search.vocabulary.words import words

BEGINNING = 6
"""So many letters of a name are looked at before all."""


@dataclass(frozen=True)
class ByLetters:
    """Names, found by their letters."""

    names: dict[str, tuple[str, ...]]
    """Those with the same letters, in their order."""
    beginnings: frozenset[str]
    """The first letters of the names, and maybe of some that are gone: a look here spares most words all others."""
    count: int
    """How many names these are."""


def by_letters(names: Iterable[str]) -> ByLetters:
    """The `names` by their letters."""
    found: dict[str, tuple[str, ...]] = {}
    distinct = dict.fromkeys(names)
    for name in distinct:
        letters = folded(name)
        found[letters] = (*known, name) if (known := found.get(letters)) else (name,)
    return ByLetters(found, frozenset(letters[:BEGINNING] for letters in found), len(distinct))


def brought_up_to_date(known: ByLetters, before: Sequence[str], names: Sequence[str]) -> ByLetters | None:
    """The `names` by their letters, given those `before`, of which some are gone and others came.

    None where that is no matter of single names: where one has the letters of another, or the order is another.
    """
    old_places, new_places = differing(before, names)
    old, new = [before[place] for place in old_places], [names[place] for place in new_places]
    gone, came = set(old).difference(new), set(new).difference(old)
    if [name for name in old if name not in gone] != [name for name in new if name not in came]:
        return None
    found = known.names.copy()
    for name in gone:
        letters = folded(name)
        if left := tuple(other for other in found[letters] if other != name):
            found[letters] = left
        else:
            del found[letters]
    for name in came:
        if (letters := folded(name)) in found:
            return None
        found[letters] = (name,)
    count = known.count - len(gone) + len(came)
    # There is room for every name: none is there twice.
    if known.count != len(before) or count != len(names):
        return None
    beginnings = {folded(name)[:BEGINNING] for name in came}
    return ByLetters(found, known.beginnings | beginnings if beginnings else known.beginnings, count)


def folded(name: str) -> str:
    """The letters and digits of a name, in lower case."""
    lower = name.casefold()
    return lower if lower.isalnum() else ''.join(words(lower))
