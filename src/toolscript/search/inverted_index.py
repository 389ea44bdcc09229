"""The inverted index of a catalog: which tools contain which terms, and what each term adds to their scores.

Scores are BM25 over weighted fields. Each occurrence of a term in a field of a tool is one integer (the bits of `term |
tool | field`); sorting these integers builds the index.
"""

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .document import DETAILS, FIELDS, HEADLINE, Document, report_cut, texts
from .terms import SEPARATOR, part_terms, word_terms, words, words_of_each

_Ints = NDArray[np.integer]
_Floats = NDArray[np.float64]

# Recall is flat around these values, and those of `scoring` and `ranked`, so they are round.
_FIELD_WEIGHTS = (2, 1.5, 0.8, 1, 0.5, 0.8, 2)
"""The weight of each field, in the order of `document.FIELDS`."""
_SATURATION = 1.2
"""BM25's k1: the smaller it is, the less a repeated term adds."""
_LENGTH_EFFECT = 0.7
"""BM25's b: with 1 a term counts in proportion to the length of its field, with 0 the length is ignored."""

_FIELD_BITS = 3
_FIELD_MASK = (1 << _FIELD_BITS) - 1
_TERM_SHIFT = 32
_CODE_SIZE = 4
"""The bytes of one code, whose bits are `term | field`."""
_SEPARATOR_CODE = np.array([-1], dtype=np.int32).tobytes()
_BLOCK = 4096
"""How many tools are read at a time, which bounds the memory for their words."""


