"""The names of tools: exact, misspelt, or inside a request."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cached_property
from heapq import nlargest
from itertools import pairwise

from .query import selection
from .terms import STOP_WORDS, split_name, terms, words
from .vocabulary import Action, actions_of, related

_TOKEN = re.compile(r'[^\s,;|"\'`()\[\]{}<>]+')
_MIN_RUN_TOGETHER = 6
"""With fewer letters and no separators, it is more likely a word than a name."""
_MAX_TYPOS = {5: 1, 9: 2}
"""How many typos a selected name with at least this many letters may have."""
_MAX_SELECTED = 40
"""How many names of one query are looked up by spelling."""
_MAX_RUN = 5
_MAX_SEARCHED = 40
"""In how many words of a request names are searched."""
_ARTICLES = frozenset(['a', 'an', 'the', 'my', 'our', 'your', 'all', 'any', 'some', 'of'])
_MAX_NAME = 200
"""No tool has a longer name."""

_MIN_SIMILARITY = 0.39
_SAME_WORDS = 0.9
"""The similarity of names with the same words."""
_SYNONYM = 0.5
"""The weight of a synonym; the word itself has 1."""
_VERB = 0.25
_SHARED_WORD = 0.5
_COMPARED = 60
"""How many names with a similar spelling are compared word by word."""
_VERB_STEMS = """
add chang creat delet edit execut fetch find get insert list load make manag new post put queri read remov retriev run
save search send set show tool updat view write
"""
_VERBS = frozenset(_VERB_STEMS.split())


class ToolNames:
    """The names of a catalog's tools."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)

    @cached_property
    def _by_letters(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for name in dict.fromkeys(self._names):
            found[_letters(name)].append(name)
        return dict(found)

    def named(self, text: str) -> list[str]:
        """Return the tools whose names the text contains, in the text's order, in any case and with any separators.

        A name of one word counts only if the text consists of names alone: `search` is mostly a verb.
        """
        tokens = [token.strip('.:?!+') for token in _TOKEN.findall(text)]
        found = [self._spelled(token) for token in tokens]
        only_names = all(names for names, token in zip(found, tokens, strict=True) if token)
        return list(dict.fromkeys(name for names in found for name in names if only_names or _is_compound(name)))

    def mentioned(self, text: str) -> dict[str, float]:
        """Return the tools whose names the text contains as consecutive words, with their shares of its content.

        `get the user of an issue` contains `get_user`.
        """
        every = [word.casefold() for word in words(text)[:_MAX_SEARCHED]]
        without_articles = [word for word in every if word not in _ARTICLES]
        found = self._in_a_row(without_articles)
        return found if len(without_articles) == len(every) else {**self._in_a_row(every), **found}

    def missed(self, query: str) -> list[str]:
        """Return the names in a `select:` query that no tool has, even with a typo."""
        wanted = selection(query.strip()) or []
        return [name for name in wanted if not self._nearest(name)]

    def closest(self, text: str) -> list[str]:
        """Return up to three names that are similar to the text."""
        return closest_names(text, dict.fromkeys(self._names))

    def selected(self, wanted: list[str]) -> list[str]:
        """Return the tools with these names, in order; the nearest name if no tool has the exact one."""
        exact = {name for name in wanted if name in self._by_letters.get(_letters(name), ())}
        others = [name for name in wanted if name not in exact][:_MAX_SELECTED]
        near = {name: self._nearest(name) for name in others}
        chosen = (found for name in wanted for found in ([name] if name in exact else near.get(name, [])))
        return list(dict.fromkeys(chosen))

    def _in_a_row(self, tokens: list[str]) -> dict[str, float]:
        """Return the tools whose names are two or more consecutive words that are not all stop words."""
        found: dict[str, float] = {}
        for start in range(len(tokens)):
            for end in range(start + 2, min(start + _MAX_RUN, len(tokens)) + 1):
                letters = ''.join(tokens[start:end])
                other_number = letters[:-1] if letters[-1] == 's' else letters + 's'
                names = self._by_letters.get(letters) or self._by_letters.get(other_number)
                if names and (content := _content(tokens[start:end])):
                    found |= dict.fromkeys(names, content / _content(tokens))
        return found

    def _nearest(self, name: str) -> list[str]:
        """Return the tools with this name, or nearly; several if it consists of several names."""
        if (spelled := self._spelled(name)) or not name:
            return spelled
        parts = name.split()
        if len(parts) > 1 and (found := [found for part in parts for found in self._spelled(part)]):
            return found
        typos = {other: _typos(name[:_MAX_NAME], other) for other in self.closest(name)}
        allowed = max((count for letters, count in _MAX_TYPOS.items() if len(_letters(name)) >= letters), default=0)
        fewest = min(typos.values(), default=allowed + 1)
        near = [other for other, count in typos.items() if count == fewest and _may_do_the_same(name, other)]
        # If different tools are equally near, none is chosen.
        if fewest > allowed or len({*map(_letters, near)}) != 1:
            return []
        return [max(near, key=lambda other: _similarity(name, other))]

    def _spelled(self, token: str) -> list[str]:
        letters = _letters(token)
        names = self._by_letters.get(letters)
        if not names:
            return []
        if token in names:
            return [token]
        return names if len(letters) >= _MIN_RUN_TOGETHER or _is_compound(token) else []


def closest_names(name: str, names: Collection[str], *, limit: int = 3) -> list[str]:
    """Return up to `limit` of `names` that `name` may have meant, most likely first.

    Finds typos, other spellings (`getUser` for `get_user`) and guesses that share a word (`create_refund` for
    `refund_payment`). Empty when no name is similar.
    """
    name, names = name[:_MAX_NAME], [other for other in names if len(other) <= _MAX_NAME]
    content = [word.casefold() for word in split_name(name) if len(word) > 2 and not _VERBS.issuperset(terms(word))]
    spelling = {other: _similarity(name, other) for other in names}

    def spelling_and_words(other: str) -> float:
        letters = _letters(other)
        return spelling[other] + _SHARED_WORD * any(word in letters for word in content)

    similarity = {
        other: max(spelling[other], _SAME_WORDS * _overlap(terms(name), terms(other)))
        for other in nlargest(_COMPARED, spelling, key=spelling_and_words)
    }
    best = nlargest(limit, similarity, key=lambda other: (similarity[other], other == name))
    least = 1 if best and similarity[best[0]] >= 1 else _MIN_SIMILARITY
    return [other for other in best if similarity[other] >= least]


def _similarity(one: str, other: str) -> float:
    """Return the share of pairs of adjacent letters that two names have in common."""
    these, those = _pairs(one), _pairs(other)
    return 2 * len(these & those) / max(len(these) + len(those), 1)


def _pairs(name: str) -> set[tuple[str, str]]:
    letters = ''.join(filter(str.isalnum, name.casefold()))
    return set(pairwise(f' {letters} ')) if letters else set()


def _overlap(one: Iterable[str], other: Iterable[str]) -> float:
    """Return the share of words that both names have, or synonyms of these."""
    these, those = set(one), set(other)
    synonyms = {term for term in these - those if not those.isdisjoint(related(term))}
    shared = _weight(these & those) + _SYNONYM * _weight(synonyms)
    return shared / (_weight(these | those) or 1)


def _weight(found: Iterable[str]) -> float:
    return sum(_VERB if term in _VERBS else 1 for term in found)


def _letters(name: str) -> str:
    lower = name.casefold()
    return lower if lower.isalnum() else ''.join(words(lower))


def _content(tokens: list[str]) -> int:
    return sum(word not in STOP_WORDS for word in tokens)


def _is_compound(name: str) -> bool:
    return len(split_name(name)) > 1


def _may_do_the_same(one: str, other: str) -> bool:
    """Return whether the verbs agree: `set_alarm` is not a typo of `get_alarm`."""
    done, does = (frozenset[Action]().union(*map(actions_of, words(name))) for name in (one, other))
    return not done or not does or not done.isdisjoint(does)


def _typos(one: str, other: str) -> int:
    """Return how many typos turn one name into the other. Words before or after those of the other count as one."""
    # Imported here, because only misses need it.
    from rapidfuzz.distance import OSA

    letters, parts = _letters(one), words(other)
    if any(letters in (_letters(''.join(parts[:cut])), _letters(''.join(parts[cut:]))) for cut in range(1, len(parts))):
        return 1
    return OSA.distance(letters, _letters(other))
