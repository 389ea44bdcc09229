"""Whether a change of a file that was under way when a process died has come about.

Before each change, the script's state notes what was there. A restored script looks what is there now. If it is the
same as before, the change is made. If it is what the change makes of it, it is not made again. Otherwise the outcome
is unknown.
"""

from __future__ import annotations

import stat
from pathlib import PurePosixPath
from typing import Any, Literal, TypeAlias

from toolscript_sandbox.mounts.host_files import HostFiles

Seen: TypeAlias = list[list[Any]]
"""Of each path that the change is about, what is there: kind and size. JSON-able."""


def seen(files: HostFiles, name: str, args: tuple[Any, ...]) -> Seen:
    """What is there. Raises `OSError`."""
    paths = args[:2] if name == 'Path.rename' else args[:1]
    return [_at(files, PurePosixPath(path)) for path in paths]


def came_about(
    files: HostFiles, name: str, args: tuple[Any, ...], before: Seen
) -> Literal['not done', 'done', 'unknown']:
    """What became of the change. Raises `OSError`."""
    now = seen(files, name, args)
    if now == before:
        return 'not done'
    kinds = [kind for kind, _ in now]
    match name:
        case 'Path.mkdir' | 'touch':
            is_done = before[0][0] == 'nothing' and kinds == ['folder' if name == 'Path.mkdir' else 'file']
        case 'Path.unlink' | 'Path.rmdir':
            is_done = kinds == ['nothing']
        case 'Path.rename':
            is_done = kinds[0] == 'nothing' and now[1] == before[0]
        case _:
            is_done = _was_appended(files, args, before, now)
    return 'done' if is_done else 'unknown'


def result_of(name: str, args: tuple[Any, ...]) -> int | None:
    """What a change that has come about gives the script."""
    return len(args[1]) if name in ('Path.append_text', 'Path.append_bytes') else None


def _was_appended(files: HostFiles, args: tuple[Any, ...], before: Seen, now: Seen) -> bool:
    data = args[1].encode() if isinstance(args[1], str) else bytes(args[1])
    if now[0][0] != 'file' or now[0][1] != before[0][1] + len(data):
        return False
    return files.read(PurePosixPath(args[0])).endswith(data)


def _at(files: HostFiles, path: PurePosixPath) -> list[Any]:
    kind = files.kind(path)
    if kind != 'file':
        return [kind, 0]
    found = files.stat(path)
    return [kind, 0 if found is None or not stat.S_ISREG(found.st_mode) else found.st_size]
