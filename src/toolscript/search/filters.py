"""Which tools a query admits, whatever their rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from .document import texts
from .inverted_index import InvertedIndex
from .patterns import matches, searchable
from .query import Query, few
from .terms import part_terms, split_name, words

_Mask = NDArray[np.bool_]


class Filters:
    """The operators of a query, over one catalog."""

    def __init__(self, index: InvertedIndex) -> None:
        self._index = index
        self._documents = index.documents

    def admitted(self, query: Query) -> _Mask | None:
        """The tools that `query` admits; None when it has no operator and admits all.

        Raises:
            QueryError: It has too many.
        """
        few([*query.required, *query.phrases, *query.excluded, *query.names, *query.servers])
        masks = [
            *map(self._saying, query.required),
            *(mask for mask in map(self._saying, query.phrases) if mask.any()),
            *(~self._saying(said) for said in query.excluded),
            *(self._where(_fits(part), self._folded_names) for part in query.names),
            *(self._where(_fits(part), self._folded_servers) for part in query.servers),
            *([self._matching(query.pattern)] if query.pattern else []),
        ]
        return np.logical_and.reduce(masks) if masks else None

    def _saying(self, said: str) -> _Mask:
        """The tools that say `said`: a word in any of its forms, or a phrase as it stands."""
        mask = np.ones(len(self._documents), dtype=np.bool_)
        found = words(said)
        for term in (term for word in found for term in part_terms(word)):
            mask &= self._holding(term)
        if len(found) > 1:
            phrase = _spaced(said)
            mask &= [bool(held) and self._says(tool, phrase) for tool, held in enumerate(mask)]
        return mask | self._where(_contains(said), self._folded_names)

    def _says(self, tool: int, phrase: str) -> bool:
        return any(phrase in _spaced(text) for text in texts(self._documents[tool]))

    def _holding(self, term: str) -> _Mask:
        mask = np.zeros(len(self._documents), dtype=np.bool_)
        if (number := self._index.vocabulary.get(term)) is not None:
            mask[self._index.postings(number)[0]] = True
        return mask

    def _matching(self, pattern: str) -> _Mask:
        mask = np.zeros(len(self._documents), dtype=np.bool_)
        mask[[tool for tool, _ in matches(pattern, self._searchable)]] = True
        return mask

    def _where(self, admits: Callable[[str], bool], values: Sequence[str]) -> _Mask:
        return np.fromiter(map(admits, values), dtype=np.bool_, count=len(values))

    @cached_property
    def _folded_names(self) -> list[str]:
        return [document.name.casefold() for document in self._documents]

    @cached_property
    def _folded_servers(self) -> list[str]:
        return [(document.server or '').casefold() for document in self._documents]

    @cached_property
    def _searchable(self) -> dict[int, tuple[str, str, str]]:
        return dict(enumerate(map(searchable, self._documents)))


def _fits(pattern: str) -> Callable[[str], bool]:
    """Whether a text contains `pattern`, or fits it where it has wildcards."""
    folded = pattern.casefold()
    return partial(fnmatchcase, pat=folded) if '*' in folded or '?' in folded else _contains(pattern)


def _contains(part: str) -> Callable[[str], bool]:
    folded = part.casefold()
    return lambda text: folded in text


def _spaced(text: str) -> str:
    return f' {" ".join(split_name(text)).casefold()} '
