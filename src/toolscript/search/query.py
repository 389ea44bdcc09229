"""The query a model writes, read once for every algorithm."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .errors import QueryError

DEFAULT_LIMIT = 5
"""How many tools a search returns when the limit asked for is not positive."""

_SELECT = 'select:'
_TOKEN = re.compile(r'([+-]?)(?:"([^"]*)"|(name|server):(\S+)|(\S+))', re.IGNORECASE)
_PATTERN = re.compile(r'/(.+?)(?<!\\)/(?=\s|$)')


@dataclass(frozen=True)
class Query:
    """What a query asks for."""

    text: str
    """The words to rank by, without operators; required words and phrases are among them."""
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    pattern: str | None = None


def check(text: str) -> str:
    """`text` without the space around it; `QueryError` when nothing is left."""
    if not (stripped := text.strip()):
        raise QueryError('query is required')
    return stripped


def selection(text: str) -> list[str] | None:
    """The names of `select:a,b` in their order, once each; None when `text` is no selection."""
    if not text.casefold().startswith(_SELECT):
        return None
    names = (name.strip() for name in text[len(_SELECT) :].split(','))
    return list(dict.fromkeys(name for name in names if name))


def required_words(text: str) -> tuple[list[str], list[str]]:
    """The words of `text` written as `+word`, and all its words, both without their sign."""
    tokens = text.split()
    required = [token[1:] for token in tokens if token.startswith('+') and len(token) > 1]
    plain = [token for token in tokens if not token.startswith('+')]
    return required, required + plain


def page(names: list[str], limit: int, offset: int) -> list[str]:
    """The part of `names` that was asked for."""
    start = max(offset, 0)
    return names[start : start + (limit if limit > 0 else DEFAULT_LIMIT)]


def parse(text: str) -> Query:
    """Read the full syntax: `+must -not "phrase" name:part server:part /regex/`."""
    rest, pattern = _split_pattern(text)
    fields: dict[str, list[str]] = {'text': [], '+': [], '-': [], '"': [], 'name': [], 'server': []}
    for sign, phrase, field, value, word in _TOKEN.findall(rest):
        _sort_token(fields, sign, phrase, field.casefold(), value, word)
    return Query(
        text=' '.join(fields['text']),
        required=tuple(fields['+']),
        excluded=tuple(fields['-']),
        phrases=tuple(fields['"']),
        names=tuple(fields['name']),
        servers=tuple(fields['server']),
        pattern=pattern,
    )


def _split_pattern(text: str) -> tuple[str, str | None]:
    # Only at the start: further on, `/home/user/` is far more often a path than an expression.
    match = _PATTERN.match(text)
    return (text[match.end() :], match[1]) if match else (text, None)


def _sort_token(fields: dict[str, list[str]], sign: str, phrase: str, field: str, value: str, word: str) -> None:
    if field and not sign:
        fields[field].append(value.strip('"'))
    elif phrase:
        fields[sign or '"'].append(phrase)
    elif word and sign and word[0].isalnum() and not (sign == '-' and word[0].isdigit()):
        fields[sign].append(word)
    elif word or value:
        fields['text'].append(word or f'{field}:{value}')
    if sign != '-' and (phrase or (sign == '+' and word)):
        fields['text'].append(phrase or word)
