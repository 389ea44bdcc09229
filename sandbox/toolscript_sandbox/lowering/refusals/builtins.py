"""Which of Python's builtins are missing here, and what to use instead.

Monty lacks some by design (nobody types, nothing can be compiled) and some by its age. A test tries them all, so that a
name that Monty has one day leaves the list.
"""

from __future__ import annotations

import builtins

_METHODS = 'Use a plain method, or a function outside the class.'
_LOOK = 'Use `type`, `hasattr` and `getattr`.'
_END = 'A script ends with its last line; `return` ends it earlier.'
_WARNINGS = 'Use `UserWarning`, or `Warning`.'

MISSING_BUILTINS = {
    **dict.fromkeys(
        [
            'BytesWarning',
            'EncodingWarning',
            'ImportWarning',
            'PendingDeprecationWarning',
            'ResourceWarning',
            'SyntaxWarning',
            'UnicodeWarning',
        ],
        _WARNINGS,
    ),
    'PythonFinalizationError': 'It is newer than Python 3.11: use `RuntimeError`.',
    'TabError': 'Use `SyntaxError`.',
    'UnicodeTranslateError': 'Use `UnicodeError`.',
    'breakpoint': 'Use `print`.',
    'memoryview': 'Use bytes or a bytearray, and slices of it.',
    'classmethod': _METHODS,
    'staticmethod': _METHODS,
    'super': 'Call the method of the base class by its name, or write the class without bases.',
    'compile': 'Write the code itself.',
    'copyright': '',
    'credits': '',
    'license': '',
    'help': 'Functions are shown with their signatures; `print` shows values.',
    'delattr': 'Keep what comes and goes in a dict.',
    'dir': _LOOK,
    'vars': _LOOK,
    'globals': 'Keep values under names of their own choice in a dict.',
    'exit': _END,
    'quit': _END,
    'input': 'Nobody types anything here: set variables instead.',
}
"""By name; what to say after "There is no NAME here."."""


def builtins_here() -> list[str]:
    """The builtins that a script may use."""
    return [name for name in dir(builtins) if name not in MISSING_BUILTINS]
