"""What people say around a request, of which each word may say something of a tool elsewhere."""

from __future__ import annotations

import re
from functools import cache

from toolscript.search.vocabulary.terms import telling_terms
from toolscript.search.vocabulary.words import words

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

_TOOLS = re.compile(
    r'\b(?:tools?|plugins?|apis?)(?=\s+(?:that|which|for|to|can|could|is|are|do|does|would|should)\b)', re.IGNORECASE
)
"""`Is there a tool that resizes images?`: a request may speak of tools, and these seldom do."""
_BY_TOOLS = re.compile(
    r'(\b(?:using|via|through|with|from|use)\s+(?:[\w.-]{1,40}\s+){0,4}?)(?:tools?|plugins?|apis?|endpoints?)\b',
    re.IGNORECASE,
)
_WORDS = ('tool', 'plugin', 'api', 'endpoint')
"""Most requests say none of these."""


def without_fillers(request: str) -> str:
    """`request` without such phrases and words for tools themselves; all of it where nothing else says anything."""
    left = _filler().sub(' ', request)
    folded = left.casefold()
    if any(word in folded for word in _WORDS):
        left = _BY_TOOLS.sub(r'\1', _TOOLS.sub(' ', left))
    return left if left == request or any(map(telling_terms, words(left))) else request


@cache
def _filler() -> re.Pattern[str]:
    phrases = '|'.join(r'\s+'.join(phrase.split()) for phrase in _FILLERS.strip().splitlines())
    return re.compile(rf'\b(?:{phrases})\b', re.IGNORECASE)
