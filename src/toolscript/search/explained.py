"""Why tools match: which terms in which fields, and how much each one adds to the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .document import FIELDS
from .inverted_index import InvertedIndex


@dataclass(frozen=True)
class Reason:
    """A term by which a tool matches."""

    term: str
    """Its stem."""
    score: float
    """Its part of the tool's score."""
    fields: tuple[str, ...]
    """The fields that contain it."""
    said: bool
    """Whether the query contains it; otherwise a related word does."""


@dataclass(frozen=True)
class Explained:
    """A tool that was found, with the reasons."""

    name: str
    score: float
    """The score by which tools are ranked."""
    fields: Mapping[str, float]
    """What each field adds to the score, the largest first."""
    bonus: float
    """What a name or an action in the query adds to the score."""
    reasons: tuple[Reason, ...]
    """The reasons, one per term, the largest first."""


def explain(
    tool: int, score: float, before_bonus: float, asked: Mapping[int, float], said: frozenset[int], index: InvertedIndex
) -> Explained:
    """Returns the score of one tool by terms and fields, in proportion to what each term adds.

    Args:
        tool: The number of the tool.
        score: The score, including the bonus.
        before_bonus: The part of the score that comes from the terms.
        asked: The weight of each term of the query, including related ones.
        said: The terms that the query itself contains.
        index: The index that found the tool.
    """
    held = {term: fields for term, fields in index.strengths_in(tool).items() if term in asked}
    impacts = index.impact(np.array([sum(fields.values()) for fields in held.values()]))
    given = {term: asked[term] * impact for term, impact in zip(held, impacts.tolist(), strict=True)}
    # The parts of a query are balanced before they are added: the proportions are right, the sums are not.
    scale = before_bonus / sum(given.values()) if given else 0.0
    by_field: dict[str, float] = {}
    for term, fields in held.items():
        for field, strength in fields.items():
            share = given[term] * scale * strength / sum(fields.values())
            by_field[FIELDS[field]] = by_field.get(FIELDS[field], 0.0) + share
    reasons = [
        Reason(index.terms[term], given[term] * scale, tuple(FIELDS[field] for field in sorted(fields)), term in said)
        for term, fields in held.items()
    ]
    return Explained(
        name=index.documents[tool].name,
        score=score,
        fields=dict(sorted(by_field.items(), key=lambda entry: -entry[1])),
        bonus=score - before_bonus,
        reasons=tuple(sorted(reasons, key=lambda reason: -reason.score)),
    )
