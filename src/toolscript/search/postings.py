"""Which tools hold which term, and how much it says about each."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .document import Document
from .fields import DETAILS, HEADLINE, texts
from .terms import part_terms, word_terms
from .weighing import Weighing
from .words import words

_NUMBER_SIZE = 8
"""Bytes of one number."""

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Postings:
    """The terms of a catalog, each with its tools and its impact on them: BM25 with weighted fields, computed ahead."""

    vocabulary: dict[str, int]
    weights: list[float]
    """For each term, how telling it is: its inverse document frequency."""
    starts: list[int]
    """For each term, where its tools begin in `tools` and `impacts`; they end where those of the next begin."""
    tools: _Ints
    impacts: _Floats
    name_terms: array[int]
    """The terms of the tools' names, one name after another."""
    name_ends: array[int]
    """For each tool, where its name ends in `name_terms`."""
    synonyms: dict[str, list[tuple[int, float]]] = field(default_factory=dict[str, list[tuple[int, float]]])
    """Of the terms that have synonyms and were asked for, the numbers and weights of those."""

    @property
    def count(self) -> int:
        """How many tools there are."""
        return len(self.name_ends)

    def name(self, tool: int) -> set[int]:
        """The terms of the parts of a tool's name."""
        return set(self.name_terms[self.name_ends[tool - 1] if tool else 0 : self.name_ends[tool]])

    def span(self, term: int) -> slice:
        """Where the tools of `term` lie."""
        return slice(self.starts[term], self.starts[term + 1])

    def holders(self, term: int) -> int:
        """How many tools hold `term`."""
        return self.starts[term + 1] - self.starts[term]


def post(documents: Sequence[Document], weighing: Weighing) -> Postings:
    """The postings of `documents`."""
    numbers = _TermNumbers()
    number = numbers.__getitem__
    occurrences = bytearray()
    lengths = array('q')
    name_terms, name_ends = array('q'), array('q')
    for document in documents:
        for text in texts(document):
            said = b''.join(map(number, words(text))) if text else b''
            occurrences += said
            lengths.append(len(said) // _NUMBER_SIZE)
        name_terms.extend(numbers.vocabulary[term] for word in words(document.name) for term in part_terms(word))
        name_ends.append(len(name_terms))
    tools, terms, strengths = _strengths(_ints(occurrences), _ints(lengths).reshape(-1, len(weighing.fields)), weighing)
    starts = np.searchsorted(terms, np.arange(len(numbers.vocabulary) + 1))
    return Postings(
        vocabulary=numbers.vocabulary,
        weights=_weights(np.diff(starts), len(documents)).tolist(),
        starts=starts.tolist(),
        tools=tools,
        impacts=strengths * (weighing.saturation + 1) / (strengths + weighing.saturation),
        name_terms=name_terms,
        name_ends=name_ends,
    )


class _TermNumbers(dict[str, bytes]):
    """The numbers of each word's terms, given out when the word is first seen.

    They are kept as the bytes of integers: to join those of a text is twice as quick as to count them into a list.
    """

    def __init__(self) -> None:
        super().__init__()
        self.vocabulary: dict[str, int] = {}

    def __missing__(self, word: str) -> bytes:
        vocabulary = self.vocabulary
        numbers = array('q', [vocabulary.setdefault(term, len(vocabulary)) for term in word_terms(word)]).tobytes()
        self[word] = numbers
        return numbers


def _ints(numbers: array[int] | bytearray) -> _Ints:
    return np.frombuffer(numbers, dtype=np.int64) if numbers else np.zeros(0, dtype=np.int64)


def _strengths(occurrences: _Ints, lengths: _Ints, weighing: Weighing) -> tuple[_Ints, _Ints, _Floats]:
    """Each tool and term that meet, sorted by term, with the weighted frequency of the term over the tool's fields."""
    count, width = lengths.shape
    cells = np.repeat(np.arange(count * width, dtype=np.int64), lengths.ravel())
    keys, frequencies = np.unique(occurrences * (count * width) + cells, return_counts=True)
    tools, fields = np.divmod(keys % max(count * width, 1), width)
    strengths = frequencies * _factors(lengths, weighing)[tools, fields]
    pairs = keys // width
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    summed = np.add.reduceat(strengths, first) if len(first) else strengths
    return tools[first], pairs[first] // max(count, 1), summed


def _factors(lengths: _Ints, weighing: Weighing) -> _Floats:
    """What one occurrence counts in each field of each tool."""
    effective = lengths.copy()
    # A long description must not gain by being cut in two.
    effective[:, HEADLINE] += lengths[:, DETAILS]
    effective[:, DETAILS] = effective[:, HEADLINE]
    average = effective.sum(axis=0) / np.maximum((effective > 0).sum(axis=0), 1)
    share = weighing.length_effect
    return np.array(weighing.fields) / (1 - share + share * effective / np.maximum(average, 1))


def _weights(tools_per_term: _Ints, count: int) -> _Floats:
    # Never negative, unlike the classic form: in a small catalog most words are in half of the tools.
    return np.log(1 + (count - tools_per_term + 0.5) / (tools_per_term + 0.5))
