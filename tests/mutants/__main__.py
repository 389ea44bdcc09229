"""Try the sabotages: `python -m tests.mutants [--sample] [--jobs N] [WORD]`; WORD selects promises."""

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from .mutant import MUTANTS, Mutant, Outdated
from .trial import Copy


def main(arguments: argparse.Namespace) -> int:
    """Try the selected sabotages. Returns how many passed all tests."""
    mutants = [
        mutant
        for mutant in MUTANTS
        if (mutant.sample or not arguments.sample) and arguments.word.lower() in mutant.promise.lower()
    ]
    if not mutants:
        print(f'No promise contains {arguments.word!r}; without a word, all of them are tried.')
        return 1
    copies = SimpleQueue[Copy]()

    def trial(mutant: Mutant) -> str | None:
        copy = copies.get()
        try:
            return copy.trial(mutant)
        except Outdated as error:
            return str(error)
        finally:
            copies.put(copy)

    with tempfile.TemporaryDirectory(prefix='mutants-') as folder, ThreadPoolExecutor(arguments.jobs) as pool:
        made = [Copy(Path(folder) / str(number)) for number in range(arguments.jobs)]
        if not arguments.sample:
            ended, output = made[0].tests(sorted({test for mutant in mutants for test in mutant.tests}))
            if ended:
                print(f'Tests fail before anything is changed:\n{output}')
                return 1
        for copy in made:
            copies.put(copy)
        missed = 0
        for mutant, problem in zip(mutants, pool.map(trial, mutants), strict=True):
            missed += problem is not None
            print(f'{"red " if problem is None else "MISS"}  {mutant.promise}', flush=True)
            if problem is not None:
                print(f'      {mutant.file}: {problem}', flush=True)
    print(f'{len(mutants) - missed} of {len(mutants)} sabotages were noticed.')
    return missed


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description='Break promises, one at a time, and see whether a test fails.')
    parser.add_argument(
        '--sample', action='store_true', help='only those that CI tries, without running the tests first'
    )
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('word', nargs='?', default='', help='only promises that contain this')
    sys.exit(main(parser.parse_args()))