class InvertedIndex:
    """The terms of a catalog by number, with the tools that contain them. Tools are numbered in the catalog's order."""

    def __init__(self, documents: Sequence[Document], *, before: 'InvertedIndex | None' = None) -> None:
        """Index `documents`. Those that the index `before` contains are not read again."""
        self.documents: tuple[Document, ...] = tuple(documents)
        # An index in which most terms are gone does not help: it would only pass them on.
        if before is not None and len(before.terms) > 2 * len(before.vocabulary):
            before = None
        numbers = _TermNumbers(before.terms if before else ())
        self._entries = self._entries_after(before, numbers)
        self.terms: list[str] = numbers.terms
        """The terms by number; some may no longer be in any tool."""
        self._lengths = np.frombuffer(b''.join(entry.lengths for entry in self._entries), dtype=np.int32)
        by_field = self._lengths.reshape(-1, 1 << _FIELD_BITS)
        self._average = np.maximum(by_field.sum(axis=0) / np.maximum((by_field > 0).sum(axis=0), 1), 1)
        self._field_weights = np.array([*_FIELD_WEIGHTS, *[0.0] * ((1 << _FIELD_BITS) - len(FIELDS))])
        holders = self._build()
        self.vocabulary: dict[str, int] = {self.terms[number]: number for number in np.flatnonzero(holders).tolist()}
        """The number of each term that any tool contains."""
        self.holders: list[int] = holders.tolist()
        """For each term, how many tools contain it."""
        self.weights: list[float] = self._idf(holders).tolist()
        """For each term, its inverse document frequency."""

    def name_terms(self, tool: int) -> tuple[int, ...]:
        return self._entries[tool].name

    def postings(self, term: int) -> tuple[_Ints, _Floats]:
        """Return the tools that contain `term`, and what it adds to the score of each."""
        span = slice(self._starts[term], self._starts[term + 1])
        return self._tools[span], self._impacts[span]

    def weight_of_any(self, terms: Iterable[int]) -> float:
        """Return the inverse document frequency of a word that means any of `terms`."""
        held = np.zeros(len(self.documents), dtype=np.bool_)
        for term in terms:
            held[self.postings(term)[0]] = True
        return float(self._idf(held.sum(keepdims=True))[0])

    def strengths_in(self, tool: int) -> dict[int, dict[int, float]]:
        """Return how much each term counts in each field of `tool`, by the numbers of the terms and of the fields."""
        codes, frequencies = np.unique(_codes(self._entries[tool].codes), return_counts=True)
        strengths = self._strengths(tool << _FIELD_BITS | codes & _FIELD_MASK, frequencies)
        found: dict[int, dict[int, float]] = {}
        for code, strength in zip(codes.tolist(), strengths.tolist(), strict=True):
            found.setdefault(code >> _FIELD_BITS, {})[code & _FIELD_MASK] = strength
        return found

    def impact(self, strength: _Floats) -> _Floats:
        """Return what a term adds to a score, by its strength in all fields: twice as strong is not twice as good."""
        return strength * (_SATURATION + 1) / (strength + _SATURATION)

    def _entries_after(self, before: 'InvertedIndex | None', numbers: '_TermNumbers') -> 'list[_Entry]':
        entries: dict[int, _Entry] = {}
        if before:
            known = {document.name: place for place, document in enumerate(before.documents)}
            for place, document in enumerate(self.documents):
                old = known.get(document.name)
                if old is not None and before.documents[old] == document:
                    entries[place] = before._entries[old]
        new = [place for place in range(len(self.documents)) if place not in entries]
        for start in range(0, len(new), _BLOCK):
            block = new[start : start + _BLOCK]
            entries.update(zip(block, _read([self.documents[place] for place in block], numbers), strict=True))
        return [entries[place] for place in range(len(self.documents))]

    def _build(self) -> _Ints:
        """Sort all occurrences by term; return how many tools contain each term."""
        codes = _codes(b''.join(entry.codes for entry in self._entries)).astype(np.int64)
        sizes = [len(entry.codes) // _CODE_SIZE for entry in self._entries]
        tools = np.repeat(np.arange(len(sizes)), sizes)
        keys = codes >> _FIELD_BITS << _TERM_SHIFT | tools << _FIELD_BITS | codes & _FIELD_MASK
        keys, frequencies = np.unique(keys, return_counts=True)
        first = np.flatnonzero(np.diff(keys >> _FIELD_BITS, prepend=-1))
        strengths = self._strengths(keys & ((1 << _TERM_SHIFT) - 1), frequencies)
        self._impacts = self.impact(np.add.reduceat(strengths, first) if len(first) else strengths)
        self._tools = (keys[first] >> _FIELD_BITS).astype(np.int32) & ((1 << _TERM_SHIFT - _FIELD_BITS) - 1)
        starts = np.searchsorted(keys[first] >> _TERM_SHIFT, np.arange(len(self.terms) + 1))
        self._starts: list[int] = starts.tolist()
        return np.diff(starts)

    def _strengths(self, places: _Ints, frequencies: _Ints) -> _Floats:
        """Return how much a term counts at each place, whose bits are `tool | field`."""
        fields = places & _FIELD_MASK
        lengths = _LENGTH_EFFECT * self._lengths[places] / self._average[fields]
        return frequencies * (self._field_weights[fields] / (1 - _LENGTH_EFFECT + lengths))

    def _idf(self, holders: _Ints) -> _Floats:
        # Never negative, unlike the classic form, because in a small catalog half of the tools contain most words.
        return np.log(1 + (len(self.documents) - holders + 0.5) / (holders + 0.5))


class _Entry(NamedTuple):
    codes: bytes
    """One code for each occurrence of a term."""
    lengths: bytes
    """The length of each field. Both parts of the description have the length of the whole."""
    name: tuple[int, ...]


class _TermNumbers(dict[str, bytes]):
    """The codes of each word's terms, without a field. New terms get a number when a word is first seen.

    Codes are bytes, because joining these is twice as fast as adding integers to a list.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        super().__init__({SEPARATOR: _SEPARATOR_CODE})
        self.terms = list(terms)
        self._numbers = {term: number for number, term in enumerate(self.terms)}
        self._parts: dict[str, tuple[int, ...]] = {}

    def __missing__(self, word: str) -> bytes:
        codes = self[word] = array('i', [self._number(term) << _FIELD_BITS for term in word_terms(word)]).tobytes()
        return codes

    def of_name(self, name: str) -> tuple[int, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(map(self._of_parts, words(name)))))

    def _of_parts(self, word: str) -> tuple[int, ...]:
        if (known := self._parts.get(word)) is None:
            known = self._parts[word] = tuple(map(self._number, part_terms(word)))
        return known

    def _number(self, term: str) -> int:
        if (number := self._numbers.get(term)) is None:
            number = self._numbers[term] = len(self.terms)
            self.terms.append(term)
        return number


def _read(documents: Sequence[Document], numbers: _TermNumbers) -> Iterable[_Entry]:
    codes_of = numbers.__getitem__
    for document in documents:
        report_cut(document)
    joined = b''.join(
        [b''.join(map(codes_of, words_of_each(texts(document)))) + _SEPARATOR_CODE for document in documents]
    )
    every = _codes(joined)
    lengths = np.zeros((len(documents), 1 << _FIELD_BITS), dtype=np.int32)
    lengths[:, : len(FIELDS)] = (np.diff(np.flatnonzero(every < 0), prepend=-1) - 1).reshape(-1, len(FIELDS))
    fields = np.tile(np.arange(1 << _FIELD_BITS, dtype=np.int32), len(documents))
    codes = (every[every >= 0] | np.repeat(fields, lengths.ravel())).tobytes()
    ends = (lengths.sum(axis=1).cumsum() * _CODE_SIZE).tolist()
    # A long description must not gain from being split in two.
    lengths[:, HEADLINE] += lengths[:, DETAILS]
    lengths[:, DETAILS] = lengths[:, HEADLINE]
    for document, (start, end), row in zip(documents, pairwise([0, *ends]), lengths, strict=True):
        yield _Entry(codes[start:end], row.tobytes(), numbers.of_name(document.name))


def _codes(codes: bytes) -> NDArray[np.int32]:
    return np.frombuffer(codes, dtype=np.int32)
