"""How well tools are found in sets that the ranked search's settings were not chosen on.

    python -m benchmarks.cross_validation

Also chosen so: below which share of the best score a tool is not told. It is to tell as little as it can while no more
than a hundredth of the recall is lost.

Each set is left out once: of the settings below, those that do best on all other sets are measured on it. What that
gives, and how far the sets are apart, is what to expect of tools and queries that nobody has seen; the figures of the
settings that do best on all sets flatter. `retrieval.py` says where the sets are read from.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean, stdev
from typing import Any

from benchmarks.retrieval import Need, known_sets, load, recall, some
from toolscript.search import Document
from toolscript.search.index import Index
from toolscript.search.ranked import RankedIndex
from toolscript.search.ranking import DEFAULT_SETTINGS, RankingSettings

CHOICES: Mapping[str, Sequence[Any]] = {
    'saturation': (0.8, 2.0),
    'length_effect': (0.5, 0.85),
    'synonym': (0.0, 0.25, 0.55),
    'same_action': (0.0, 0.15, 0.45),
    'other_form': (0.0, 0.5),
    'sentence_share': (0.6, 1.0),
    'clause_share': (0.2, 0.6),
    'server': (0.0, 0.25, 1.0),
    'name': (0.0, 0.5),
    'action': (0.0, 0.25),
    'fields': ((1, 1, 1, 1, 1, 1, 1), (3, 1.5, 0.8, 1, 0.5, 0.8, 1)),
}
"""What is tried beside the settings as they are, one at a time: with few sets, more would be chance."""
SHARES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75)
MOST_LOST = 0.01
MOST = 250
"""So many queries of each set are asked, chosen at random: the sets count alike, whatever their size."""


def main() -> None:
    """Print each set's recall at five, left out and not."""
    arguments = _arguments()
    sets = {name: (documents, some(needs, MOST)) for name in arguments.sets for documents, needs in [load(name)]}
    choices = {'as they are': DEFAULT_SETTINGS} | {
        f'{name}={value}': replace(DEFAULT_SETTINGS, **{name: value})
        for name, values in CHOICES.items()
        for value in values
    }
    read = {name: RankedIndex(documents) for name, (documents, _) in sets.items()}
    found = {label: _recalls(settings, sets, read, label) for label, settings in choices.items()}
    left_out = {name: _best_without(name, found) for name in sets}
    print(f'\n{"left out":12} {"R@5":>6}  {"as they are":>11}  chosen on the others')
    for name, label in left_out.items():
        print(f'{name:12} {found[label][name]:6.3f}  {found["as they are"][name]:11.3f}  {label}')
    unseen = [found[label][name] for name, label in left_out.items()]
    best = max(found, key=lambda label: mean(found[label].values()))
    print(f'\nleft out: {mean(unseen):.3f} ± {stdev(unseen) / len(unseen) ** 0.5:.3f} (standard error over the sets)')
    print(f'as they are: {mean(found["as they are"].values()):.3f}')
    print(f'best on all, which flatters: {mean(found[best].values()):.3f} ({best})')
    _print_told(sets)


@dataclass(frozen=True)
class _Told:
    """What is told of one set where tools below a share of the best score are not."""

    tools: int
    needs: int
    lost: float
    """Of the recall at five, on average over the queries."""


def _print_told(sets: Mapping[str, tuple[list[Document], list[Need]]]) -> None:
    told = {name: _told(documents, needs) for name, (documents, needs) in sets.items()}
    chosen = {name: _share_without(name, told) for name in sets}
    print(f'\n{"left out":12} told for a need   recall lost   share of the best')
    for name, share in chosen.items():
        one = told[name][share]
        print(f'{name:12} {one.tools / one.needs:15.2f} {one.lost:13.3f} {share:19}')
    every = [told[name][share] for name, share in chosen.items()]
    print(f'of all needs: {sum(one.tools for one in every) / sum(one.needs for one in every):.2f} told for a need')
    print(
        f'mean of sets: {mean(one.tools / one.needs for one in every):.2f}, lost {mean(one.lost for one in every):.3f}'
    )


def _share_without(left_out: str, told: Mapping[str, Mapping[float, _Told]]) -> float:
    others = [of_share for name, of_share in told.items() if name != left_out]
    return max(share for share in SHARES if mean(of_share[share].lost for of_share in others) <= MOST_LOST)


def _told(documents: list[Document], needs: list[Need]) -> dict[float, _Told]:
    ranking = RankedIndex(documents)
    index = Index([document.name for document in documents], ranking)
    every = [index.search(need.query, limit=5) for need in needs]
    told: dict[float, _Told] = {}
    for share in SHARES:
        ranking.min_score_share = share
        worth = [index.worth_reading(need.query, limit=5) for need in needs]
        lost = [
            recall(need, all_, 5) - recall(need, few, 5) for need, all_, few in zip(needs, every, worth, strict=True)
        ]
        told[share] = _Told(sum(map(len, worth)), sum(len(need.groups) for need in needs), mean(lost))
    return told


def _best_without(left_out: str, found: Mapping[str, Mapping[str, float]]) -> str:
    return max(found, key=lambda label: mean(value for name, value in found[label].items() if name != left_out))


def _recalls(
    settings: RankingSettings,
    sets: Mapping[str, tuple[list[Document], list[Need]]],
    read: Mapping[str, RankedIndex],
    label: str,
) -> dict[str, float]:
    recalls: dict[str, float] = {}
    for name, (documents, needs) in sets.items():
        index = Index([document.name for document in documents], RankedIndex(documents, settings, before=read[name]))
        recalls[name] = mean(recall(need, index.search(need.query, limit=5), 5) for need in needs)
    print(
        f'{label:50} {mean(recalls.values()):.4f}  ' + ' '.join(f'{value:.3f}' for value in recalls.values()),
        flush=True,
    )
    return recalls


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--sets', nargs='+', choices=known_sets(), default=known_sets())
    return parser.parse_args()


if __name__ == '__main__':
    main()
