"""Fuzz for a while: `python -m benchmarks.fuzz --minutes 10 --seed N`; repeat one case: `--seed N --case schema:12`."""

import argparse
import asyncio
import faulthandler
import logging
import resource
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from random import Random

from benchmarks.fuzz.requests import request
from benchmarks.fuzz.schemas import schema
from benchmarks.fuzz.snippets import snippet

_KINDS: dict[str, Callable[[Random], Awaitable[None]]] = {'snippet': snippet, 'schema': schema, 'request': request}
_HANGS = 60.0
"""Seconds after which a case counts as hanging. On a busy machine, one may take ten."""
_MEMORY = 2_000_000_000
"""The memory limit of the host in bytes, for the whole process with all its imports."""


async def main(options: argparse.Namespace) -> int:
    """Try cases until the time is over or `options.stop_after` of them failed. Returns the number of failures."""
    wrong, tried = 0, Counter[str]()
    for kind, number in _cases(options):
        tried[kind] += 1
        problem = await _problem(kind, options.seed, number)
        if problem:
            wrong += 1
            print(f'{kind}:{number} (again: --seed {options.seed} --case {kind}:{number})\n{problem}', flush=True)
        if wrong >= options.stop_after:
            break
    counts = ', '.join(f'{times} of {kind}' for kind, times in tried.items())
    print(
        f'{tried.total()} cases with seed {options.seed}: {counts}. Wrong: {wrong}. Memory at most {_peak():,} bytes.'
    )
    return wrong


def _cases(options: argparse.Namespace) -> Iterator[tuple[str, int]]:
    if options.case:
        kind, _, number = options.case.partition(':')
        yield kind, int(number)
        return
    end = time.monotonic() + 60 * options.minutes
    for number in count():
        if (options.cases and number * len(options.kinds) >= options.cases) or (
            not options.cases and time.monotonic() > end
        ):
            return
        for kind in options.kinds:
            yield kind, number


async def _problem(kind: str, seed: int, number: int) -> str:
    # A blocked event loop cannot time itself out.
    faulthandler.dump_traceback_later(_HANGS + 30, exit=True)
    try:
        async with asyncio.timeout(_HANGS):
            await _KINDS[kind](Random(f'{seed} {kind} {number}'))
    except TimeoutError:
        return f'took longer than {_HANGS:.0f} s'
    except Exception:
        return ''.join(traceback.format_exc().splitlines(keepends=True)[-12:])
    finally:
        faulthandler.cancel_dump_traceback_later()
    return f'memory grew to {_peak():,} bytes' if _peak() > _MEMORY else ''


def _peak() -> int:
    # In kilobytes on Linux, in bytes on macOS.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == 'darwin' else peak * 1024


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--minutes', type=float, default=1)
    parser.add_argument('--cases', type=int, default=0, help='this many, however long they take')
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--kinds', nargs='+', choices=_KINDS, default=list(_KINDS), help='by default all')
    parser.add_argument('--case', help='only this one, as KIND:NUMBER')
    parser.add_argument('--stop-after', type=int, default=10, metavar='N', help='stop when N cases were wrong')
    warnings.simplefilter('ignore')
    logging.disable(logging.CRITICAL)
    sys.exit(min(asyncio.run(main(parser.parse_args())), 100))
