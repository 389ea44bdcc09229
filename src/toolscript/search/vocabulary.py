"""Words with similar meanings, and verbs of the same action."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

from .terms import terms, word_terms

_MIN_STEM = 4
_ENDING = 2
"""Two forms of a word differ in at most this many letters at the end of the shorter one."""


def related(term: str) -> tuple[str, ...]:
    """Return the terms of the words that share a group with `term`."""
    return _groups().get(term, ())


@cache
def forms(term: str) -> frozenset[str]:
    """Return the related terms that are another form of the same word: `reminder` for `remind`."""
    return frozenset(other for other in related(term) if _share_a_stem(term, other))


def _share_a_stem(one: str, other: str) -> bool:
    length = max(_MIN_STEM, min(len(one), len(other)) - _ENDING)
    return one[:length] == other[:length]


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    text = (files('toolscript.search') / 'synonyms.txt').read_text(encoding='utf-8')
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for line in text.splitlines():
        group = dict.fromkeys([] if line.startswith('#') else terms(line))
        for term in group:
            found[term] |= group
    return {term: tuple(other for other in group if other != term) for term, group in found.items()}


# Verbs of one line have the same action. Actions of one paragraph are of one kind: they read, create, change and so on.
_ACTION_VERBS = """
search find lookup query discover locate seek
list ls show enumerate browse display view
get fetch read retrieve obtain load describe inspect check

create add make new insert generate build register compose

update edit modify change set alter adjust rename replace configure patch upd

delete remove erase drop clear purge wipe destroy trash rm del

send post publish share reply forward

run execute start launch trigger invoke

stop cancel kill terminate abort
"""
_SAME_KIND = 0.5

Action = tuple[int, int]
"""The kind and the number of an action."""


def _read(table: str) -> dict[str, Action]:
    kinds = [paragraph.splitlines() for paragraph in table.strip().split('\n\n')]
    lines = [(kind, line) for kind, paragraph in enumerate(kinds) for line in paragraph]
    return {term: (kind, number) for number, (kind, line) in enumerate(lines) for term in terms(line)}


ACTIONS = _read(_ACTION_VERBS)
"""The action of each verb's term."""


def same_action(term: str) -> tuple[str, ...]:
    """Return the terms of the verbs with the action of `term`, including itself; none if the table lacks it."""
    return _terms_of_actions().get(ACTIONS[term], ()) if term in ACTIONS else ()


@cache
def _terms_of_actions() -> dict[Action, tuple[str, ...]]:
    return {action: tuple(term for term, other in ACTIONS.items() if other == action) for action in ACTIONS.values()}


@lru_cache(maxsize=1 << 14)
def actions_of(word: str) -> frozenset[Action]:
    return frozenset(ACTIONS[term] for term in word_terms(word) if term in ACTIONS)


@lru_cache(maxsize=256)
def agreements(asked: frozenset[Action]) -> Mapping[str, float]:
    """Return how well each verb's term agrees with these actions: 1 for the same action, 0.5 for the same kind."""
    kinds = {kind for kind, _ in asked}
    return {term: 1.0 if action in asked else _SAME_KIND for term, action in ACTIONS.items() if action[0] in kinds}
