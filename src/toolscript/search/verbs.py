"""What is done: the verbs of tools and requests, grouped by action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from .terms import terms, word_terms

# Verbs of one line have the same action. Actions of one paragraph are of one kind: they read, create, change and so on.
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
"""The kind and the number of an action."""


def _read(table: str) -> dict[str, Action]:
    kinds = [paragraph.splitlines() for paragraph in table.strip().split('\n\n')]
    lines = [(kind, line) for kind, paragraph in enumerate(kinds) for line in paragraph]
    return {term: (kind, number) for number, (kind, line) in enumerate(lines) for term in terms(line)}


ACTIONS = _read(_VERBS)
"""The action of each verb's term."""


def same_action(term: str) -> tuple[str, ...]:
    """The terms of the verbs with the action of `term`, with itself; none where it is no verb of the table."""
    return _terms_of_actions().get(ACTIONS[term], ()) if term in ACTIONS else ()


@cache
def _terms_of_actions() -> dict[Action, tuple[str, ...]]:
    return {action: tuple(term for term, other in ACTIONS.items() if other == action) for action in ACTIONS.values()}


@lru_cache(maxsize=1 << 14)
def actions_of(word: str) -> frozenset[Action]:
    """The actions of a word."""
    return frozenset(ACTIONS[term] for term in word_terms(word) if term in ACTIONS)


@lru_cache(maxsize=256)
def agreements(asked: frozenset[Action]) -> Mapping[str, float]:
    """How well each verb's term agrees with the actions asked for: 1 for the same action, 0.5 for the same kind."""
    kinds = {kind for kind, _ in asked}
    return {term: 1.0 if action in asked else _SAME_KIND for term, action in ACTIONS.items() if action[0] in kinds}
