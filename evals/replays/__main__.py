"""Replay BFCL's multi-turn tasks by each route: ``python -m evals.replays``."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from statistics import mean

from evals.packages import ROOT, by_peer
from evals.processes import processes
from evals.replays.replay import Replay, replays_of
from evals.report.headline import replaced

_OURS = ('direct', 'code', 'code + search', 'code + search, prefetched')
_EVERY = 20
"""The share that the docs show, because all tasks take ten minutes of processor time."""
_DOCS = ROOT / 'docs' / 'benchmarks.md'


def main(arguments: Sequence[str]) -> int:
    """Replay the selected tasks. Returns 1 if a result, a final state or a row of the docs differs."""
    parser = argparse.ArgumentParser('python -m evals.replays', description=__doc__)
    parser.add_argument('--every', type=int, default=_EVERY, metavar='N', help='only every Nth task')
    parser.add_argument('--routes', nargs='+', metavar='NAME', help='default: ours, and the peer where it installs')
    parser.add_argument('--json', action='store_true', help='print the replays themselves')
    parser.add_argument('--update-docs', action='store_true', help='write the table into docs/benchmarks.md')
    options = parser.parse_args(arguments)
    with processes(2) as spread:
        parts = [(route, options.every) for route in options.routes or _OURS]
        replays = [one for part in spread(replays_of, parts) for one in part]
    if options.json:
        print(json.dumps(list(map(asdict, replays))))
        return 0
    if not options.routes:
        replays += [Replay(**one) for one in by_peer('evals.replays', '--every', str(options.every)) or ()]
    for one in replays:
        if one.error:
            print(f'{one.task} · {one.route}: {one.error[:300]}')
    table = _table(replays)
    print('\n'.join(table))
    if options.update_docs:
        _DOCS.write_text(replaced(_DOCS.read_text(), table))
    outdated = options.every == _EVERY and not options.routes and '\n'.join(table) not in _DOCS.read_text()
    if outdated:
        print('docs/benchmarks.md shows other figures: --update-docs writes them.')
    return int(outdated or any(one.error for one in replays if one.route in _OURS))


def _table(replays: Sequence[Replay]) -> list[str]:
    rows = ['| BFCL, multi-turn | input tokens per task | requests | as published |', '|---|---:|---:|---:|']
    for route in dict.fromkeys(one.route for one in replays):
        played = [one for one in replays if one.route == route]
        same = f'{sum(one.error is None for one in played)} of {len(played)}'
        tokens, requests = mean(one.input_tokens for one in played), mean(one.requests for one in played)
        rows.append(f'| {route} | {tokens:,.0f} | {requests:.1f} | {same} |')
    return rows


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
