"""Text as a Python docstring."""

import re

_UNPRINTABLE = re.compile(r'[\x00\x0d\x0c\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]')
_INDENT = '    '


def docstring(text: str) -> str:
    """A docstring that reads as the text, word for word; raw if the text has backslashes."""
    return _quoted(_printable(text.strip()), _INDENT)


def block_docstring(text: str) -> str:
    """A docstring whose quotes stand on lines of their own if the text has more than one line."""
    text = _printable(text.strip())
    return _quoted(f'\n{text}\n', _INDENT, end=_INDENT) if '\n' in text else _quoted(text, _INDENT)


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub(' ', text.replace('\r\n', '\n').replace('\r', '\n'))


def _quoted(text: str, indent: str, end: str = '') -> str:
    for quotes in ('"""', "'" * 3):
        if quotes not in text and not text.endswith((quotes[0], '\\')):
            raw = 'r' if '\\' in text else ''
            return f'{indent}{raw}{quotes}{_indented(text, indent)}{end}{quotes}'
    escaped = text.replace('\\', '\\\\').replace('"""', '\\"\\"\\"')
    return f'{indent}"""{_indented(escaped, indent)}{" " * escaped.endswith(chr(34))}{end}"""'


def _indented(text: str, indent: str) -> str:
    lines = [line.rstrip() for line in text.split('\n')]
    return '\n'.join([lines[0], *(f'{indent}{line}' if line else '' for line in lines[1:])])
