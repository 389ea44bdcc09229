"""What a tool says as numbers: each term in each field, one code for every time that it stands there."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .document import Document
from .fields import DETAILS, HEADLINE, WIDTH, texts
from .terms import part_terms, word_terms
from .words import words

FIELD_BITS = 3
FIELD_MASK = (1 << FIELD_BITS) - 1
CODE_SIZE = 4
"""Bytes of one code, `term | field` by its bits."""

_BLOCK = 4096
"""So many tools are read before their codes are made: words take more memory until then."""


class TermNumbers(dict[str, bytes]):
    """The codes of each word's terms, without a field; terms get a number when a word is first seen.

    They are kept as bytes: to join those of a text is twice as quick as to count them into a list.
    """

    def __init__(self, vocabulary: dict[str, int], terms: list[str]) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.terms = terms
        """By number; of some, no tool may be left."""

    def __missing__(self, word: str) -> bytes:
        numbers = array('i', [self._number(term) << FIELD_BITS for term in word_terms(word)]).tobytes()
        self[word] = numbers
        return numbers

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


def terms_in(codes: bytes) -> NDArray[np.int32]:
    """The numbers of the terms among `codes`, each once."""
    return np.unique(codes_of(codes) >> FIELD_BITS)


def codes_of(codes: bytes) -> NDArray[np.int32]:
    """`codes` as numbers."""
    return np.frombuffer(codes, dtype=np.int32)


def _read(documents: Sequence[Document], numbers: TermNumbers) -> Read:
    number = numbers.__getitem__
    said = bytearray()
    sizes = array('i')
    names: list[tuple[int, ...]] = []
    for document in documents:
        for text in texts(document):
            codes = b''.join(map(number, words(text))) if text else b''
            said += codes
            sizes.append(len(codes) // CODE_SIZE)
        parts = [term for word in words(document.name) for term in part_terms(word)]
        names.append(tuple(dict.fromkeys(map(numbers.vocabulary.__getitem__, parts))))
    lengths = np.zeros((len(documents), 1 << FIELD_BITS), dtype=np.int32)
    lengths[:, :WIDTH] = np.frombuffer(sizes, dtype=np.int32).reshape(-1, WIDTH)
    codes = np.frombuffer(said, dtype=np.int32) | np.repeat(
        np.tile(np.arange(1 << FIELD_BITS, dtype=np.int32), len(documents)), lengths.ravel()
    )
    ends = (lengths.sum(axis=1).cumsum() * CODE_SIZE).tolist()
    every = codes.tobytes()
    # A long description must not gain by being cut in two.
    lengths[:, HEADLINE] += lengths[:, DETAILS]
    lengths[:, DETAILS] = lengths[:, HEADLINE]
    return Read([every[start:end] for start, end in zip([0, *ends], ends, strict=False)], lengths, names)


_NO_LENGTHS = np.zeros((0, 1 << FIELD_BITS), dtype=np.int32)
