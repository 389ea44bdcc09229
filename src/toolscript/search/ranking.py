"""What every algorithm gives: tools in order, each with how well it answers."""

from __future__ import annotations

from typing import Protocol

FALLS_AWAY = 0.5
"""Over seven sets of queries, leaving out what scores less than this share of the best tells 3.2 tools for a need where
five were told, and loses .01 of the recall among them; with more, recall falls quickly."""

ASKED_FALLS_AWAY = 0.4
"""The same for what a person asks for in whole sentences, of whose words fewer are those of the tool: among the best
eight, it leaves out one or two and loses .01 of the tasks."""


class Ranking(Protocol):
    """Tools that can be searched by words."""

    falls_away: float
    """A tool whose score is less than this share of the best one's is not worth reading; 0 where scores say no more
    than the order."""

    def scored(self, query: str, *, limit: int, offset: int = 0) -> list[tuple[str, float]]:
        """The names of the tools that match, each with its score, best first.

        Raises:
            QueryError: The query is blank or cannot be answered.
        """
        ...
