"""What every algorithm returns, and the settings of the ranked search."""

from dataclasses import dataclass
from typing import Protocol

MIN_SCORE_SHARE = 0.5
"""A search ends before the first tool that scores less than this share of the best one: over seven sets of queries it
then returns 3.2 tools per need instead of 5, at a cost of .01 in recall. Recall falls quickly with a higher share."""

PROMPT_MIN_SCORE_SHARE = 0.4
"""The same for a user's prompt, which has more words that no tool contains: it leaves out one or two of the best eight,
at a cost of .01 of the tasks."""


class Ranking(Protocol):
    """Tools that can be searched by words."""

    min_score_share: float
    """Tools that score less than this share of the best one are left out; 0 if scores mean no more than the order."""

    def scored(self, query: str, *, limit: int, offset: int = 0) -> list[tuple[str, float]]:
        """Returns the names of the tools that match, each with its score, best first. Raises `QueryError`."""
        ...


@dataclass(frozen=True)
class RankingSettings:
    """The settings of the ranked search. Recall is flat around these values, so they are round."""

    fields: tuple[float, ...] = (2, 1.5, 0.8, 1, 0.5, 0.8, 2)
    """The weight of each field, in the order of `document.FIELDS`."""
    saturation: float = 1.2
    """BM25's k1: the smaller it is, the less a repeated term adds."""
    length_effect: float = 0.7
    """BM25's b: with 1 a term counts in proportion to the length of its field, with 0 the length is ignored."""
    synonym: float = 0.4
    """The weight of a synonym; the word itself has 1."""
    same_action: float = 0.3
    """The weight of a verb with the same action; a word that as many tools contain as any of these verbs has 1."""
    other_form: float = 0.8
    """The weight of another form of the word: `reminder` for `remind`."""
    clause_share: float = 0.4
    """The share of a sentence's score that comes from its best clause alone. The rest is the sum of all clauses."""
    sentence_share: float = 0.8
    """The same for a request and its sentences, which ask for different tools, so the best one counts for more."""
    balance: float = 0.8
    """How far weak parts are raised to the level of strong ones; with 1 their best scores are equal."""
    server: float = 0.6
    """The bonus of a tool for one part of a request if its server answers the other parts best."""
    name: float = 0.25
    """The bonus of a tool when the request contains every word of its name."""
    action: float = 0.1
    """The bonus of a tool when the verb of its name does what the request asks for."""


DEFAULT_SETTINGS = RankingSettings()
