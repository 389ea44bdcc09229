"""The parts of a request: its needs, and its sentences with their clauses."""

import re

from .vocabulary import actions_of

# Each expression begins with the characters at which it may match, which makes the search fast, and repeats nothing
# that may begin in two ways: a run of n spaces takes n steps.
_SENTENCE_END = re.compile(
    r'[\s.!?;。！？；](?:(?<=[.!?;\n])\s|(?<=[。！？；])|'
    r'(?<=\s)(?:then|finally|additionally|also|lastly|(?<!\bthe\s)next|after that|afterwards|furthermore|moreover)\b'
    r',?\s)',
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r'[\s,:，、：](?:(?<=[,:])\s(?:(?:or|and)\s)?|(?<=[，、：])|(?<=\s)(?:[+|/]|or|and)\s)', re.IGNORECASE
)
_VERBS = """
add analyze approve archive ask assign attach block book build buy calculate call cancel change check clone close
compare compress compute convert copy create delete deploy describe detect display download draft draw edit email
encrypt evaluate explain export extract fetch fill find fix forward generate get give import insert install invite
list make measure merge move notify open order pay plan play plot post predict print publish query read recommend
record refund remind remove rename reply report reserve restart run save scan schedule search sell send set share
show sort start stop store submit suggest summarize switch take tell test track translate turn update upload
validate verify visualize watch write
"""
_ACTING = frozenset(_VERBS.split())
_NEXT_ACTION = re.compile(
    rf'[\s,](?:(?<=\s)and\s+(?:also\s+)?|(?<=,)\s+)(?=(?:{"|".join(_VERBS.split())})\s)', re.IGNORECASE
)
"""Separates two actions of one sentence: `search flights and book a hotel`."""
_NEXT_NEED = re.compile(
    r'[\s,;](?:(?<=;)\s*|(?<=\s)(?:and|plus|as\swell\sas)\s+(?:also\s+)?|(?<=,)\s+|(?<=\s)(?:after|before)\s+(?=[a-z]+ing\s))'
    r'(?:and\s+)?(?:also\s+)?(?=([^\W\d_]+)\s+([^\W\d_]*))',
    re.IGNORECASE,
)
"""The same where only places depend on it, and no scores: before any verb, and before questions."""
_QUESTIONS = frozenset(['what', 'which', 'who', 'whom', 'whose', 'where', 'when', 'why', 'how', 'whether'])
_WORDS_AFTER_VERBS = """
a all an any anything at both each every everything for her him his how into it its my our out some that the their them
these this those up us what whether which who with you your
"""
_AFTER_VERBS = frozenset(_WORDS_AFTER_VERBS.split())
"""After a word that begins a part, these make it a verb: `and commit the changes`."""
_ARTICLES = frozenset(['a', 'an', 'another', 'for', 'its', 'some', 'the', 'their'])
_LIST_MARK = re.compile(r'^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+', re.MULTILINE)

_MAX_PARTS = 12
"""The most sentences of a request, and clauses of a sentence; the last one includes all the rest."""


def subqueries(request: str) -> list[list[str]]:
    """Return `request` as sentences, and each sentence as its clauses.

    A sentence with two actions counts as two (`search flights and book a hotel`). Sentences mostly ask for different
    tools (`Find the user. Then refund the payment.`); the clauses of one mostly repeat it or belong together (`create
    PDF or export document`).
    """
    return [_parts(sentence, _CLAUSE_END) for sentence in sentences(request)]


def sentences(request: str) -> list[str]:
    """Return the sentences of `request`; one with two actions counts as two."""
    parts = _parts(_LIST_MARK.sub('\n', request), _SENTENCE_END)
    return _capped([part for sentence in parts for part in _by_action(sentence)])


def needs_of(request: str) -> list[str]:
    """Return the parts of `request` that may each need a tool of their own, without duplicates."""
    return _capped(list(dict.fromkeys(need for sentence in sentences(request) for need in _by_need(sentence))))


def _by_need(sentence: str) -> list[str]:
    begin, parts, verb = 0, list[str](), ''
    for end in _NEXT_NEED.finditer(sentence):
        clause, word, joined = sentence[begin : end.start()], end[1].casefold(), end[0].strip(' ,').casefold()
        if joined.startswith((';', 'after', 'before')) or word in _QUESTIONS or _is_verb(word, end[2].casefold()):
            parts.append(verb + clause)
            begin, verb = end.end(), ''
        elif joined in ('plus', 'as well as') or (joined == 'and' and not verb and _lists_things(clause, word)):
            # `Add a table and a note` asks for two things with one verb.
            parts.append(verb + clause)
            begin, verb = end.end(), f'{clause.split()[0]} '
    parts.append(verb + sentence[begin:])
    return parts if all(' ' in part.strip() for part in parts) else [sentence]


def _is_verb(word: str, next_word: str) -> bool:
    return word in _ACTING or bool(actions_of(word)) or (next_word in _AFTER_VERBS and word not in _AFTER_VERBS)


def _lists_things(clause: str, word: str) -> bool:
    return word in _ARTICLES and [one.casefold() in _ARTICLES for one in clause.split()[:2]] == [False, True]


def _by_action(sentence: str) -> list[str]:
    parts = _NEXT_ACTION.split(sentence)
    # `find and list files` has one action.
    return parts if all(' ' in part.strip() for part in parts) else [sentence]


def _parts(text: str, end: re.Pattern[str]) -> list[str]:
    return _capped([part for part in end.split(text) if part and not part.isspace()] or [text])


def _capped(parts: list[str]) -> list[str]:
    return [*parts[: _MAX_PARTS - 1], ' '.join(parts[_MAX_PARTS - 1 :])] if len(parts) > _MAX_PARTS else parts
