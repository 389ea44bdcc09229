"""Files that are not whole yet, under names that no script sees or can give.

Who is killed in the middle of a write leaves such a part behind. It counts towards no quota, and goes when it is old.
"""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress


def part_name() -> str:
    """A new one."""
    return f'{_MARK}{secrets.token_hex(8)}'


def is_part(name: str) -> bool:
    """Whether a name in a folder is that of a part."""
    # Some file systems take names for equal that differ in case.
    return name.lower().startswith(_MARK)


def drop_if_old(name: str, fd: int) -> None:
    """Take away the part of that name in an open folder, where nobody can be writing it any more."""
    with suppress(OSError):
        if os.stat(name, dir_fd=fd, follow_symlinks=False).st_mtime < time.time() - _SECONDS:
            os.unlink(name, dir_fd=fd)


_MARK = '.toolscript-part-'
_SECONDS = 3_600
