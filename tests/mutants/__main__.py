"""Try the sabotages: `python -m tests.mutants [--sample] [--jobs N] [WORD]`; a word chooses the promises that hold it."""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from .all_mutants import MUTANTS
from .mutant import Mutant, Outdated
from .trial import Copy


def main(arguments: argparse.Namespace) -> int:
    """Try those that were chosen; how many nobody noticed."""
    mutants = [
        mutant
        for mutant in MUTANTS
        if (mutant.sample or not arguments.sample) and arguments.word.lower() in mutant.promise.lower()
    ]
    if not mutants:
        print(f'No promise holds {arguments.word!r}; without a word, all of them are tried.')
        return 1
    with tempfile.TemporaryDirectory(prefix='mutants-') as folder:
        copies = SimpleQueue[Copy]()
        for number in range(arguments.jobs):
            copies.put(Copy(Path(folder) / str(number)))
        if not arguments.sample and (said := _red_before(copies, mutants)):
            print(f'Red before anything was changed:\n{said}')
            return 1
        with ThreadPoolExecutor(arguments.jobs) as pool:
            problems = pool.map(partial(_tried, copies), mutants)
            return _told(mutants, problems)


def _red_before(copies: SimpleQueue[Copy], mutants: Sequence[Mutant]) -> str:
    copy = copies.get()
    ended, said = copy.tests(sorted({test for mutant in mutants for test in mutant.tests}))
    copies.put(copy)
    return said if ended else ''


def _tried(copies: SimpleQueue[Copy], mutant: Mutant) -> str | None:
    copy = copies.get()
    try:
        return copy.trial(mutant)
    except Outdated as error:
        return str(error)
    finally:
        copies.put(copy)


def _told(mutants: Sequence[Mutant], problems: Iterable[str | None]) -> int:
    wrong = 0
    for mutant, problem in zip(mutants, problems, strict=True):
        print(f'{"red " if problem is None else "MISS"}  {mutant.promise}', flush=True)
        if problem is not None:
            wrong += 1
            print(f'      {mutant.file}: {problem}', flush=True)
    print(f'{len(mutants) - wrong} of {len(mutants)} sabotages were noticed.')
    return wrong


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description='Break promises, one at a time, and see whether a test goes red.')
    parser.add_argument('--sample', action='store_true', help='only those that CI tries, without a run before')
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('word', nargs='?', default='', help='only promises that hold this')
    sys.exit(main(parser.parse_args()))
