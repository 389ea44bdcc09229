"""How much each thing counts in the ranked search: the numbers that cross-validation was done over."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Weighing:
    """The numbers of the ranked search. They are flat around these values, and so round."""

    fields: tuple[float, ...] = (2, 1.5, 0.8, 1, 0.5, 0.8, 2)
    """How much each part of a tool counts, in the order of `fields.texts`."""
    saturation: float = 1.2
    """BM25's k1: the smaller, the sooner more of the same term adds no more."""
    length_effect: float = 0.7
    """BM25's b: with 1 a term counts in proportion to the length of its field, with 0 the length is ignored."""
    synonym: float = 0.4
    """What a synonym counts beside the word itself."""
    same_action: float = 0.3
    """What a verb that does the same counts, beside a word that as many tools say as any of these verbs."""
    other_form: float = 0.8
    """What a short form counts beside the word, and the other way round."""
    clause_share: float = 0.4
    """How much of a sentence's scores is its best clause alone; the rest is the sum of all."""
    sentence_share: float = 0.8
    """The same for a request and its sentences: they ask for different tools, so the best one counts for more."""
    balance: float = 0.8
    """How far parts that say little are raised to the level of those that say much; with 1 their best are equal."""
    server: float = 0.6
    """What a tool gains for one part of a request of several sentences whose server answers the other parts best."""
    name: float = 0.25
    """What a tool gains when the request says every word of its name."""
    action: float = 0.1
    """What a tool gains when it does what the request says is to be done."""


WEIGHING = Weighing()
