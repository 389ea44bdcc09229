"""What a tool says of itself, part by part, and how much each part counts."""

from __future__ import annotations

import re

from toolscript.search.document import Document, parameters_of

_MIN_HEADLINE = 30
# It begins with the characters at which it may match, so that looking for it is quick.
_HEADLINE_END = re.compile(
    r'[\s。](?:(?<=[.!?]\s)\s*(?=\S)|(?<=。)|(?<=\n)\s*(?:\n|(?=Args|Arguments|Parameters|Returns|参数|返回)))'
)

WIDTH = 7
"""How many texts a tool has."""
HEADLINE, DETAILS = 1, 2
"""The places of the description's parts among the texts."""


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
