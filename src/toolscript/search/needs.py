"""A request as the separate needs it names."""

from __future__ import annotations

import re

# `(?<!\s)` and the like let a match begin only where a run does: otherwise a run of n spaces takes n² steps.
_SENTENCE_END = re.compile(
    r'(?<![.!?;\n])[.!?;\n]+\s+|[.!?;]$|[。！？；]+|'
    r',?(?<!\s)\s+\b(?:then|finally|additionally|also|lastly|next|after that|afterwards|furthermore|moreover)\b,?\s+',
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r'\s[+|/]\s|,?(?<!\s)\s+\b(?:or|and)\b\s+|[,:]\s+|[，、：]', re.IGNORECASE)
_LIST_MARK = re.compile(r'^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+', re.MULTILINE)

_MOST = 12
"""How many sentences, and clauses of one, are told apart; what follows counts as one more."""


def needs(request: str) -> list[list[str]]:
    """`request` as sentences, and each sentence as its clauses.

    Sentences mostly ask for different tools (`Find the user. Then refund the payment.`); the clauses of one mostly say
    the same again or belong together (`create PDF or export document`).
    """
    sentences = _parts(_LIST_MARK.sub('\n', request), _SENTENCE_END)
    return [_parts(sentence, _CLAUSE_END) for sentence in sentences]


def _parts(text: str, end: re.Pattern[str]) -> list[str]:
    parts = [part for part in end.split(text) if part and not part.isspace()] or [text]
    return [*parts[: _MOST - 1], ' '.join(parts[_MOST - 1 :])] if len(parts) > _MOST else parts
