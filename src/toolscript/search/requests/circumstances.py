"""What a request says of who asks and why: `I am a travel blogger and I need a list of airplanes` is about no blog."""

from __future__ import annotations

import re

from toolscript.search.vocabulary.terms import telling_terms
from toolscript.search.vocabulary.words import words

_OF_WHO_ASKS = re.compile(
    r"""\W{0,3}(?:(?:I|we)(?:['’](?:m|re)|\s+(?:am|are))|(?:my|our)\s+(?:\w+\s+){1,2}and\s+I\s+(?:am|are)|as\s+an?)\b""",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r'\b(?:can|check|could|curious|fetch|find|get|give|help|how|interested|know|learn|like|look|looking|need|please|'
    r'provide|search|searching|show|tell|try|trying|use|want|what|which|wonder|wondering|would)\b',
    re.IGNORECASE,
)
_ASKS_NEXT = re.compile(
    r"""(?:(?<=\s)(?:and|so|but)\s+|(?<=,\s))"""
    r"""(?=(?:I|we)(?:['’]d\s+like|\s+(?:need|want|would\s+like|am\s+looking|are\s+looking|have\s+to))\b)""",
    re.IGNORECASE,
)


def asking(sentences: list[str]) -> list[str]:
    """Of several sentences those that ask for something, without what they say of who asks.

    All of them where not at least two ask: then what else is said may be what it is about.
    """
    asked = [_without_who_asks(sentence) for sentence in sentences if not _is_of_who_asks(sentence)]
    return asked if len(asked) > 1 and any(map(telling_terms, words(' '.join(asked)))) else sentences


def _is_of_who_asks(text: str) -> bool:
    return bool(_OF_WHO_ASKS.match(text)) and not _ASKS.search(text)


def _without_who_asks(sentence: str) -> str:
    found = _ASKS_NEXT.search(sentence)
    return sentence[found.end() :] if found and _is_of_who_asks(sentence[: found.start()]) else sentence
