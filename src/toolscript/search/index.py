"""An index of tools: a ranking by words, after the tools that a query names. It is built once for equal tools."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from threading import Lock
from typing import Literal, Protocol

from .document import MAX_CHARS, Document
from .names import ToolNames
from .query import DEFAULT_LIMIT, check, effective, names_precisely, parse, plain_words, selection
from .subqueries import needs_of

Algorithm = Literal['ranked', 'bm25', 'keywords', 'regex']

_IN_A_TURN = 1_000
_CHARS_IN_A_TURN = 100_000
"""About twenty milliseconds, or a little more."""
_MAX_INDEXES = 8
_MAX_TOOLS = 200_000
"""The limit for all cached indexes together. The latest one is cached whatever its size."""

_MAIN_SHARE = 0.5
"""A tool whose name is this share of a query comes first; with less, it has a place among the others."""
_COMPARED = 200
"""How many of the best tools by words are compared with those that are near in meaning."""
_COMPARED_OF_SENTENCE = 60
"""The same for one sentence of several."""
_MIN_SENTENCE = 0.8
"""A sentence counts less if its best tool by words scores less than this share of the overall best."""
_MIN_SENTENCE_BY_BOTH = 0.8
"""The best tool of a sentence has a place at the top if it scores more than this share of the overall best."""
_MIN_NEED = 0.25
"""A need has no places of its own if its best tool scores less than this share of the overall best."""
_BEST_BY_WORDS = 1
"""How many of the best tools by words always have a place among the results, however near others are."""

_PROMPT_MIN_SCORE_SHARE = 0.4
"""The same for a user's prompt, which has more words that no tool contains: it leaves out one or two of the best eight,
at a cost of .01 of the tasks."""


class Ranking(Protocol):
    """Tools that can be searched by words."""

    min_score_share: float
    """Tools that score less than this share of the best one are left out; 0 if scores mean no more than the order."""

    def scored(self, query: str, *, limit: int) -> list[tuple[str, float]]:
        """Return the names of the tools that match, each with its score, best first. Raises `QueryError`."""
        ...


def build_index(algorithm: Algorithm, documents: Sequence[Document]) -> 'Index':
    """Return an index of `documents`: the same one for equal documents, while it is among the last used.

    Documents of a cached index are not read again if they are the same objects.
    """
    content = tuple(documents)
    if (index := _cache.get(algorithm, content)) is None:
        index = _cached(algorithm, content, _cache.most_similar(algorithm, content))
    return index


async def build_index_in_turns(algorithm: Algorithm, documents: Sequence[Document]) -> 'Index':
    """Like `build_index`, but yields to the event loop after every thousand documents, or fewer long ones."""
    content = tuple(documents)
    if (index := _cache.get(algorithm, content)) is not None:
        return index
    before = _cache.most_similar(algorithm, content)
    if before is None:
        for end in _turns(content):
            before = _ranking(algorithm, content[:end], before)
            await asyncio.sleep(0)
    return _cached(algorithm, content, before)


def _turns(content: Sequence[Document]) -> Iterator[int]:
    """Yield how many documents have been read at the end of each turn except the last."""
    begun, chars = 0, 0
    for count, document in enumerate(content):
        if count - begun >= _IN_A_TURN or chars >= _CHARS_IN_A_TURN:
            yield count
            begun, chars = count, 0
        chars += min(len(document.description or ''), MAX_CHARS)


class Index:
    """Searchable tools: those that a query names come first, then those that match its words.

    Models remember names that they saw, or guess them, and write them in another case, with other separators or none,
    or with a typo. Such a name is not a word to rank by: the model wants that tool.
    """

    def __init__(self, names: Iterable[str], ranking: Ranking) -> None:
        self._names = ToolNames(names)
        self._ranking = ranking

    def search(self, query: str, *, limit: int, offset: int = 0) -> list[str]:
        """Return the names of the tools that match `query`, best first: `limit` of them after the first `offset`.

        Empty when nothing matches. A `limit` of zero or less means five. All tools that the query names come first.
        `select:a,b` finds only these, in this order. A name in another spelling or with a typo finds the nearest one.

        Raises:
            QueryError: The query is blank or cannot be answered.
        """
        return self._found(query, limit, offset, by_need=True)

    def worth_reading(self, query: str, *, limit: int) -> list[str]:
        """Return the same as `search`, without tools whose scores are far below the best one."""
        return self._found(query, limit, min_share=self._ranking.min_score_share, by_need=True)

    def asked_for(self, request: str, *, limit: int) -> list[str]:
        """Return at most `limit` of the tools that a person's words ask for, best first; none if they have no content.

        No word is an operator. Of a very long text, only the beginning and the end count.
        """
        text = plain_words(request)
        min_share = min(_PROMPT_MIN_SCORE_SHARE, self._ranking.min_score_share)
        return self._found(text, limit, min_share=min_share)[:limit] if text else []

    def search_near(
        self,
        query: str,
        near: Mapping[str, float],
        *,
        needs: Mapping[str, Mapping[str, float]] | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[str]:
        """Return the same as `search`, but each tool also gains its score in `near`; the best one by words has 1.

        `needs` has the sentences of a request of several, and what tools gain for each sentence alone. The best tool of
        a sentence by words and meaning has a place at the top, unless it scores low.

        Raises:
            QueryError: The query is blank or cannot be answered.
        """
        return self._found(query, limit, offset, near=near, needs=needs or {})

    def _found(
        self,
        query: str,
        limit: int,
        offset: int = 0,
        *,
        min_share: float = 0.0,
        by_need: bool = False,
        near: Mapping[str, float] | None = None,
        needs: Mapping[str, Mapping[str, float]] | None = None,
    ) -> list[str]:
        text = check(query)
        if (wanted := selection(text)) is not None:
            return self._names.selected(wanted)
        limit, start = effective(limit), max(offset, 0)
        precise = names_precisely(text)
        named = [] if precise else self._names.named(text)
        mentioned = {} if precise or named else self._names.mentioned(text)
        ranked = self._ranking.scored(
            text, limit=start + max(limit, _COMPARED if near else 0) + len(named) + len(mentioned)
        )
        by_words = [name for name, _ in ranked[:_BEST_BY_WORDS]] if near else []
        if near:
            best_of_sentences = self._best_of_sentences(needs or {}, ranked[0][1]) if ranked else []
            ranked = _by_both(ranked, near, best_of_sentences)
        best = max((score for _, score in ranked), default=0.0)
        main = [name for name, share in mentioned.items() if share >= _MAIN_SHARE]
        found = dict.fromkeys([*named, *main, *(name for name, score in ranked if score >= min_share * best)])
        # The first five of ten results are those of a search for five.
        top = min(limit, DEFAULT_LIMIT)
        placed = _with_a_place_for(mentioned, _with_a_place_for(by_words, list(found), top), top)
        if by_need and not precise:
            placed = list(dict.fromkeys([*placed[:DEFAULT_LIMIT], *self._of_each_need(text), *placed[DEFAULT_LIMIT:]]))
        return placed[start:][: max(limit, 0 if start else len(named))]

    def _of_each_need(self, text: str) -> list[str]:
        """Return the best tools of each need of a request that has several, one of each need in turn."""
        asked, share = needs_of(text), self._ranking.min_score_share
        if len(asked) < 2 or not share or parse(text).has_operators:
            return []
        answers = [ranked for need in asked if (ranked := self._ranking.scored(need, limit=DEFAULT_LIMIT))]
        best = max((ranked[0][1] for ranked in answers), default=0.0)
        rows = [
            [name for name, score in ranked if score >= share * ranked[0][1]]
            for ranked in answers
            if ranked[0][1] >= _MIN_NEED * best
        ]
        return [name for row in zip_longest(*rows) for name in row if name is not None]

    def _best_of_sentences(self, needs: Mapping[str, Mapping[str, float]], best: float) -> list[str]:
        """Return the best tool of each sentence by words and meaning, without those that score low."""
        scores: dict[str, float] = {}
        for need, near in needs.items():
            if (text := plain_words(need)) and (ranked := self._ranking.scored(text, limit=_COMPARED_OF_SENTENCE)):
                name, score = _by_both(ranked, near)[0]
                scores[name] = max(scores.get(name, 0.0), score * min(1.0, ranked[0][1] / best / _MIN_SENTENCE))
        highest = max(scores.values(), default=0.0)
        return [name for name, score in scores.items() if score > _MIN_SENTENCE_BY_BOTH * highest]


def _by_both(
    ranked: list[tuple[str, float]], near: Mapping[str, float], first: Iterable[str] = ()
) -> list[tuple[str, float]]:
    best = ranked[0][1] if ranked else 1.0
    scores = dict(near)
    for name, score in ranked:
        scores[name] = scores.get(name, 0.0) + score / best
    scores |= dict.fromkeys(first, max(scores.values(), default=0.0))
    return sorted(scores.items(), key=lambda entry: -entry[1])


def _with_a_place_for(wanted: Iterable[str], found: list[str], limit: int) -> list[str]:
    """Return `found`, with the missing ones of `wanted` in the last of the first `limit` places."""
    missing = [name for name in wanted if name not in found[:limit]][: limit - 1]
    others = [name for name in found if name not in missing]
    return others[: limit - len(missing)] + missing + others[limit - len(missing) :]


def _cached(algorithm: Algorithm, content: tuple[Document, ...], before: Ranking | None) -> Index:
    ranking = _ranking(algorithm, content, before)
    index = Index((document.name for document in content), ranking)
    _cache.put(_Entry(algorithm, content, ranking, index))
    return index


def _ranking(algorithm: Algorithm, documents: tuple[Document, ...], before: Ranking | None) -> Ranking:
    # Imported at the first use, because numpy and regex take longer to load than this package.
    match algorithm:
        case 'ranked':
            from .ranked import RankedIndex

            return RankedIndex(documents, before=before if isinstance(before, RankedIndex) else None)
        case 'bm25':
            from .bm25 import Bm25Index

            return Bm25Index(documents)
        case 'keywords':
            from .patterns import KeywordsIndex

            return KeywordsIndex(documents)
        case 'regex':
            from .patterns import RegexIndex

            return RegexIndex(documents)


@dataclass(frozen=True)
class _Entry:
    algorithm: Algorithm
    documents: tuple[Document, ...]
    ranking: Ranking
    index: Index


class _Cache:
    """The most recently used indexes, found by equal documents.

    Tuples compare their members by identity first, so unchanged documents cost nanoseconds each and nothing
    is hashed.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._entries: list[_Entry] = []

    def get(self, algorithm: Algorithm, documents: tuple[Document, ...]) -> Index | None:
        with self._lock:
            for position, entry in enumerate(self._entries):
                if entry.algorithm == algorithm and entry.documents == documents:
                    # The next call will probably have these objects.
                    del self._entries[position]
                    self._entries.append(replace(entry, documents=documents))
                    return entry.index
        return None

    def most_similar(self, algorithm: Algorithm, documents: tuple[Document, ...]) -> Ranking | None:
        """Return the ranking that has most of the same documents, if one has any."""
        with self._lock:
            entries = [entry for entry in self._entries if entry.algorithm == algorithm]
        wanted = frozenset(map(id, documents))
        shared = [sum(map(wanted.__contains__, map(id, entry.documents))) for entry in entries]
        return entries[shared.index(max(shared))].ranking if any(shared) else None

    def put(self, entry: _Entry) -> None:
        with self._lock:
            self._entries.append(entry)
            del self._entries[:-_MAX_INDEXES]
            while len(self._entries) > 1 and sum(len(entry.documents) for entry in self._entries) > _MAX_TOOLS:
                del self._entries[0]


_cache = _Cache()
