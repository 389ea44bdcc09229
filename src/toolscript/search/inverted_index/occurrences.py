"""What the tools of a catalog say.

Reading tools is what an index costs, so of a catalog that differs in a few from one that was read, only these are read,
and nothing else is counted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from toolscript.search.document import Document

from .beginnings import Beginnings
from .codes import TermNumbers, read_all
from .inverted import Inverted, brought_up_to_date, holders_of, inverted
from .rows import Ints, Rows, rows_of


@dataclass(frozen=True)
class Occurrences:
    """The terms of the tools. Each tool has a row, which it keeps when others come and go."""

    catalog: tuple[Document, ...]
    """The tools, in their order."""
    rows: Ints
    """The row of each of them."""
    documents: list[Document]
    """The tools by their row, as all that follows."""
    codes: list[bytes]
    lengths: NDArray[np.int32]
    names: list[tuple[int, ...]]
    vocabulary: dict[str, int]
    """The number of each term that some tool holds."""
    terms: list[str]
    """The terms by their number; of some, no tool is left."""
    holders: NDArray[np.int32]
    """For each term, how many tools hold it."""
    inverted: Inverted
    beginnings: Beginnings
    """How the terms begin, some of which may be held no more."""


def read(documents: Sequence[Document], known: Occurrences | None = None) -> Occurrences:
    """The occurrences in `documents`, of which those that are `known` are not read."""
    if known is None or len(known.terms) > 2 * len(known.vocabulary):
        return _read_anew(tuple(documents))
    return _brought_up_to_date(known, tuple(documents))


def _read_anew(documents: tuple[Document, ...]) -> Occurrences:
    numbers = TermNumbers({}, [])
    found = read_all(documents, numbers)
    standing = inverted(found.codes, len(numbers.terms))
    return Occurrences(
        catalog=documents,
        rows=np.arange(len(documents)),
        documents=list(documents),
        codes=found.codes,
        lengths=found.lengths,
        names=found.names,
        vocabulary=numbers.vocabulary,
        terms=numbers.terms,
        holders=standing.holders,
        inverted=standing,
        beginnings=Beginnings(numbers.terms),
    )


def _brought_up_to_date(known: Occurrences, catalog: tuple[Document, ...]) -> Occurrences:
    rows = rows_of(catalog, known.catalog, known.rows)
    numbers = TermNumbers(known.vocabulary.copy(), known.terms.copy())
    documents = [catalog[place] for place in rows.new.values()]
    new = read_all(documents, numbers)
    codes = _placed(known.codes, new.codes, rows)
    holders = _counted(known, new.codes, rows.gone, len(numbers.terms))
    for number in np.flatnonzero(known.holders > holders[: len(known.holders)]).tolist():
        if not holders[number]:
            del numbers.vocabulary[numbers.terms[number]]
    return Occurrences(
        catalog=catalog,
        rows=rows.of,
        documents=_placed(known.documents, documents, rows),
        codes=codes,
        lengths=_lengths(known.lengths, new.lengths, rows),
        names=_placed(known.names, new.names, rows),
        vocabulary=numbers.vocabulary,
        terms=numbers.terms,
        holders=holders,
        inverted=brought_up_to_date(known.inverted, codes, len(numbers.terms), rows.touched),
        beginnings=known.beginnings.with_those_of(numbers.terms),
    )


def _counted(known: Occurrences, new: Sequence[bytes], gone: Sequence[int], terms: int) -> NDArray[np.int32]:
    """How many tools hold each of so many terms, now that some are `new` and some `gone`."""
    holders = np.zeros(terms, dtype=np.int32)
    holders[: len(known.holders)] = known.holders
    holders += holders_of(new, terms)
    holders -= holders_of([known.codes[row] for row in gone], terms)
    return holders


_Value = TypeVar('_Value')


def _placed(known: Sequence[_Value], new: Sequence[_Value], rows: Rows) -> list[_Value]:
    """What belongs to each row, given what belonged to those before and what belongs to new tools."""
    placed = list(known)
    for old, row in rows.moved.items():
        placed[row] = known[old]
    for row, value in zip(rows.new, new, strict=True):
        placed[row : row + 1] = [value]
    return placed[: len(rows.of)]


def _lengths(known: NDArray[np.int32], new: NDArray[np.int32], rows: Rows) -> NDArray[np.int32]:
    placed = np.concatenate([known, np.zeros_like(known, shape=(len(rows.new), known.shape[1]))])
    placed[list(rows.moved.values())] = known[list(rows.moved)]
    placed[list(rows.new)] = new
    return placed[: len(rows.of)]
