"""Files of time zones, which the processes of the host library cannot open."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from zoneinfo import TZPATH

from .errors import HostLibraryError

_KEY = re.compile(r'[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*')


@lru_cache(maxsize=256)
def zone_file(key: str) -> bytes:
    """The data of a zone, of the system or of the package `tzdata`.

    Raises `HostLibraryError` (a `KeyError`) for an unknown one. A key has no dots, so it names no file elsewhere.
    """
    if _KEY.fullmatch(key):
        package = find_spec('tzdata')
        packaged = (package.submodule_search_locations if package else None) or ()
        for folder in [*TZPATH, *(f'{place}/zoneinfo' for place in packaged)]:
            with suppress(OSError):
                if (data := Path(folder, key).read_bytes()).startswith(b'TZif'):
                    return data
    kind = 'zoneinfo.ZoneInfoNotFoundError'
    raise HostLibraryError(kind, 'KeyError', f'No time zone found with key {key}')
