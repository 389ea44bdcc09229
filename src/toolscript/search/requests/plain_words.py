"""What a person asks for, as words to rank by: nothing in it is an operator, and it may have a whole document in it."""

from __future__ import annotations

import re

from toolscript.search.vocabulary.terms import telling_terms
from toolscript.search.vocabulary.words import words

from .values import without_values

_LONGEST = 2_000
"""Characters. Who pastes a document says before or after it what is to be done, so of a longer text both ends count."""
_SIGNS = re.compile(r'(?<!\S)[+\-/]+(?=\S)|"')


def plain_words(request: str) -> str:
    """The text of a request, as a query that means just its words; empty where none of them says anything."""
    text = _SIGNS.sub(' ', without_values(_ends(request))).replace(':', ', ').strip()
    return text if any(telling_terms(word) for word in words(text)) else ''


def _ends(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    # The words that are cut in two are not told.
    return f'{text[:half].rpartition(" ")[0] or text[:half]}.\n{text[-half:].partition(" ")[2] or text[-half:]}'
