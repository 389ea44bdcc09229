"""What a tool says as numbers: each term in each field, one code for every time that it stands there."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from toolscript.search.document import Document
from toolscript.search.vocabulary.terms import part_terms, word_terms
from toolscript.search.vocabulary.words import BETWEEN, words, words_of_each

from .fields import DETAILS, HEADLINE, WIDTH, texts

FIELD_BITS = 3
FIELD_MASK = (1 << FIELD_BITS) - 1
CODE_SIZE = 4
"""Bytes of one code, `term | field` by its bits."""

_BETWEEN = np.array([-1], dtype=np.int32).tobytes()
"""Stands behind the codes of each text."""
_BLOCK = 4096
"""So many tools are read before their codes are made: words take more memory until then."""


class TermNumbers(dict[str, bytes]):
    """The codes of each word's terms, without a field; terms get a number when a word is first seen.

    They are kept as bytes: to join those of a text is twice as quick as to count them into a list.
    """

    def __init__(self, vocabulary: dict[str, int], terms: list[str]) -> None:
        super().__init__({BETWEEN: _BETWEEN})
        self.vocabulary = vocabulary
        self.terms = terms
        """By number; of some, no tool may be left."""
        self._parts: dict[str, tuple[int, ...]] = {}

    def __missing__(self, word: str) -> bytes:
        numbers = array('i', [self._number(term) << FIELD_BITS for term in word_terms(word)]).tobytes()
        self[word] = numbers
        return numbers

    def of_name(self, name: str) -> tuple[int, ...]:
        """The numbers of the terms of the parts of a name that was read."""
        return tuple(dict.fromkeys(chain.from_iterable(map(self._of_parts, words(name)))))

    def _of_parts(self, word: str) -> tuple[int, ...]:
        if (known := self._parts.get(word)) is None:
            known = self._parts[word] = tuple(map(self.vocabulary.__getitem__, part_terms(word)))
        return known

    def _number(self, term: str) -> int:
        if (number := self.vocabulary.get(term)) is None:
            number = self.vocabulary[term] = len(self.terms)
            self.terms.append(term)
        return number


@dataclass(frozen=True)
class Read:
    """Tools that were read, in their order."""

    codes: list[bytes]
    lengths: NDArray[np.int32]
    """For each tool how long its fields are; a description is as long in both of its parts."""
    names: list[tuple[int, ...]]
    """The terms of the parts of the name."""


def read_all(documents: Sequence[Document], numbers: TermNumbers) -> Read:
    """What `documents` say; terms without a number get one."""
    blocks = [_read(documents[start : start + _BLOCK], numbers) for start in range(0, len(documents), _BLOCK)]
    return Read(
        [codes for block in blocks for codes in block.codes],
        np.concatenate([_NO_LENGTHS, *(block.lengths for block in blocks)]),
        [name for block in blocks for name in block.names],
    )


def codes_of(codes: bytes) -> NDArray[np.int32]:
    """`codes` as numbers."""
    return np.frombuffer(codes, dtype=np.int32)


def _read(documents: Sequence[Document], numbers: TermNumbers) -> Read:
    number = numbers.__getitem__
    said = b''.join([b''.join(map(number, words_of_each(texts(document)))) + _BETWEEN for document in documents])
    every = np.frombuffer(said, dtype=np.int32)
    lengths = np.zeros((len(documents), 1 << FIELD_BITS), dtype=np.int32)
    lengths[:, :WIDTH] = (np.diff(np.flatnonzero(every < 0), prepend=-1) - 1).reshape(-1, WIDTH)
    fields = np.tile(np.arange(1 << FIELD_BITS, dtype=np.int32), len(documents))
    codes = (every[every >= 0] | np.repeat(fields, lengths.ravel())).tobytes()
    ends = (lengths.sum(axis=1).cumsum() * CODE_SIZE).tolist()
    # A long description must not gain by being cut in two.
    lengths[:, HEADLINE] += lengths[:, DETAILS]
    lengths[:, DETAILS] = lengths[:, HEADLINE]
    return Read(
        [codes[start:end] for start, end in pairwise([0, *ends])],
        lengths,
        [numbers.of_name(document.name) for document in documents],
    )


_NO_LENGTHS = np.zeros((0, 1 << FIELD_BITS), dtype=np.int32)
