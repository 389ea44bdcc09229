"""Values in a request, which do not describe the tool: `Translate "Where is the bus?"` is about no bus."""

from __future__ import annotations

import re

from .terms import has_content

_MAX_WORDS = 40
_WORD = r"""[^\s'"“”‘’`]+"""
_TEXT = rf'{_WORD}(?:\s+{_WORD}){{2,{_MAX_WORDS - 1}}}'
# Three words and more: one or two are a name or a value of a list, which may well describe the tool.
_QUOTED = re.compile(rf"""(?<!\w)(?:'{_TEXT}'(?!\w)|"{_TEXT}"|“{_TEXT}”|‘{_TEXT}’|`{_TEXT}`)""")
# Domains without the endings that files have too. The first part may be the name of a service.
_DOMAIN = (
    r'(?<![\w@./-])((?:[a-zA-Z0-9-]{1,63}\.){1,4})'
    r'(?:com|org|net|edu|gov|io|dev|info|biz|ai|app|co|us|uk|de|fr|es|it|nl|ru|jp|cn|in|br|eu|ch|au|ca)(?![\w@-])'
)
_KINDS = [
    (re.compile(r'\b(?:https?://|www\.)\S+', re.IGNORECASE), ' url '),
    (re.compile(r'(?<!\S)\W?\w[\w.+-]{0,63}@[\w-]{1,63}\.[\w.-]{1,190}'), ' email '),
    (re.compile(_DOMAIN), r' \1 domain '),
    (re.compile(r'(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)'), ' ip '),
    (re.compile(r'(?<!\w)\+\d[\d ().-]{6,18}\d(?!\w)'), ' phone '),
    (re.compile(r'(?<![\w.])\d{1,20}(?:[.,]\d{1,20})?\s?%'), ' percent '),
    (re.compile(r'(?<!\w)#(?:(?=\d{0,5}[a-fA-F])(?:[\da-fA-F]{3}){1,2}|\d{6})(?!\w)'), ' color '),
    (re.compile(r'(?<![\w/-])(?:\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4})(?![\w/-])'), ' date '),
]
"""Values of a recognizable form, each with the word that replaces it."""
_SIGN = re.compile(r'[./@]\S|[-/]\d|[%#+]')
"""Every value has one of these, and most requests have none."""


def without_values(request: str) -> str:
    """`request` without quoted texts, and with the kind of other values (`url`, `date`) in their place.

    All of it where the rest has no content.
    """
    rest = _QUOTED.sub(' ', request)
    if _SIGN.search(rest):
        for value, kind in _KINDS:
            rest = value.sub(kind, rest)
    return rest if rest == request or has_content(rest) else request
