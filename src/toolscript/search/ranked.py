"""The `'ranked'` algorithm, our own, for short searches and for requests as people write them; and why tools match."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from .document import FIELDS, Document, texts
from .inverted_index import InvertedIndex
from .languages import in_english
from .patterns import matches, searchable
from .query import MIN_SCORE_SHARE, Query, as_actions, check, few, parse, without_values
from .scoring import Scorer, Scores
from .spelling import SpellChecker
from .terms import part_terms, split_name, words
from .vocabulary import agreements

_BONUS_DEPTH = 50
"""Only this many of the best tools get a bonus."""
_MIN_SCORE = 1e-9

_NAME = 0.25
"""The bonus of a tool when the request contains every word of its name."""
_ACTION = 0.1
"""The bonus of a tool when the verb of its name does what the request asks for."""


class RankedIndex:
    """Tools ranked by BM25 over weighted fields, with synonyms, subquery by subquery."""

    min_score_share = MIN_SCORE_SHARE

    def __init__(self, documents: Sequence[Document], *, before: 'RankedIndex | None' = None) -> None:
        """Index `documents`. Those that the index `before` contains are not read again."""
        self._index = InvertedIndex(documents, before=before and before._index)
        self._scorer = Scorer(self._index)
        self._filters = Filters(self._index)
        self._spelling = SpellChecker(self._index)

    def scored(self, query: str, *, limit: int) -> list[tuple[str, float]]:
        """Return the names of the tools that match, each with its score, best first.

        Understands `+must`, `-not`, `"a phrase"`, `name:part`, `server:part` and `/regex/`.
        """
        text = check(query)
        if not self._index.documents:
            return []
        ranked = self._ranked(self._scores(parse(text)), limit)
        return [(self._index.documents[tool].name, score) for tool, score in ranked[:limit]]

    def explained(self, query: str, *, limit: int) -> 'list[Explanation]':
        """Return the same as `scored`, each tool with the reasons for its score."""
        text = parse(check(query))
        if not self._index.documents:
            return []
        found = self._scores(text)
        asked = self._scorer.term_weights(self._as_words(text.text))
        return [
            explain(tool, score, float(found.of_tools[tool]), asked, found.terms, self._index)
            for tool, score in self._ranked(found, limit)[:limit]
        ]

    def _scores(self, query: Query) -> Scores:
        admitted = self._filters.admitted(query)
        found = self._scorer.scores(self._as_words(query.text))
        if admitted is None:
            return found
        # A query of operators alone finds each tool that they admit, even one without a score.
        floor = 0.0 if query.plain else _MIN_SCORE
        return replace(found, of_tools=np.where(admitted, np.maximum(found.of_tools, floor), 0.0))

    def _as_words(self, request: str) -> str:
        """Return `request` without values, in English, with typos corrected."""
        english = in_english(as_actions(without_values(request)), self._spelling.knows, self._spelling.is_typo)
        return self._spelling.corrected(english)

    def _ranked(self, found: Scores, count: int) -> list[tuple[int, float]]:
        best = _best(found.of_tools, max(_BONUS_DEPTH, count))
        scores = {tool: float(found.of_tools[tool]) * (1 + self._bonus(tool, found)) for tool in best[:_BONUS_DEPTH]}
        highest = max(scores.values(), default=0.0)
        # The best tool of one sentence must not come after all those that answer another one equally well.
        scores |= {tool: highest for tool in found.best_of_sentences if found.of_tools[tool] > 0}
        first = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0] not in found.best_of_sentences))
        return first + [(tool, float(found.of_tools[tool])) for tool in best[_BONUS_DEPTH:] if tool not in scores]

    def _bonus(self, tool: int, found: Scores) -> float:
        """Return the bonus for the share of the name in the request, and for the action of the name's verb."""
        name, weights = self._index.name_terms(tool), self._index.weights
        agreement = agreements(found.actions)
        matched = sum(weights[term] for term in name if term in found.terms)
        share = matched / sum(weights[term] for term in name) if matched else 0.0
        done = max((agreement.get(self._index.terms[term], 0.0) for term in name), default=0.0)
        return _NAME * share + _ACTION * done


def _best(scores: NDArray[np.float32], count: int) -> list[int]:
    """Return the tools with the `count` highest scores above zero, best first; equal ones keep their order."""
    tools = np.flatnonzero(scores > 0)
    if len(tools) > count:
        among = scores[tools]
        tools = tools[among >= np.partition(among, -count)[-count]]
    return tools[np.argsort(-scores[tools], kind='stable')][:count].tolist()


