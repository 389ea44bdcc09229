"""Which servers a request of several sentences is about.

`Show the clips of the channel. I also want its details.` asks one server for two things, and its second sentence does
not say which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolscript.search.document import Document
from toolscript.search.inverted_index.rows import Ints

_LIKELY = 0.5
"""Of a part's best: tools that score less do not come among the first, whatever their server."""
_OF_THE_BEST = 0.2
"""What the other tools of a server gain, of which one answers every sentence best."""


@dataclass(frozen=True)
class Servers:
    """The servers of a catalog's tools."""

    of_tools: Ints
    """For each tool the number of its server; where it has none, one of its own."""
    count: int

    def raise_by_context(self, parts: Sequence[NDArray[np.float32]], share: float, balance: float) -> None:
        """Raise the scores for each part of a request by up to `share`, by how well the server answers the other parts.

        Args:
            parts: For each part the scores of all tools, changed in place.
            share: What a tool gains whose server answers all other parts best.
            balance: How far parts that say little count like those that say much; with 1 they count alike.
        """
        if len(parts) < 2:
            return
        said = [(row, float(row.max(initial=0))) for row in parts]
        likely = [(row, peak, np.flatnonzero(row > _LIKELY * peak)) for row, peak in said if peak]
        if len(likely) < 2:
            return
        best = np.zeros((len(likely), self.count), dtype=np.float32)
        for answers, (row, peak, tools) in zip(best, likely, strict=True):
            np.maximum.at(answers, self.of_tools[tools], row[tools] / peak**balance)
        every, most = best.sum(axis=0), sum(peak ** (1 - balance) for _, peak, _ in likely)
        for answers, (row, peak, tools) in zip(best, likely, strict=True):
            own = self.of_tools[tools]
            row[tools] *= 1 + share * (every[own] - answers[own]) / (most - peak ** (1 - balance))

    def raise_those_of(self, tool: int, scores: NDArray[np.float32]) -> None:
        """Raise the scores of the tools of one tool's server, which answers every sentence of a request best.

        What else the sentences ask for is mostly there too.
        """
        scores[self.of_tools == self.of_tools[tool]] *= 1 + _OF_THE_BEST


def servers(documents: Sequence[Document]) -> Servers:
    """The servers of `documents`."""
    numbers: dict[str | int, int] = {}
    of_tools = [numbers.setdefault(tool.server or place, len(numbers)) for place, tool in enumerate(documents)]
    return Servers(np.array(of_tools, dtype=np.int64), len(numbers))
