"""What a tool says of itself, part by part, and how much each part counts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .document import Document, parameters_of

_MIN_HEADLINE = 30
_HEADLINE_END = re.compile(r'(?<=[.!?])\s+(?=\S)|。|\n\s*\n|\n\s*(?=Args|Arguments|Parameters|Returns|参数|返回)')


@dataclass(frozen=True)
class Field:
    """One part of a tool."""

    weight: float
    length_effect: float
    """BM25's b: with 1 a term counts in proportion to the field's length, with 0 the length is ignored."""
    once: bool = False
    """Whether a term said twice counts as said once."""


FIELDS = (
    Field(weight=3, length_effect=0.4),
    Field(weight=1.5, length_effect=0.75),
    Field(weight=0.8, length_effect=0.75),
    Field(weight=1, length_effect=0.6, once=True),
    Field(weight=0.5, length_effect=0.75),
    Field(weight=0.8, length_effect=0.5, once=True),
    Field(weight=2, length_effect=0.3),
)
"""In the order of `texts`. Measured on four sets of tools and flat around these values: not worth tuning further."""

HEADLINE, DETAILS = 1, 2
"""Their places in `FIELDS`."""


def texts(document: Document) -> tuple[str, ...]:
    """The name, the description's first sentence and its rest, the parameters' names, texts and choices, the server."""
    headline, details = _split_description((document.description or '').strip())
    parameters = parameters_of(document.parameters)
    return (
        document.name,
        headline,
        details,
        ' '.join(parameters.names),
        ' '.join(parameters.descriptions),
        ' '.join(parameters.choices),
        ' '.join((document.server or '', *document.tags)),
    )


def _split_description(description: str) -> tuple[str, str]:
    end = _HEADLINE_END.search(description, _MIN_HEADLINE)
    return (description[: end.start()], description[end.end() :]) if end else (description, '')
