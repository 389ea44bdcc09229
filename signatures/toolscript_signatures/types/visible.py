"""Characters that readers do not see, or that change how other characters appear, in foreign text for models.

Descriptions and results may use them to give a model instructions that a person does not notice: direction marks
reorder text, tags and variation selectors spell whole sentences, some spaces have no width. No tool needs them. A
catalog leaves them out. In data, where every character counts, they are written as Python escapes, so a string that is
copied into code stays the same.
"""

import re

_INVISIBLE = re.compile(
    '['
    '\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f'  # control characters, but for tab and line breaks
    '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f'  # invisible hyphens, joiners and fillers
    '\u200b-\u200f\u2028-\u202e\u2060-\u206f'  # no width, line separators, direction
    '\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff'  # blanks, variations, byte order, annotations
    '\ud800-\udfff'  # half characters
    '\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'  # formatting of old scripts, shorthand and music
    '\U000e0000-\U000e0fff'  # tags, and more variations
    ']'
)


def without_invisible(text: str) -> str:
    """The text without these characters; line separators become spaces."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub(lambda found: ' ' if found[0] in _BREAKS else '', text)


def with_visible(text: str) -> str:
    """The text with these characters as escapes, such as `\\u202e`."""
    return text if text.isascii() and text.isprintable() else _INVISIBLE.sub(_escape, text)


_BREAKS = '\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\u2800\u3164'


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f'\\x{code:02x}' if code < 0x100 else f'\\u{code:04x}' if code < 0x10000 else f'\\U{code:08x}'
