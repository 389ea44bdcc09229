"""Which keys of an object are names of fields, and which are data.

Nothing in JSON says. A key that nobody would write as a field is taken to be data: no identifier, long, of many words,
or with many digits, as ids and dates have. What this gives up is the name of an odd field, which a script can still
read; what it keeps out of a text that is told again is whatever a tool's caller, or a stranger, has put into a key.
"""

import re

from .identifiers import is_identifier

_LONGEST = 40
_MOST_WORDS = 6
_MOST_DIGITS = 4
_WORD = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+')
_DIGIT = re.compile(r'\d')


def names_a_field(key: str) -> bool:
    """Whether a key looks like the name of a field."""
    return (
        0 < len(key) <= _LONGEST
        and (is_identifier(key) or is_identifier(f'{key}_'))
        and len(_WORD.findall(key)) <= _MOST_WORDS
        and len(_DIGIT.findall(key)) < _MOST_DIGITS
    )
