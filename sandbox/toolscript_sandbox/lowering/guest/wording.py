"""Messages of exceptions in the words of Python 3.11, where Monty has others."""


def said(text):
    """The message, or the one that Python has."""
    if not isinstance(text, str):
        return text
    if text.startswith('cannot use ') and ' (unhashable type: ' in text:
        return text[text.index('unhashable') : -1]
    if text.startswith('too many values to unpack (expected ') and ', got ' in text:
        return text[: text.index(', got ')] + ')'
    for ending, instead in _ENDINGS.items():
        if text.endswith(ending):
            return text.removesuffix(ending) + instead
    return 'math domain error' if text.startswith(_DOMAINS) else _OTHERS.get(text, text)


_ENDINGS = {
    ' is not a container or iterable': ' is not iterable',
    ' and no __dict__ for setting new attributes': '',
}
_DOMAINS = ('expected a nonnegative input', 'expected a positive input', 'expected a number in range from -1 up to 1')
_OTHERS = {
    'max() iterable argument is empty': 'max() arg is an empty sequence',
    'min() iterable argument is empty': 'min() arg is an empty sequence',
    "'popitem(): dictionary is empty'": 'popitem(): dictionary is empty',
    'zero to a negative power': '0.0 cannot be raised to a negative power',
}
_KINDS = {kind: repr(kind) for kind in (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError)}


def worded(error):
    """The exception, or one of its kind with the message that Python has."""
    text = error.args[0] if error.args else None
    new = said(text)
    kinds = [] if new == text else [kind for kind, name in _KINDS.items() if name == repr(type(error))]
    return kinds[0](new) if kinds else error
