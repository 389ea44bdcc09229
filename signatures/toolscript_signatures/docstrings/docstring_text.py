"""Text as a Python docstring."""

from textwrap import dedent

from toolscript_signatures.shapes.visible import without_invisible


def docstring(text: str, *, indent: str, block: bool = False) -> str:
    """A docstring that reads as the text, word for word; raw if the text has backslashes.

    As a `block`, the quotes stand on lines of their own if the text has more than one line.
    """
    text = without_invisible(text.strip().replace('\r\n', '\n').replace('\r', '\n')).strip()
    around = f'\n{indent}' if block and '\n' in text else ''
    body = f'{around}{_indented(text, indent)}{around}'
    for quotes in ('"""', "'''"):
        if quotes not in text and (around or not text.endswith(quotes[0])) and not text.endswith('\\'):
            return f'{indent}{"r" if _BACKSLASH in text else ""}{quotes}{body}{quotes}'
    escaped = body.replace(_BACKSLASH, _BACKSLASH * 2).replace('"', r'\"')
    return f'{indent}"""{escaped}"""'


_BACKSLASH = '\\'


def _indented(text: str, indent: str) -> str:
    first, *rest = (line.rstrip() for line in text.split('\n'))
    if rest and not rest[0]:
        # Behind an empty line, what all lines are indented by is the margin that they had in somebody's source.
        rest = dedent('\n'.join(rest)).split('\n')
    return '\n'.join([first, *(f'{indent}{line}' if line else '' for line in rest)])
