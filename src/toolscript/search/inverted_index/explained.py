"""Why tools match: which terms, in which of their fields, and how much of the score that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from toolscript.search.weighing import Weighing

from .codes import FIELD_BITS, FIELD_MASK, codes_of
from .occurrences import Occurrences
from .strengths import Strengths

FIELDS = ('name', 'first sentence', 'description', 'parameters', 'their descriptions', 'choices', 'server')
"""What the fields of `fields.texts` are called."""


@dataclass(frozen=True)
class Reason:
    """A term by which a tool matches."""

    term: str
    """Its stem."""
    score: float
    """How much of the tool's score it is."""
    fields: tuple[str, ...]
    """Where it stands."""
    said: bool
    """Whether the query says it, and not just something related."""


@dataclass(frozen=True)
class Explained:
    """A tool that was found, and why."""

    name: str
    score: float
    """What tools are ranked by."""
    fields: Mapping[str, float]
    """How much of the score each field gives, the largest first."""
    bonus: float
    """How much of it is for a name that the query says, and for doing what it asks for."""
    reasons: tuple[Reason, ...]
    """By term, the largest first."""


@dataclass(frozen=True)
class Hit:
    """A tool with its score, from which `explain` begins."""

    tool: int
    name: str
    score: float
    before_bonus: float


def explain(
    hits: Sequence[Hit],
    asked: Mapping[int, float],
    said: frozenset[int],
    occurrences: Occurrences,
    weighing: Weighing,
) -> list[Explained]:
    """Each hit's score, taken apart in proportion to what the terms add up to in it.

    Args:
        hits: What was found.
        asked: The weight of each term of the query, related ones too.
        said: Those that the query says itself.
        occurrences: Where terms stand.
        weighing: What fields count.
    """
    strengths = Strengths(occurrences.lengths, weighing)
    return [_explained(hit, asked, said, occurrences, strengths) for hit in hits]


def _explained(
    hit: Hit,
    asked: Mapping[int, float],
    said: frozenset[int],
    occurrences: Occurrences,
    strengths: Strengths,
) -> Explained:
    held: dict[int, dict[int, float]] = {}
    codes, frequencies = np.unique(codes_of(occurrences.codes[hit.tool]), return_counts=True)
    fields = codes & FIELD_MASK
    found = strengths.of((hit.tool << FIELD_BITS) | fields, frequencies)
    for number, field, strength in zip((codes >> FIELD_BITS).tolist(), fields.tolist(), found.tolist(), strict=True):
        if number in asked:
            held.setdefault(number, {})[field] = strength
    impacts = strengths.impact(np.array([sum(fields.values()) for fields in held.values()]))
    given = {number: asked[number] * each for number, each in zip(held, impacts.tolist(), strict=True)}
    # Parts of a query are levelled before they are joined: the shares hold, the sums do not.
    scale = hit.before_bonus / sum(given.values()) if given else 0.0
    by_field: dict[str, float] = {}
    for number, fields in held.items():
        for field, strength in fields.items():
            share = given[number] * scale * strength / sum(fields.values())
            by_field[FIELDS[field]] = by_field.get(FIELDS[field], 0.0) + share
    reasons = [
        Reason(
            occurrences.terms[number],
            given[number] * scale,
            tuple(FIELDS[field] for field in sorted(fields)),
            number in said,
        )
        for number, fields in held.items()
    ]
    return Explained(
        name=hit.name,
        score=hit.score,
        fields=dict(sorted(by_field.items(), key=lambda entry: -entry[1])),
        bonus=hit.score - hit.before_bonus,
        reasons=tuple(sorted(reasons, key=lambda reason: -reason.score)),
    )
