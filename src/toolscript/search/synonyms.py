"""Words that mean much the same to somebody who looks for a tool."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from importlib.resources import files

from .terms import terms

_MIN_TRUNK = 4
_ENDING = 2
"""Two forms of a word differ in at most so many letters at the end of the shorter one."""


def related(term: str) -> tuple[str, ...]:
    """The terms of the words that share a group with `term`."""
    return _groups().get(term, ())


@cache
def forms(term: str) -> frozenset[str]:
    """Those of the related terms that are another form of the same word: `reminder` for `remind`."""
    return frozenset(other for other in related(term) if _share_a_trunk(term, other))


def _share_a_trunk(one: str, other: str) -> bool:
    trunk = max(_MIN_TRUNK, min(len(one), len(other)) - _ENDING)
    return one[:trunk] == other[:trunk]


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    text = (files('toolscript.search') / 'synonyms.txt').read_text(encoding='utf-8')
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for line in text.splitlines():
        group = dict.fromkeys([] if line.startswith('#') else terms(line))
        for term in group:
            found[term] |= group
    return {term: tuple(other for other in group if other != term) for term, group in found.items()}
