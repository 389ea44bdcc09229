"""How much terms count where they stand: BM25 with weighted fields."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toolscript.search.weighing import Weighing

from .codes import FIELD_MASK
from .fields import WIDTH
from .inverted import Places

_Floats = NDArray[np.float64]


class Strengths:
    """How much a term counts: how often it stands somewhere, for what the field is worth."""

    def __init__(self, lengths: NDArray[np.int32], weighing: Weighing) -> None:
        self._lengths = lengths.ravel()
        self._average = np.maximum(lengths.sum(axis=0) / np.maximum((lengths > 0).sum(axis=0), 1), 1)
        self._worth = np.zeros(FIELD_MASK + 1)
        self._worth[:WIDTH] = weighing.fields
        self._share = weighing.length_effect
        self._saturation = weighing.saturation

    def of(self, places: Places, frequencies: NDArray[np.integer]) -> _Floats:
        """The strength at each place."""
        fields = places & FIELD_MASK
        length = self._share * self._lengths[places] / self._average[fields]
        return frequencies * (self._worth[fields] / (1 - self._share + length))

    def impact(self, strength: _Floats) -> _Floats:
        """What a term counts in a tool, given its strength in all fields: twice as much is not twice as good."""
        return strength * (self._saturation + 1) / (strength + self._saturation)
