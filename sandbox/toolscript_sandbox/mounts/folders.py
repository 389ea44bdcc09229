"""The folders of the host that scripts see, and the limits of reading and writing there."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path


@dataclass(frozen=True)
class Folder:
    """A folder of the host.

    Raises `ValueError` if it is not a folder, or if this system cannot open files below an open folder.
    """

    host: str | Path
    """The path on the host. Scripts never see it."""
    writable: bool = False
    """Whether scripts may change its contents."""
    max_bytes: int | None = None
    """The maximum total size of the files, enforced when a script writes; `None`: no limit."""
    max_files: int | None = None
    """The maximum number of files and folders, enforced when a script creates one; `None`: no limit."""

    def __post_init__(self) -> None:
        if os.open not in os.supports_dir_fd or not hasattr(os, 'O_NOFOLLOW'):
            raise ValueError('files need a POSIX system, which opens them below an open folder')
        host = os.path.abspath(self.host)
        if not os.path.isdir(host):
            raise ValueError(f'{os.fspath(self.host)!r} is not a folder; create it first, or use another one')
        # The working directory of the process may change; this folder must not.
        object.__setattr__(self, 'host', host)

    @property
    def path(self) -> str:
        """The absolute path on the host."""
        return str(self.host)


@dataclass(frozen=True)
class FileLimits:
    """Limits of one access to a file."""

    file_bytes: int = 100_000_000
    """The largest file that may be read at once, or written."""
    entries: int = 10_000
    """How many entries one listing or one `glob` may visit."""
    seconds: float = 10.0
    """How long one access may take, in case a disk or file server hangs."""


def check_folders(folders: Mapping[str, Folder]) -> None:
    """Refuse names and folders that conflict. Raises `ValueError`."""
    for name in folders:
        if not _NAME.fullmatch(name):
            raise ValueError(
                f'{name!r} is not a valid name of a folder; use one like /data: a slash, then letters, digits, _ '
                'and - (64 at most)'
            )
    folded = dict[str, str]()
    for name in folders:
        other = folded.setdefault(name.lower(), name)
        if other != name:
            raise ValueError(f'{other!r} and {name!r} differ in case only; rename one')
    for (one, first), (other, second) in combinations(folders.items(), 2):
        paths = [os.path.realpath(first.path), os.path.realpath(second.path)]
        if (first.writable or second.writable) and os.path.commonpath(paths) in paths:
            raise ValueError(
                f'{one!r} and {other!r} overlap on the host, and one of them is writable; use separate folders'
            )


def os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


_NAME = re.compile(r'/[A-Za-z0-9_-]{1,64}', re.ASCII)
