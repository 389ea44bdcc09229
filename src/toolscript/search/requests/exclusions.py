"""What a request says it does not want: `close a pull request without merging` asks for no merge."""

from __future__ import annotations

import re

from toolscript.search.vocabulary.terms import telling_terms
from toolscript.search.vocabulary.words import words

_UNWANTED = re.compile(
    r'\b(?:without|except|excluding|instead of|rather than|other than'
    r"|(?:but|and) (?:not|do not|don't|never)|not (?:via|with|by|using|through|from))\s[^,.;:!?\n]*",
    re.IGNORECASE,
)


def wanted(request: str) -> str:
    """`request` up to what it does not want, and after it; all of it where nothing else says anything."""
    left = _UNWANTED.sub(' ', request)
    return left if left == request or any(map(telling_terms, words(left))) else request
