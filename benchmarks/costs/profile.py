"""Where the time of a case goes: `python -m benchmarks.costs.profile trivial`, or any other name of `CASES`.

Milliseconds of one run that are spent in a file of ours, or in another package, themselves: what they call counts where
it stands. Under the profiler all of it takes a few times as long; the shares are what counts. `poll` is waiting.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
from collections import defaultdict
from pathlib import Path

from benchmarks.costs.cases import CASES
from benchmarks.costs.players import ROOT
from benchmarks.costs.sides.ours import runs

_RUNS = 50


async def profiled(case: str) -> dict[str, float]:
    """Milliseconds by place, of one run."""
    places = defaultdict[str, float](float)
    async with runs() as ready:
        await ready.cases[case]()
        with cProfile.Profile() as profile:
            for _ in range(_RUNS):
                await ready.cases[case]()
    for name, found in pstats.Stats(profile).get_stats_profile().func_profiles.items():
        places[_place(found.file_name, name)] += found.tottime * 1000 / _RUNS
    return places


def _place(file: str, name: str) -> str:
    path = Path(file)
    if 'site-packages' in path.parts:
        return path.parts[path.parts.index('site-packages') + 1]
    if path.is_relative_to(ROOT):
        return str(path.relative_to(ROOT))
    return name if file == '~' else f'Python: {path.parent.name}'


def main() -> None:
    """Print the dearest places."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('case', choices=CASES)
    parser.add_argument('--rows', type=int, default=40)
    given = parser.parse_args()
    found = asyncio.run(profiled(given.case))
    print(f'{sum(found.values()):9.3f} ms, all of a run')
    for place, taken in sorted(found.items(), key=lambda item: -item[1])[: given.rows]:
        print(f'{taken:9.3f}  {place}')


if __name__ == '__main__':
    main()
