"""What a request hands over, which says nothing of the tool: `Translate "Where is the bus?"` is about no bus."""

from __future__ import annotations

import re

from .terms import telling_terms
from .words import words

_MOST_WORDS = 40
_WORD = r"""[^\s'"“”‘’`]+"""
_TEXT = rf'{_WORD}(?:\s+{_WORD}){{2,{_MOST_WORDS - 1}}}'
# Three words and more: one or two are a name or a value of a list, which may well say what is asked for.
_QUOTED = re.compile(rf"""(?<!\w)(?:'{_TEXT}'(?!\w)|"{_TEXT}"|“{_TEXT}”|‘{_TEXT}’|`{_TEXT}`)""")
_LINK = re.compile(r'\b(?:https?://|www\.)\S+', re.IGNORECASE)
_ADDRESS = re.compile(r'(?<!\S)\W?\w[\w.+-]{0,63}@[\w-]{1,63}\.[\w.-]{1,190}')


def without_values(request: str) -> str:
    """`request` without the texts that it quotes, and with `url` and `email` in the place of addresses.

    All of it where nothing else says anything.
    """
    left = _ADDRESS.sub(' email ', _LINK.sub(' url ', _QUOTED.sub(' ', request)))
    return left if left == request or any(map(telling_terms, words(left))) else request
