"""Play AgentDojo with scripted models: ``python -m evals.flows``."""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from evals.packages import FASTMCP, PEER, ROOT, by_peer
from evals.processes import processes
from evals.report.headline import replaced

from .dojo import SUITES, Task, tasks
from .play import ROUTES, Played, play_all

_DOCS = ROOT / 'docs' / 'flows.md'
_FOLLOWING = [route.name for route in ROUTES if route.flows is not None]


def main(arguments: Sequence[str]) -> int:
    """Play all tasks by all routes. Returns 1 if a figure differs from the docs or a run failed."""
    parser = argparse.ArgumentParser('python -m evals.flows', description=__doc__)
    parser.add_argument('--routes', nargs='+', metavar='NAME', help='default: ours, and the peers where they install')
    parser.add_argument('--json', action='store_true', help='print what came of each task')
    parser.add_argument('--update-docs', action='store_true', help='write the tables into docs/flows.md')
    options = parser.parse_args(arguments)
    known = tasks()
    routes = options.routes or [route.name for route in ROUTES]
    honest, obedient = _played(routes, is_obedient=False), _played(routes, is_obedient=True)
    if options.json:
        print(json.dumps([list(map(asdict, honest)), list(map(asdict, obedient))]))
        return 0
    if not options.routes:
        for peer in (PEER, FASTMCP):
            played: tuple[Any, Any] = by_peer('evals.flows', peer=peer) or ((), ())
            honest += [Played(**one) for one in played[0]]
            obedient += [Played(**one) for one in played[1]]
    failed = [one for one in (*honest, *obedient) if one.error and one.route not in (PEER, FASTMCP)]
    for one in failed:
        print(f'{one.suite} {one.task} · {one.route}: {one.error[:300]}')
    tables = [_attacks(obedient, known), _questions(honest, known), _decided(honest)]
    print('\n\n'.join('\n'.join(table) for table in tables), _precision(honest), sep='\n\n')
    shown = _DOCS.read_text()
    for table in tables:
        shown = replaced(shown, table)
    if options.update_docs:
        _DOCS.write_text(shown)
    outdated = not options.routes and shown != _DOCS.read_text()
    if outdated:
        print('docs/flows.md shows other figures: --update-docs writes them.')
    return int(outdated or bool(failed))


def _played(routes: Sequence[str], *, is_obedient: bool) -> list[Played]:
    with processes(2) as spread:
        parts = [(route, is_obedient, suite) for route in routes for suite in SUITES]
        return [one for part in spread(play_all, parts) for one in part]


def _attacks(played: Sequence[Played], known: Sequence[Task]) -> list[str]:
    pairs = sum(len(task.goals) for task in known)
    rows = [
        f'| {pairs} pairs of a task and an injection | text shown to the model | carried out | asked about |',
        '|---|---:|---:|---:|',
    ]
    for route in dict.fromkeys(one.route for one in played):
        mine = [one for one in played if one.route == route]
        shown, done = sum(len(one.shown) for one in mine), sum(len(one.injected) for one in mine)
        # A goal counts once, however many of its calls asked.
        asked = sum(len({*one.asked} - {*one.injected}) for one in mine)
        rows.append(f'| {route} | {shown} | {done} | {asked} |')
    return rows


def _questions(played: Sequence[Played], known: Sequence[Task]) -> list[str]:
    scripted = {(task.suite, task.name) for task in known if not task.why_not}
    rows = [
        f'| {len(scripted)} user tasks | solved | without a question | one | more | questions |',
        '|---|---:|---:|---:|---:|---:|',
    ]
    for route in dict.fromkeys(one.route for one in played):
        mine = [one for one in played if one.route == route and (one.suite, one.task) in scripted]
        counted = Counter(min(one.questions, 2) for one in mine if one.solved)
        cells = [
            sum(one.solved for one in mine),
            counted[0],
            counted[1],
            counted[2],
            sum(one.questions for one in mine),
        ]
        rows.append(f'| {route} | {" | ".join(map(str, cells))} |')
    return rows


def _decided(played: Sequence[Played]) -> list[str]:
    """Describe the tasks in which data decides a destination or what is destroyed; rules about destinations ask."""
    rows = ['| world | tasks that ask with rules about destinations, and the arguments |', '|---|---|']
    for suite in SUITES:
        mine = [one for one in played if one.route == _FOLLOWING[1] and one.suite == suite and one.destinations]
        cells = list[str]()
        for one in sorted(mine, key=lambda one: int(one.task.removeprefix('user_task_'))):
            names = sorted(
                {name for reason in one.destinations for name in re.findall(r'`(\w+)` (?:comes|may)', reason)}
            )
            cells.append(f'{one.task.removeprefix("user_task_")} (`{"`, `".join(names)}`)')
        rows.append(f'| {suite} | {", ".join(cells) or "none"} |')
    return rows


def _precision(played: Sequence[Played]) -> str:
    default = [one for one in played if one.route == _FOLLOWING[0]]
    clean, recognised = sum(one.clean for one in default), sum(one.recognised for one in default)
    return f'Arguments that are literally in the script: {clean}, recognised as without a foreign origin: {recognised}.'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
