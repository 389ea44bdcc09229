"""What people say around a request in several words, of which each alone may say something of a tool."""

from __future__ import annotations

import re
from functools import cache

from .terms import telling_terms
from .words import words

_FILLERS = """
right now
right away
at the moment
as soon as possible
or so
or something
or is it just me
of mine
of yours
by the way
if possible
if you can
is it ok to
is it okay to
is it possible to
is there a way to
i was wondering
would you mind
be so kind
a bit
a little
a lot
a couple of
at all
in advance
thanks in advance
in order to
so that
make sure
go ahead and
"""


def without_fillers(request: str) -> str:
    """`request` without such phrases; all of it where nothing else says anything."""
    left = _filler().sub(' ', request)
    return left if left == request or any(map(telling_terms, words(left))) else request


@cache
def _filler() -> re.Pattern[str]:
    phrases = '|'.join(r'\s+'.join(phrase.split()) for phrase in _FILLERS.strip().splitlines())
    return re.compile(rf'\b(?:{phrases})\b', re.IGNORECASE)
