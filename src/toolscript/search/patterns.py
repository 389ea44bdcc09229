"""The algorithms `'regex'`, an expression over the texts of each tool, and `'keywords'`, tiers of matches."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

import regex

from .document import Document, parameters_of
from .query import QueryError, check, required_words
from .terms import split_name

TIME_LIMIT = 0.25
"""Seconds that an expression may take over one text; a harmless one takes a few microseconds."""
TOTAL_TIME_LIMIT = 2.0
"""Seconds that it may take over all texts of a catalog, in addition to `TIME_PER_TOOL` for each tool."""
TIME_PER_TOOL = 50e-6

_MAX_LENGTH = 500

_Key = TypeVar('_Key')


class RegexIndex:
    """Tools that an expression finds: in the name first, then the description, then anywhere else."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._texts = {document.name: searchable(document) for document in documents}

    min_score_share: float = 0.0

    def scored(self, query: str, *, limit: int) -> list[tuple[str, float]]:
        """Return the names of the tools that the expression finds, in the catalog's order if they match equally."""
        text = check(query)
        required, _ = required_words(text)
        expression = ' '.join(token for token in text.split() if not token.startswith('+'))
        candidates = {name: fields for name, fields in self._texts.items() if _has_all(fields, required)}
        tiers = dict.fromkeys(candidates if required else (), 0)
        if expression:
            found = dict(matches(expression, candidates)) or dict(matches(_any_word(expression), candidates))
            tiers = found or tiers
        return [(name, 1.0) for name in sorted(tiers, key=tiers.__getitem__)[:limit]]


def searchable(document: Document) -> tuple[str, str, str]:
    """Return the texts in which an expression is searched: the name, the description, and all the rest."""
    parameters = parameters_of(document.parameters)
    rest = [document.server or '', *document.tags, *parameters.names, *parameters.descriptions, *parameters.choices]
    return document.name, document.description or '', '\n'.join(rest)


def matches(expression: str, candidates: Mapping[_Key, tuple[str, str, str]]) -> Iterator[tuple[_Key, int]]:
    """Yield each key of `candidates` in which `expression` is found, with the number of the first text that has it.

    Raises `QueryError` for an expression that is invalid or takes too long.
    """
    pattern = compiled(expression)
    deadline = monotonic() + TOTAL_TIME_LIMIT + TIME_PER_TOOL * len(candidates)
    for name, fields in candidates.items():
        for tier, text in enumerate(fields):
            if _finds(pattern, text, deadline):
                yield name, tier
                break


def compiled(expression: str) -> regex.Pattern[str]:
    """Return the compiled `expression`, ignoring case. Raises `QueryError` with the reason if it is invalid."""
    if len(expression) > _MAX_LENGTH:
        raise QueryError(f'invalid regex: longer than {_MAX_LENGTH} characters')
    try:
        return regex.compile(expression, regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise QueryError(f'invalid regex {expression!r}: {error}') from error


def _finds(pattern: regex.Pattern[str], text: str, deadline: float) -> bool:
    try:
        if monotonic() > deadline:
            raise TimeoutError
        # The engine checks the time while it backtracks, so no thread and no signal is needed.
        return pattern.search(text, timeout=TIME_LIMIT) is not None
    except TimeoutError as error:
        message = f'regex {pattern.pattern!r} takes too long; make it simpler'
        raise QueryError(message) from error


def _any_word(expression: str) -> str:
    # Models send plain words to a regex search too; as an expression, these are one long literal that no tool contains.
    plain = all(char.isalnum() or char in ' _-' for char in expression)
    return '|'.join(expression.split()) if plain else expression


def _has_all(fields: tuple[str, ...], required: list[str]) -> bool:
    haystack = '\n'.join(fields).lower()
    return all(word.lower() in haystack for word in required)


_NAME_PART_EQUAL, _NAME_PART_CONTAINS, _NAME_CONTAINS, _DESCRIPTION_CONTAINS = 10, 5, 3, 2


@dataclass(frozen=True)
class _Entry:
    folded_name: str
    parts: tuple[str, ...]
    text: str
    """The name and the description."""

    def score(self, word: str) -> int:
        # Most tools do not contain a word, and this check is fast.
        if word not in self.text:
            return 0
        if word in self.parts:
            return _NAME_PART_EQUAL
        if any(word in part for part in self.parts):
            return _NAME_PART_CONTAINS
        return _NAME_CONTAINS if word in self.folded_name else _DESCRIPTION_CONTAINS


class KeywordsIndex:
    """Tools ranked by the sum of each keyword's best tier; equal sums are ordered by name."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._entries = {document.name: _entry(document) for document in documents}

    min_score_share: float = 0.0
    """The tiers say which tool matches better, not by how much."""

    def scored(self, query: str, *, limit: int) -> list[tuple[str, float]]:
        """Return the names of the tools that match, each with its sum, best first."""
        required, every = required_words(check(query).lower())
        scores = {
            name: sum(map(entry.score, every))
            for name, entry in self._entries.items()
            if all(entry.score(word) for word in required)
        }
        found = ((name, float(score)) for name, score in scores.items() if score)
        return sorted(found, key=lambda entry: (-entry[1], entry[0]))[:limit]


def _entry(document: Document) -> _Entry:
    parts = tuple(part.lower() for part in split_name(document.name))
    name = document.name.lower()
    # The words of a query contain no line break, so none matches across both.
    return _Entry(name, parts, f'{name}\n{(document.description or "").lower()}')
