"""Which servers a request of several sentences is about.

`Show the clips of the channel. I also want its details.` asks one server for two things, and its second sentence does
not say which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .document import Document
from .rows import Ints

_LIKELY = 0.5
"""Of a sentence's best: tools that score less do not come among the first, whatever their server."""


@dataclass(frozen=True)
class Servers:
    """The servers of a catalog's tools."""

    of_tools: Ints
    """For each tool the number of its server; where it has none, one of its own."""
    count: int

    def raise_by_context(self, sentences: Sequence[NDArray[np.float32]], share: float, balance: float) -> None:
        """Raise the scores for each sentence by up to `share`, by how well the tool's server answers all of them.

        Args:
            sentences: For each sentence the scores of all tools, changed in place.
            share: What the tools of the best server gain.
            balance: How far sentences that say little count like those that say much; with 1 they count alike.
        """
        said = [(row, float(row.max(initial=0))) for row in sentences]
        likely = [(row, peak, np.flatnonzero(row > _LIKELY * peak)) for row, peak in said if peak]
        if len(likely) < 2:
            return
        answers = np.zeros(self.count, dtype=np.float32)
        for row, peak, tools in likely:
            best = np.zeros(self.count, dtype=np.float32)
            np.maximum.at(best, self.of_tools[tools], row[tools])
            answers += best / peak**balance
        gains = 1 + share / answers.max() * answers
        for row, _, tools in likely:
            row[tools] *= gains[self.of_tools[tools]]


def servers(documents: Sequence[Document]) -> Servers:
    """The servers of `documents`."""
    numbers: dict[str | int, int] = {}
    of_tools = [numbers.setdefault(tool.server or place, len(numbers)) for place, tool in enumerate(documents)]
    return Servers(np.array(of_tools, dtype=np.int64), len(numbers))