_Mask = NDArray[np.bool_]


class Filters:
    """The operators of a query, applied to one catalog."""

    def __init__(self, index: InvertedIndex) -> None:
        self._index = index
        self._documents = index.documents

    def admitted(self, query: Query) -> _Mask | None:
        """Return the tools that `query` admits; `None` if it has no operator and admits all."""
        few([*query.required, *query.phrases, *query.excluded, *query.names, *query.servers])
        masks = [
            *map(self._containing, query.required),
            *(mask for mask in map(self._containing, query.phrases) if mask.any()),
            *(~self._containing(term) for term in query.excluded),
            *(self._where(_fits(part), self._folded_names) for part in query.names),
            *(self._where(_fits(part), self._folded_servers) for part in query.servers),
            *([self._matching(query.pattern)] if query.pattern else []),
        ]
        return np.logical_and.reduce(masks) if masks else None

    def _containing(self, text: str) -> _Mask:
        """Return the tools that contain `text`: a word in any of its forms, or an exact phrase."""
        mask = np.ones(len(self._documents), dtype=np.bool_)
        found = words(text)
        for term in (term for word in found for term in part_terms(word)):
            mask &= self._holding(term)
        if len(found) > 1:
            phrase = _spaced(text)
            mask &= [bool(held) and self._contains_phrase(tool, phrase) for tool, held in enumerate(mask)]
        return mask | self._where(_contains(text), self._folded_names)

    def _contains_phrase(self, tool: int, phrase: str) -> bool:
        return any(phrase in _spaced(text) for text in texts(self._documents[tool]))

    def _holding(self, term: str) -> _Mask:
        mask = np.zeros(len(self._documents), dtype=np.bool_)
        if (number := self._index.vocabulary.get(term)) is not None:
            mask[self._index.postings(number)[0]] = True
        return mask

    def _matching(self, pattern: str) -> _Mask:
        mask = np.zeros(len(self._documents), dtype=np.bool_)
        mask[[tool for tool, _ in matches(pattern, self._searchable)]] = True
        return mask

    def _where(self, admits: Callable[[str], bool], values: Sequence[str]) -> _Mask:
        return np.fromiter(map(admits, values), dtype=np.bool_, count=len(values))

    @cached_property
    def _folded_names(self) -> list[str]:
        return [document.name.casefold() for document in self._documents]

    @cached_property
    def _folded_servers(self) -> list[str]:
        return [(document.server or '').casefold() for document in self._documents]

    @cached_property
    def _searchable(self) -> dict[int, tuple[str, str, str]]:
        return dict(enumerate(map(searchable, self._documents)))


def _fits(pattern: str) -> Callable[[str], bool]:
    """Return a check whether a text contains `pattern`, or matches it if it has wildcards."""
    folded = pattern.casefold()
    return partial(fnmatchcase, pat=folded) if '*' in folded or '?' in folded else _contains(pattern)


def _contains(part: str) -> Callable[[str], bool]:
    folded = part.casefold()
    return lambda text: folded in text


def _spaced(text: str) -> str:
    return f' {" ".join(split_name(text)).casefold()} '


@dataclass(frozen=True)
class Reason:
    """A term by which a tool matches."""

    term: str
    """Its stem."""
    score: float
    """Its part of the tool's score."""
    fields: tuple[str, ...]
    """The fields that contain it."""
    in_query: bool
    """Whether the query contains it; otherwise a related word does."""


@dataclass(frozen=True)
class Explanation:
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
    tool: int,
    score: float,
    before_bonus: float,
    asked: Mapping[int, float],
    in_query: frozenset[int],
    index: InvertedIndex,
) -> Explanation:
    """Return the score of one tool by terms and fields, in proportion to what each term adds.

    Args:
        tool: The number of the tool.
        score: The score, including the bonus.
        before_bonus: The part of the score that comes from the terms.
        asked: The weight of each term of the query, including related ones.
        in_query: The terms that the query itself contains.
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
        Reason(
            index.terms[term], given[term] * scale, tuple(FIELDS[field] for field in sorted(fields)), term in in_query
        )
        for term, fields in held.items()
    ]
    return Explanation(
        name=index.documents[tool].name,
        score=score,
        fields=dict(sorted(by_field.items(), key=lambda entry: -entry[1])),
        bonus=score - before_bonus,
        reasons=tuple(sorted(reasons, key=lambda reason: -reason.score)),
    )
