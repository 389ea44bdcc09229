"""Text from untrusted objects and people."""


def clean(text: str) -> str:
    """Return the text without lone surrogates, which are invalid in UTF-8, in JSON and in Monty."""
    return text if text.isascii() else text.encode('utf-8', 'replace').decode()


def text_of(value: object, max_chars: int | None = 100_000) -> str:
    """Return the `str` of any object, clean and of limited length, or the name of its type if its methods fail.

    If `max_chars` is None, the text is not cut, for callers that count what they take.
    """
    try:
        text = str(value)
        # A subclass of `str` may override any other method.
        whole = clean(str.__str__(text))
    except Exception:
        return f'<{name_of(value)}>'
    return whole if max_chars is None or len(whole) <= max_chars else f'{whole[:max_chars]}...'


def name_of(value: object) -> str:
    """Return the name of an object's type."""
    return clean(str.__str__(type(value).__name__))
