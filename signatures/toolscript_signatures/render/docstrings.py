"""Docstrings, read and written."""

import inspect
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile, zip_longest
from textwrap import dedent
from typing import Any

import griffe

from toolscript_signatures.types.visible import without_invisible

_PARSERS = (griffe.parse_google, griffe.parse_numpy, griffe.parse_sphinx)


@dataclass(frozen=True)
class FunctionDocs:
    """The parts of a docstring in Google, NumPy or Sphinx style."""

    text: str = ''
    """The text outside of the sections below."""
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])
    returns: str = ''
    raises: Sequence[tuple[str, str]] = ()
    """Exceptions and their conditions, in order."""

    def as_text(self) -> str:
        """The docstring in Google style."""
        arguments, raises = _section('Args', self.parameters.items()), _section('Raises', self.raises)
        returns = f'Returns:\n{textwrap.indent(self.returns, "    ")}' if self.returns else ''
        return '\n\n'.join(filter(None, [self.text, arguments, returns, raises]))


def docstring_summary(func: object) -> str | None:
    """A function's docstring without its parameters; `None` if there is none.

    A result that is only a type is left out.
    """
    if not callable(func):
        return None
    text = func.__doc__
    # `__doc__` does not include inherited docstrings.
    text = text if isinstance(text, str) else inspect.getdoc(func)
    return _summary(text) if text else None


@lru_cache(maxsize=4096)
def _summary(text: str) -> str | None:
    text = inspect.cleandoc(text)
    if not text:
        return None
    docs = read_docstring(text)
    returns = '' if _TYPE_ALONE.fullmatch(docs.returns) else docs.returns
    return replace(docs, parameters={}, returns=returns).as_text()


_TYPE_ALONE = re.compile(
    r'(?:None|str|int|float|bool|bytes|Any|list|dict|tuple|set)(?:\[[\w\[\], .|]*\])?(?: \| \w+)*\.?'
)


@lru_cache(maxsize=4096)
def read_docstring(text: str) -> FunctionDocs:
    """The parts of a docstring, in the style that finds most sections."""
    if not text:
        return FunctionDocs()
    readings = [_read(parse(griffe.Docstring(text), warnings=False)) for parse in _PARSERS]
    return max(readings, key=lambda docs: bool(docs.parameters) + bool(docs.returns) + bool(docs.raises))


def _read(sections: Sequence[griffe.DocstringSection]) -> FunctionDocs:
    text: list[str] = []
    parameters: dict[str, str] = {}
    returns: list[str] = []
    raises: list[tuple[str, str]] = []
    for section in sections:
        match section:
            case griffe.DocstringSectionParameters() | griffe.DocstringSectionOtherParameters():
                parameters |= {item.name: _line(item.description) for item in section.value}
            case griffe.DocstringSectionReturns() | griffe.DocstringSectionYields():
                named = [(f'{item.name}: ' if item.name else '', item.description) for item in section.value]
                returns += [name + _line(text) for name, text in named]
            case griffe.DocstringSectionRaises():
                raises += [(str(item.annotation), _line(item.description)) for item in section.value]
            case griffe.DocstringSectionText():
                text.append(section.value.strip())
            case griffe.DocstringSectionAdmonition():
                title = section.title or str(section.value.annotation).capitalize()
                text.append(f'{title}:\n{textwrap.indent(section.value.description.strip(), "    ")}')
            case griffe.DocstringSectionExamples():
                shown = '\n\n'.join(source.strip() for _, source in section.value)
                text.append(f'Examples:\n{textwrap.indent(shown, "    ")}')
            case _:
                pass
    return FunctionDocs('\n\n'.join(filter(None, text)), parameters, '\n'.join(returns), raises)


def _line(text: str) -> str:
    return ' '.join(text.split())


def _section(title: str, items: Any) -> str:
    lines = [f'    {name}: {text}' if text else f'    {name}' for name, text in items if text or title == 'Raises']
    return '\n'.join([f'{title}:', *lines]) if lines else ''


def docstring(text: str, *, indent: str, block: bool = False) -> str:
    """The source of a docstring with this text; raw if the text has backslashes.

    With `block`, the quotes of a text of several lines are on their own lines.
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


def share_beginnings(bodies: Sequence[str]) -> list[tuple[str, str]]:
    """Bodies of functions, each with the comment to write before its function.

    The sentences that successive docstrings begin with are written once, in a comment, and `…` represents them.
    """
    # The first lines of docstrings in plain quotes.
    texts = [found[1] if (found := _PLAIN_DOCSTRING.match(body)) else '' for body in bodies]
    shared = list[tuple[str, str]]()
    beginning = ''
    for body, text, following in zip_longest(bodies, texts, texts[1:], fillvalue=''):
        before = ''
        if not beginning or not text.startswith(beginning):
            beginning = _common_beginning(text, following)
            before = f'# In docstrings below, … is: {beginning}\n' if beginning else ''
        shared.append((before, body.replace(beginning, '…', 1) if beginning else body))
    return shared


def _common_beginning(one: str, other: str) -> str:
    """The sentences that both texts begin with, if they are long enough."""
    if one[:_LONG_BEGINNING] != other[:_LONG_BEGINNING]:
        return ''
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    ends = [found.end() for found in _SENTENCE_ENDS.finditer(one[:same])]
    return one[: ends[-1]] if ends and ends[-1] >= _LONG_BEGINNING else ''


_PLAIN_DOCSTRING = re.compile(r'(?: #[^\n]*)?\n """(.*)')
_SENTENCE_ENDS = re.compile(r'[.:;!?](?= )')
_LONG_BEGINNING = 60


def _indented(text: str, indent: str) -> str:
    first, *rest = (line.rstrip() for line in text.split('\n'))
    if rest and not rest[0]:
        # After an empty line, the common indentation is the margin of the source.
        rest = dedent('\n'.join(rest)).split('\n')
    return '\n'.join([first, *(f'{indent}{line}' if line else '' for line in rest)])
