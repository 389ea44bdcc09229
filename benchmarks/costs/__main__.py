"""Measure the cost of code mode, compared with peers and floors: `make bench`, or briefly, `make bench QUICK=1`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.costs.measuring import PARTS, measured
from benchmarks.costs.results import QUICK, WHOLE
from benchmarks.costs.tables import RESULTS, parts, update_docs


def main(arguments: list[str] | None = None) -> int:
    """Measure, print the tables, and write them and all figures into a folder."""
    options = _options(arguments)
    folder: Path = options.out
    folder.mkdir(parents=True, exist_ok=True)
    command = 'make bench QUICK=1' if options.quick else 'make bench'
    results, whole = measured(QUICK if options.quick else WHOLE, options.only, command, folder / 'costs.json')
    text = '\n'.join('\n'.join([*lines, '']) for lines in parts(results).values())
    print(text)
    (folder / 'costs.md').write_text(text)
    print(f'Written to {folder}: costs.json and costs.md.')
    if options.update_docs:
        update_docs(results)
    return 0 if whole else 1


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog='python -m benchmarks.costs', description=__doc__)
    parser.add_argument('--quick', action='store_true', help='few rounds, small sizes: to see that it works')
    parser.add_argument('--only', nargs='+', choices=PARTS, default=list(PARTS))
    parser.add_argument('--out', type=Path, default=RESULTS)
    parser.add_argument('--update-docs', action='store_true', help='write what was found into docs/benchmarks.md')
    options = parser.parse_args(arguments)
    if options.update_docs and (options.quick or set(options.only) != set(PARTS)):
        parser.error('the docs quote whole runs: leave out --quick and --only')
    return options


if __name__ == '__main__':
    sys.exit(main())
