"""The query a model writes, read once for every algorithm."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from toolscript.search.errors import QueryError

DEFAULT_LIMIT = 5
"""How many tools a search returns when the limit asked for is not positive."""

_MOST_CHARACTERS = 100_000
"""What is longer is no query; to read it would take the time of others."""
_MOST_OPERATORS = 30
_MOST_WORDS = 100
"""So many words count where each is looked for in every tool."""

_Item = TypeVar('_Item')

_SELECT = 'select:'
_AROUND = ' \t\r\n"\'`'
_OPERATOR = re.compile(r'(?<!\S)(?:([+-]?)"([^"]+)"|([+-])(\w\S*)|(name|server):(\S+))', re.IGNORECASE)
_PHONE_NUMBER = re.compile(r'\+\d(?:\d{0,2}|[\d().-]{6,})[?!,;]?')
"""One as a whole, or the code of its country."""
_WORD = re.compile(r'(?<!\S)\w')
_PATTERN = re.compile(r'/(.+?)(?<!\\)/(?=\s|$)')
_QUOTED = re.compile(r'"[^"]*"')
_PRECISE = re.compile(r'(?<!\S)(?:-\D|(?:name|server):\S|/\S.*/(?:\s|$))', re.IGNORECASE)
_TERSE = 3
"""With more words than this beside them, quotes are what people write around a title or a value."""
_LONGEST_PHRASE = 8
"""Of more words in a row, quotes are what somebody writes around a whole request."""


@dataclass(frozen=True)
class Query:
    """What a query asks for."""

    text: str
    """The words to rank by: all but the operators."""
    plain: bool
    """Whether any of the words stands without an operator."""
    required: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    """Quoted words that tools should say as they stand; where none does, they are words like others."""
    excluded: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    pattern: str | None = None

    @property
    def has_operators(self) -> bool:
        """Whether the query asks for more than the best match of its words."""
        return bool(self.required or self.phrases or self.excluded or self.names or self.servers or self.pattern)


def check(text: str) -> str:
    """`text` without the space around it; `QueryError` when nothing is left, or far too much."""
    if not (stripped := text.strip()):
        raise QueryError('query is required')
    if len(stripped) > _MOST_CHARACTERS:
        raise QueryError(
            f'query is longer than {_MOST_CHARACTERS:,} characters; say in a sentence or two what the tool should do'
        )
    return stripped


def selection(text: str) -> list[str] | None:
    """The names of `select:a,b` in their order, once each; None when `text` is no selection."""
    if not text.casefold().startswith(_SELECT):
        return None
    names = (name.strip(_AROUND) for name in text[len(_SELECT) :].split(','))
    return list(dict.fromkeys(name for name in names if name))


def names_precisely(text: str) -> bool:
    """Whether operators say which tools are admitted, so that a name beside them is a word like others."""
    return bool(_PRECISE.search(text))


def required_words(text: str) -> tuple[list[str], list[str]]:
    """The words of `text` written as `+word`, once each, and its first words, all without their sign."""
    tokens = text.split()
    required = few(token[1:] for token in tokens if _is_required(token))
    plain = [token for token in tokens if not token.startswith('+') or _PHONE_NUMBER.fullmatch(token)]
    return required, (required + plain)[:_MOST_WORDS]


def few(operators: Iterable[_Item]) -> list[_Item]:
    """The operators, once each; `QueryError` where there are too many, for each one has all tools gone through."""
    different = list(dict.fromkeys(operators))
    if len(different) > _MOST_OPERATORS:
        raise QueryError(f'query has more than {_MOST_OPERATORS} operators; keep those that tell most')
    return different


def _is_required(token: str) -> bool:
    return token.startswith('+') and len(token) > 1 and not _PHONE_NUMBER.fullmatch(token)


def page(found: list[_Item], limit: int, offset: int) -> list[_Item]:
    """The part of what was found that was asked for."""
    start = max(offset, 0)
    return found[start : start + effective(limit)]


def effective(limit: int) -> int:
    """`limit`, or the default where it says nothing."""
    return limit if limit > 0 else DEFAULT_LIMIT


def parse(text: str) -> Query:
    """Read the full syntax: `+must -not "a phrase" name:part server:part /regex/`."""
    pattern = _PATTERN.match(text)
    # Only at the start: further on, `/home/user/` is far more often a path than an expression.
    reader = _Reader(terse=len(_QUOTED.sub('', text).split()) <= _TERSE)
    rest = text[pattern.end() :] if pattern else text
    kept = _OPERATOR.sub(reader.read, rest)
    found = {operator: tuple(dict.fromkeys(values)) for operator, values in reader.found.items()}
    return Query(
        text=kept.strip(),
        plain=reader.plain or bool(_WORD.search(_OPERATOR.sub('', rest))),
        required=found['+'],
        phrases=found['"'],
        excluded=found['-'],
        names=found['name'],
        servers=found['server'],
        pattern=pattern[1] if pattern else None,
    )


class _Reader:
    """Sorts the operators of one query by what they ask for."""

    def __init__(self, *, terse: bool) -> None:
        self.found: dict[str, list[str]] = {'+': [], '"': [], '-': [], 'name': [], 'server': []}
        self.plain = False
        """Whether what looks like an operator is words like others."""
        self._terse = terse

    def read(self, token: re.Match[str]) -> str:
        """Note what `token` asks for; return what is left of it to rank by."""
        sign, phrase, word_sign, word, field, value = (token[group] or '' for group in range(1, 7))
        if field:
            self.found[field.lower()].append(value.strip('"'))
            return ''
        said, sign = phrase or word, sign or word_sign
        if not sign and self._terse and len(phrase.split()) <= _LONGEST_PHRASE:
            sign = '"'
        # `-5` is a number.
        if sign and not (sign == '-' and said[0].isdigit()) and not _PHONE_NUMBER.fullmatch(token[0]):
            self.found[sign].append(said)
            return '' if sign == '-' else said
        self.plain = True
        # With its quotes, by which the ranking knows a text that is handed over.
        return token[0]
