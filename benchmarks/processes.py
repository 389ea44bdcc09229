"""Child processes and their memory; empty on systems without /proc."""

import os
from contextlib import suppress
from pathlib import Path


def children() -> set[int]:
    """Return the processes that this process started."""
    found = set[int]()
    for listed in Path('/proc/self/task').glob('*/children'):
        with suppress(OSError):
            found.update(map(int, listed.read_text().split()))
    return found


def resident(process: int | str = 'self') -> float:
    """Return the megabytes of a process in memory; 0 if it has ended."""
    with suppress(OSError):
        pages = int(Path(f'/proc/{process}/statm').read_text().split()[1])
        return pages * os.sysconf('SC_PAGE_SIZE') / 2**20
    return 0.0
