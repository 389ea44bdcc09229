"""Versions of texts, a file each."""

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path

from .whole_files import draft_of, flush_folder, make_folder

_FILE = re.compile(r'(?P<name>\w+)\.(?P<version>\d+)\.function', re.ASCII)


def put(folder: Path, name: str, version: int, text: str) -> bool:
    """Whether the version was free, and is on disk now."""
    if not folder.is_dir():
        make_folder(folder)
    path = _path(folder, name, version)
    with draft_of(path, text.encode('ascii')) as draft:
        try:
            # Unlike a renaming, a link never takes the place of what is there.
            os.link(draft, path)
        except FileExistsError:
            return False
    flush_folder(folder)
    return True


def newest(folder: Path, names: Collection[str] | None) -> Mapping[str, tuple[int, str]]:
    """The newest version of each name, or of each of these."""
    latest = dict[str, int]()
    for name, version in _versions(folder):
        if names is None or name in names:
            latest[name] = max(version, latest.get(name, 0))
    found = {name: (version, _read(folder, name, version)) for name, version in sorted(latest.items())}
    return {name: (version, text) for name, (version, text) in found.items() if text is not None}


def every(folder: Path, name: str) -> Mapping[int, str]:
    """All versions of a name, the oldest first."""
    versions = sorted(version for known, version in _versions(folder) if known == name)
    return {version: text for version in versions if (text := _read(folder, name, version)) is not None}


def remove(folder: Path, name: str, up_to: int | None) -> int:
    """Remove versions; how many there were."""
    # The newest goes last: whoever looks meanwhile never takes an older one for it.
    wanted = sorted(version for known, version in _versions(folder) if known == name)
    old = [version for version in wanted if up_to is None or version <= up_to]
    for version in old:
        _path(folder, name, version).unlink(missing_ok=True)
    return len(old)


def _versions(folder: Path) -> list[tuple[str, int]]:
    try:
        files = [_FILE.fullmatch(entry.name) for entry in os.scandir(folder)]
    except FileNotFoundError:
        return []
    return [(found['name'], int(found['version'])) for found in files if found is not None]


def _read(folder: Path, name: str, version: int) -> str | None:
    try:
        return _path(folder, name, version).read_bytes().decode('ascii')
    except FileNotFoundError:
        return None


def _path(folder: Path, name: str, version: int) -> Path:
    return folder / f'{name}.{version}.function'
