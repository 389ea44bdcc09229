"""What is done: the verbs of tools and requests, by what they do to a thing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from .terms import terms, word_terms

# Verbs of one line do the same; lines of one paragraph leave everything as it is, or change it, in the same way.
_VERBS = """
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
"""The kind and the class of a verb."""


def _read(table: str) -> dict[str, Action]:
    kinds = [paragraph.splitlines() for paragraph in table.strip().split('\n\n')]
    lines = [(kind, line) for kind, paragraph in enumerate(kinds) for line in paragraph]
    return {term: (kind, number) for number, (kind, line) in enumerate(lines) for term in terms(line)}


ACTIONS = _read(_VERBS)
"""The action of each verb's term."""


def doing_the_same(term: str) -> tuple[str, ...]:
    """The terms of the verbs that do the same as `term`, with itself; none where it is no verb of the table."""
    return _classes().get(ACTIONS[term], ()) if term in ACTIONS else ()


@cache
def _classes() -> dict[Action, tuple[str, ...]]:
    return {action: tuple(term for term, other in ACTIONS.items() if other == action) for action in ACTIONS.values()}


@lru_cache(maxsize=1 << 14)
def actions_of(word: str) -> frozenset[Action]:
    """The actions that a word says."""
    return frozenset(ACTIONS[term] for term in word_terms(word) if term in ACTIONS)


@lru_cache(maxsize=256)
def agreements(asked: frozenset[Action]) -> Mapping[str, float]:
    """How well each verb's term agrees with what is asked for: 1 for the same verb or one like it, 0.5 for its kind."""
    kinds = {kind for kind, _ in asked}
    return {term: 1.0 if action in asked else _SAME_KIND for term, action in ACTIONS.items() if action[0] in kinds}
