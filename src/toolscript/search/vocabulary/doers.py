"""Nouns for who does something: a request asks `who is following me`, and a tool lists followers."""

from __future__ import annotations

import re

from .spellings import spelled
from .stems import stem

_WHO = re.compile(
    r'\bwho(?:\s+(?:is|are|was|were|has|have|had|else|all)){0,3}\s+([a-z]{3,20})\b',
    re.IGNORECASE,
)


def with_doers(request: str) -> str:
    """`request`, with the nouns behind it that its verbs with `who` may have; not all of them are words."""
    found = [noun for verb in _WHO.findall(request) for noun in _nouns(stem(spelled(verb.casefold())))]
    return ' '.join([request, *found])


def _nouns(verb: str) -> list[str]:
    ending = 'r' if verb.endswith('e') else 'er'
    return [f'{verb}{ending}', f'{verb}or', f'{verb}ee']
