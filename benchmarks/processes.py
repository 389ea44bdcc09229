"""Child processes of this process, and their memory; nothing without /proc."""

import os
from contextlib import suppress
from pathlib import Path


def children() -> set[int]:
    found = set[int]()
    for listed in Path('/proc/self/task').glob('*/children'):
        with suppress(OSError):
            found.update(map(int, listed.read_text().split()))
    return found


def resident(process: int | str = 'self') -> float:
    """Return the resident megabytes of a process; 0 if it has ended."""
    with suppress(OSError):
        pages = int(Path(f'/proc/{process}/statm').read_text().split()[1])
        return pages * os.sysconf('SC_PAGE_SIZE') / 2**20
    return 0.0
