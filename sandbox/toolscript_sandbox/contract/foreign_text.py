"""Text from unknown objects and people."""

from __future__ import annotations


def clean(text: str) -> str:
    """The text without lone surrogates, which are no Unicode: neither UTF-8, nor JSON, nor Monty takes them."""
    return text if text.isascii() else text.encode('utf-8', 'replace').decode()


def text_of(value: object, most: int | None = 100_000) -> str:
    """The `str` of any object, clean and of limited length. If its methods fail, the name of its type.

    Whole where `most` is None, for those who count what they take.
    """
    try:
        text = str(value)
        # What a subclass makes of its own methods is its affair.
        whole = clean(str.__str__(text))
    except Exception:
        return f'<{name_of(value)}>'
    return whole if most is None or len(whole) <= most else f'{whole[:most]}...'


def name_of(value: object) -> str:
    """The name of an object's type."""
    return clean(str.__str__(type(value).__name__))
