"""Where terms occur in tools: which, in what part, how often.

Reading tools is what an index costs, so of a catalog that differs in a few from one that was read, only these are read.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .document import Document
from .fields import WIDTH, texts
from .terms import part_terms, word_terms
from .words import words

Ints = NDArray[np.int64]

# A place is one number, `term | tool | field` by its bits, so that sorting brings those of a term together.
_FIELD_BITS = 3
TERM_BITS = 32
FIELD_MASK = (1 << _FIELD_BITS) - 1
_TOOLS = (1 << (TERM_BITS - _FIELD_BITS)) - 1

_BLOCK = 4096
"""So many tools are read before what was read is counted: it takes memory until then."""
_NUMBER_SIZE = 8
"""Bytes of one number."""


@dataclass(frozen=True)
class Occurrences:
    """The terms of some tools."""

    documents: tuple[Document, ...]
    vocabulary: dict[str, int]
    """The number of each term that some tool holds."""
    numbers: int
    """How many numbers were given out; of some, the term is held no more."""
    places: Ints
    """Every term, tool and field that meet, sorted."""
    frequencies: NDArray[np.int32]
    """How often the term stands at each place."""
    lengths: Ints
    """Rows of tools with, for each field, how many terms it has."""
    names: list[tuple[int, ...]]
    """For each tool, the terms of the parts of its name."""

    @property
    def pairs(self) -> Ints:
        """The term and the tool of each place, as one number."""
        return self.places >> _FIELD_BITS

    @property
    def terms(self) -> Ints:
        """The term of each place."""
        return self.places >> TERM_BITS

    @property
    def tools(self) -> Ints:
        """The tool of each place."""
        return (self.places >> _FIELD_BITS) & _TOOLS

    @property
    def fields(self) -> Ints:
        """The field of each place."""
        return self.places & FIELD_MASK


def read(documents: Sequence[Document], known: Occurrences | None = None) -> Occurrences:
    """The occurrences in `documents`, of which those that are `known` are not read."""
    if known is None or known.numbers > 2 * len(known.vocabulary):
        known = _NOTHING
    kept, new = _places(known.documents, documents)
    numbers = _TermNumbers(known.vocabulary, known.numbers)
    parts = [_Part(kept, known.places, known.frequencies, known.lengths, known.names)]
    for start in range(0, len(new), _BLOCK):
        block = new[start : start + _BLOCK]
        parts.append(_read([documents[place] for place in block], np.array(block, dtype=np.int64), numbers))
    return _joined(parts, tuple(documents), numbers)


def _places(known: Sequence[Document], documents: Sequence[Document]) -> tuple[Ints, list[int]]:
    """For each of the `known` its place among `documents`, -1 where it has none; and the places of the others."""
    before = {document.name: place for place, document in enumerate(known)}
    kept = np.full(len(known), -1, dtype=np.int64)
    new: list[int] = []
    for place, document in enumerate(documents):
        old = before.pop(document.name, None)
        if old is not None and known[old] == document:
            kept[old] = place
        else:
            new.append(place)
    return kept, new


class _TermNumbers(dict[str, bytes]):
    """The numbers of each word's terms, given out when the word is first seen.

    They are kept as the bytes of integers: to join those of a text is twice as quick as to count them into a list.
    """

    def __init__(self, vocabulary: dict[str, int], given: int) -> None:
        super().__init__()
        self.vocabulary = dict(vocabulary)
        self.given = given

    def __missing__(self, word: str) -> bytes:
        numbers = array('q', map(self._number, word_terms(word))).tobytes()
        self[word] = numbers
        return numbers

    def _number(self, term: str) -> int:
        if (number := self.vocabulary.get(term)) is None:
            number = self.vocabulary[term] = self.given
            self.given += 1
        return number


@dataclass(frozen=True)
class _Part:
    """Tools by themselves, numbered from zero."""

    tools: Ints
    """The place of each in the catalog; -1 where it has none."""
    places: Ints
    frequencies: NDArray[np.int32]
    lengths: Ints
    names: list[tuple[int, ...]]


def _read(documents: Sequence[Document], tools: Ints, numbers: _TermNumbers) -> _Part:
    number = numbers.__getitem__
    said = bytearray()
    lengths = array('q')
    names: list[tuple[int, ...]] = []
    for document in documents:
        for text in texts(document):
            terms = b''.join(map(number, words(text))) if text else b''
            said += terms
            lengths.append(len(terms) // _NUMBER_SIZE)
        parts = [term for word in words(document.name) for term in part_terms(word)]
        names.append(tuple(dict.fromkeys(map(numbers.vocabulary.__getitem__, parts))))
    rows = np.frombuffer(lengths, dtype=np.int64).reshape(-1, WIDTH)
    cells = (np.arange(len(rows))[:, None] << _FIELD_BITS) | np.arange(WIDTH)
    every = (np.frombuffer(bytes(said), dtype=np.int64) << TERM_BITS) | np.repeat(cells.ravel(), rows.ravel())
    places, frequencies = np.unique(every, return_counts=True)
    return _Part(tools, places, frequencies.astype(np.int32), rows, names)


def _joined(parts: Sequence[_Part], documents: tuple[Document, ...], numbers: _TermNumbers) -> Occurrences:
    lengths = np.zeros((len(documents), WIDTH), dtype=np.int64)
    names: list[tuple[int, ...]] = [()] * len(documents)
    for part in parts:
        kept = part.tools >= 0
        lengths[part.tools[kept]] = part.lengths[kept]
        for place, name in zip(part.tools.tolist(), part.names, strict=True):
            if place >= 0:
                names[place] = name
    moved = [_moved(part) for part in parts]
    places = np.concatenate([places for places, _ in moved])
    # The parts are sorted mostly, so that this is a merge.
    order = np.argsort(places, kind='stable')
    places = places[order]
    held = np.bincount(places >> TERM_BITS, minlength=numbers.given) if len(places) else np.zeros(numbers.given)
    return Occurrences(
        documents=documents,
        vocabulary={term: number for term, number in numbers.vocabulary.items() if held[number]},
        numbers=numbers.given,
        places=places,
        frequencies=np.concatenate([frequencies for _, frequencies in moved])[order],
        lengths=lengths,
        names=names,
    )


def _moved(part: _Part) -> tuple[Ints, NDArray[np.int32]]:
    """The part's places in the catalog, and how often the term stands at each."""
    tools = part.tools[(part.places >> _FIELD_BITS) & _TOOLS]
    kept = tools >= 0
    places = (part.places & ~(_TOOLS << _FIELD_BITS)) | (tools << _FIELD_BITS)
    return places[kept], part.frequencies[kept]


_NONE = np.zeros(0, dtype=np.int64)
_NOTHING = Occurrences((), {}, 0, _NONE, _NONE.astype(np.int32), _NONE.reshape(-1, WIDTH), [])
