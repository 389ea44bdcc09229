"""Queries as models write them, and prompts as people write them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from .terms import has_content

DEFAULT_LIMIT = 5
"""How many tools a search returns if the requested limit is not positive."""
MIN_SCORE_SHARE = 0.5
"""A search ends before the first tool that scores less than this share of the best one: over seven sets of queries it
then returns 3.2 tools per need instead of 5, at a cost of .01 in recall. Recall falls quickly with a higher share."""

_MAX_CHARACTERS = 100_000
_MAX_OPERATORS = 30
_MAX_WORDS = 100
"""How many words count if each is searched in every tool."""

_Item = TypeVar('_Item')

_SELECT = 'select:'
_AROUND = ' \t\r\n"\'`'
_OPERATOR = re.compile(r'(?<!\S)(?:([+-]?)"([^"]+)"|([+-])(\w\S*)|(name|server):(\S+))', re.IGNORECASE)
_PHONE_NUMBER = re.compile(r'\+\d(?:\d{0,2}|[\d().-]{6,})[?!,;]?')
"""A whole number, or the code of its country."""
_WORD = re.compile(r'(?<!\S)\w')
_PATTERN = re.compile(r'/(.+?)(?<!\\)/(?=\s|$)')
_QUOTED = re.compile(r'"[^"]*"')
_PRECISE = re.compile(r'(?<!\S)(?:-\D|(?:name|server):\S|/\S.*/(?:\s|$))', re.IGNORECASE)
_TERSE = 3
"""Next to more words than this, quotes enclose a title or a value."""
_MAX_PHRASE = 8
"""With more words than this, quotes enclose a whole request."""


_MAX_PROMPT = 2_000
"""Characters. A prompt that contains a document says before or after it what to do, so both ends count."""
_SIGNS = re.compile(r'(?<!\S)[+\-/]+(?=\S)|"')


class QueryError(ValueError):
    """A query that cannot be answered; the message says what to write instead."""


@dataclass(frozen=True)
class Query:
    text: str
    """The words to rank by: everything except the operators."""
    plain: bool
    """Whether any word has no operator."""
    required: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    """Quoted words that tools should contain in this order; if no tool does, they are plain words."""
    excluded: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    pattern: str | None = None

    @property
    def has_operators(self) -> bool:
        """Whether the query asks for more than the best match of its words."""
        return bool(self.required or self.phrases or self.excluded or self.names or self.servers or self.pattern)


def check(text: str) -> str:
    """Return `text` without surrounding space. Raises `QueryError` if it is blank or far too long."""
    if not (stripped := text.strip()):
        raise QueryError('query is required')
    if len(stripped) > _MAX_CHARACTERS:
        raise QueryError(
            f'query is longer than {_MAX_CHARACTERS:,} characters; say in a sentence or two what the tool should do'
        )
    return stripped


def selection(text: str) -> list[str] | None:
    """Return the names of `select:a,b` in order, without duplicates; `None` if `text` is not a selection."""
    if not text.casefold().startswith(_SELECT):
        return None
    names = (name.strip(_AROUND) for name in text[len(_SELECT) :].split(','))
    return list(dict.fromkeys(name for name in names if name))


def names_precisely(text: str) -> bool:
    """Return whether operators restrict the tools, so that a name next to them is a plain word."""
    return bool(_PRECISE.search(text))


def required_words(text: str) -> tuple[list[str], list[str]]:
    """Return the words of `text` written as `+word`, without duplicates, and its first words, all without the sign."""
    tokens = text.split()
    required = few(token[1:] for token in tokens if _is_required(token))
    plain = [token for token in tokens if not token.startswith('+') or _PHONE_NUMBER.fullmatch(token)]
    return required, (required + plain)[:_MAX_WORDS]


def few(operators: Iterable[_Item]) -> list[_Item]:
    """Return the operators without duplicates. Raises `QueryError` for too many: each one is tried on all tools."""
    different = list(dict.fromkeys(operators))
    if len(different) > _MAX_OPERATORS:
        raise QueryError(f'query has more than {_MAX_OPERATORS} operators; keep the most important ones')
    return different


def _is_required(token: str) -> bool:
    return token.startswith('+') and len(token) > 1 and not _PHONE_NUMBER.fullmatch(token)


def effective(limit: int) -> int:
    """Return `limit`, or the default if it is not positive."""
    return limit if limit > 0 else DEFAULT_LIMIT


def plain_words(prompt: str) -> str:
    """Return the text of a prompt as a query without operators; empty if it has no content."""
    text = _SIGNS.sub(' ', without_values(_ends(prompt))).replace(':', ', ').strip()
    return text if has_content(text) else ''


def _ends(text: str) -> str:
    if len(text) <= _MAX_PROMPT:
        return text
    half = _MAX_PROMPT // 2
    # Without the words that are cut in half.
    return f'{text[:half].rpartition(" ")[0] or text[:half]}.\n{text[-half:].partition(" ")[2] or text[-half:]}'


def parse(text: str) -> Query:
    """Parse the full syntax: `+must -not "a phrase" name:part server:part /regex/`."""
    pattern = _PATTERN.match(text)
    # Only at the start: elsewhere, `/home/user/` is far more often a path than an expression.
    reader = _Reader(terse=len(_QUOTED.sub('', text).split()) <= _TERSE)
    rest = text[pattern.end() :] if pattern else text
    text = _OPERATOR.sub(reader.read, rest)
    found = {operator: tuple(dict.fromkeys(values)) for operator, values in reader.found.items()}
    return Query(
        text=text.strip(),
        plain=reader.plain or bool(_WORD.search(_OPERATOR.sub('', rest))),
        required=found['+'],
        phrases=found['"'],
        excluded=found['-'],
        names=found['name'],
        servers=found['server'],
        pattern=pattern[1] if pattern else None,
    )


class _Reader:
    """Sorts the operators of one query by their kind."""

    def __init__(self, *, terse: bool) -> None:
        self.found: dict[str, list[str]] = {'+': [], '"': [], '-': [], 'name': [], 'server': []}
        self.plain = False
        """Whether something that looks like an operator is plain words."""
        self._terse = terse

    def read(self, token: re.Match[str]) -> str:
        """Record what `token` asks for, and return its words to rank by."""
        sign, phrase, word_sign, word, field, value = (token[group] or '' for group in range(1, 7))
        if field:
            self.found[field.lower()].append(value.strip('"'))
            return ''
        term, sign = phrase or word, sign or word_sign
        if not sign and self._terse and len(phrase.split()) <= _MAX_PHRASE:
            sign = '"'
        # `-5` is a number.
        if sign and not (sign == '-' and term[0].isdigit()) and not _PHONE_NUMBER.fullmatch(token[0]):
            self.found[sign].append(term)
            return '' if sign == '-' else term
        self.plain = True
        # With its quotes, by which the ranking recognizes a value.
        return token[0]


_MAX_QUOTED_WORDS = 40
_VALUE_WORD = r"""[^\s'"“”‘’`]+"""
_TEXT = rf'{_VALUE_WORD}(?:\s+{_VALUE_WORD}){{2,{_MAX_QUOTED_WORDS - 1}}}'
# At least three words: one or two are a name or a value of a list, which may well describe the tool.
_QUOTED_TEXT = re.compile(rf"""(?<!\w)(?:'{_TEXT}'(?!\w)|"{_TEXT}"|“{_TEXT}”|‘{_TEXT}’|`{_TEXT}`)""")
# Domains, without the endings that files have too. The first part may be the name of a service.
_DOMAIN = (
    r'(?<![\w@./-])((?:[a-zA-Z0-9-]{1,63}\.){1,4})'
    r'(?:com|org|net|edu|gov|io|dev|info|biz|ai|app|co|us|uk|de|fr|es|it|nl|ru|jp|cn|in|br|eu|ch|au|ca)(?![\w@-])'
)
_KINDS = [
    (re.compile(r'\b(?:https?://|www\.)\S+', re.IGNORECASE), ' url '),
    (re.compile(r'(?<!\S)\W?\w[\w.+-]{0,63}@[\w-]{1,63}\.[\w.-]{1,190}'), ' email '),
    (re.compile(_DOMAIN), r' \1 domain '),
    (re.compile(r'(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)'), ' ip '),
    (re.compile(r'(?<!\w)\+\d[\d ().-]{6,18}\d(?!\w)'), ' phone '),
    (re.compile(r'(?<![\w.])\d{1,20}(?:[.,]\d{1,20})?\s?%'), ' percent '),
    (re.compile(r'(?<!\w)#(?:(?=\d{0,5}[a-fA-F])(?:[\da-fA-F]{3}){1,2}|\d{6})(?!\w)'), ' color '),
    (re.compile(r'(?<![\w/-])(?:\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4})(?![\w/-])'), ' date '),
]
"""Values of a recognizable form, each with the word that replaces it."""
_SIGN = re.compile(r'[./@]\S|[-/]\d|[%#+]')
"""Every value has one of these, and most requests have none."""


_OPENED = re.compile(
    r'\b(?:open|file|raise)(?=\s(?:an?\s|new\s){0,2}(?:\w+\s)?(?:pull requests?|prs?|issues?|tickets?|bugs?|cases?)\b)',
    re.IGNORECASE,
)


def as_actions(request: str) -> str:
    """Return `request` with the verb that tools use for it: people open or file an issue, and tools create one."""
    return _OPENED.sub('create', request)


def without_values(request: str) -> str:
    """Return `request` without quoted texts, and with other values replaced by their kind (`url`, `date`).

    Returns all of it if the rest has no content.
    """
    rest = _QUOTED_TEXT.sub(' ', request)
    if _SIGN.search(rest):
        for value, kind in _KINDS:
            rest = value.sub(kind, rest)
    return rest if rest == request or has_content(rest) else request
