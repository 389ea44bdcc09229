"""What a request hands over, which says nothing of the tool: `Translate "Where is the bus?"` is about no bus."""

from __future__ import annotations

import re

from toolscript.search.vocabulary.terms import telling_terms
from toolscript.search.vocabulary.words import words

_MOST_WORDS = 40
_WORD = r"""[^\s'"“”‘’`]+"""
_TEXT = rf'{_WORD}(?:\s+{_WORD}){{2,{_MOST_WORDS - 1}}}'
# Three words and more: one or two are a name or a value of a list, which may well say what is asked for.
_QUOTED = re.compile(rf"""(?<!\w)(?:'{_TEXT}'(?!\w)|"{_TEXT}"|“{_TEXT}”|‘{_TEXT}’|`{_TEXT}`)""")
_LINK = re.compile(r'\b(?:https?://|www\.)\S+', re.IGNORECASE)
_ADDRESS = re.compile(r'(?<!\S)\W?\w[\w.+-]{0,63}@[\w-]{1,63}\.[\w.-]{1,190}')
_DOMAIN = re.compile(
    r'(?<![\w@./-])((?:[a-zA-Z0-9-]{1,63}\.){1,4})(?:com|org|net|edu|gov|io|dev|info|biz|ai|app|co|us|uk|de|fr|es|it|nl|ru|jp|cn|in|br|eu|ch|au|ca)(?![\w@-])'
)
"""A name of the web, without those endings that files have too. The first part may be the name of a service."""
_PERCENT = re.compile(r'(?<![\w.])\d{1,20}(?:[.,]\d{1,20})?\s?%')
_COLOR = re.compile(r'(?<!\w)#(?:(?=\d{0,5}[a-fA-F])(?:[\da-fA-F]{3}){1,2}|\d{6})(?!\w)')
_NETWORK_ADDRESS = re.compile(r'(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)')
_TELEPHONE = re.compile(r'(?<!\w)\+\d[\d ().-]{6,18}\d(?!\w)')
_DAY = re.compile(r'(?<![\w/-])(?:\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4})(?![\w/-])')

_KINDS = (
    (_LINK, ' url '),
    (_ADDRESS, ' email '),
    (_DOMAIN, r' \1 domain '),
    (_NETWORK_ADDRESS, ' ip '),
    (_TELEPHONE, ' phone '),
    (_PERCENT, ' percent '),
    (_COLOR, ' color '),
    (_DAY, ' date '),
)
"""Values by which one sees what they are, with the word for it."""
_SIGN = re.compile(r'[./@]\S|[-/]\d|[%#+]')
"""Each of them has one, and most requests have none: to look for all at once spares these to look for each."""


def without_values(request: str) -> str:
    """`request` without the texts that it quotes, and with a word for what they are in the place of other values.

    All of it where nothing else says anything.
    """
    left = _QUOTED.sub(' ', request)
    if _SIGN.search(left):
        for value, kind in _KINDS:
            left = value.sub(kind, left)
    return left if left == request or any(map(telling_terms, words(left))) else request
