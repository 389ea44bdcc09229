"""Answers file operations of scripts from the folders of the session.

Before each change, the state of a script records what exists. A restored script compares. If everything is as before,
the change is made. If it is as the change would leave it, the change is not repeated. Otherwise the outcome is unknown.
"""

import asyncio
import codecs
import errno
import os
import stat
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePosixPath
from typing import Any, Literal, TypeAlias, TypeVar

from pydantic_monty import MontyFileHandle, StatResult
from pydantic_monty.os_access import ScanEntry

from toolscript_sandbox.mounts.host_files import HostFiles, Mode

from .answers import EXCEPTIONS
from .protocol import Raised, Returned

Seen: TypeAlias = list[list[Any]]
"""The kind and size of what exists at each path of a change. JSON-able."""


def seen(files: HostFiles, name: str, args: tuple[Any, ...]) -> Seen:
    """Return what exists. Raises `OSError`."""
    paths = args[:2] if name == 'Path.rename' else args[:1]
    return [_at(files, PurePosixPath(path)) for path in paths]


def outcome(files: HostFiles, name: str, args: tuple[Any, ...], before: Seen) -> Literal['not done', 'done', 'unknown']:
    """Return whether the change was made. Raises `OSError`."""
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


T = TypeVar('T')

FILE = '_file__'
"""The function that polyfills call for operations that Monty does not have."""


def is_of_files(name: str) -> bool:
    return name in _OPERATIONS


def changes_files(name: str, args: tuple[Any, ...]) -> bool:
    """Return whether the operation changes files, or may change them."""
    return name in _WRITES or (name == 'open' and _mode(args[1:]) != 'r')


def _may_be_repeated(name: str, args: tuple[Any, ...]) -> bool:
    """Return whether the operation is idempotent."""
    return name in _WHOLE or (name == 'open' and _mode(args[1:]) in ('w', 'a'))


async def file_answer(files: HostFiles, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Returned | Raised:
    """Carry out a file operation and return its answer. Never raises.

    It runs on a separate thread, which is abandoned if the disk does not respond.
    """
    try:
        path = _path(args[0])
        value = await _on_thread(files, lambda: _OPERATIONS[name](files, path, *args[1:], **kwargs))
    except TimeoutError:
        return _raised(TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT), str(args[0])), name)
    except (OSError, ValueError, LookupError) as error:
        return _raised(error, name)
    except _OF_ARGUMENTS as error:
        return Raised('TypeError', f'{name}: {type(error).__name__}')
    return Returned(value)


async def noted(files: HostFiles, name: str, args: tuple[Any, ...]) -> Seen | None:
    """Return what exists before a change; `None` if it does not matter or cannot be read."""
    if _may_be_repeated(name, args):
        return None
    try:
        return await _on_thread(files, lambda: seen(files, name, args))
    except (OSError, *_OF_ARGUMENTS):
        return None


async def answer_again(
    files: HostFiles, name: str, args: tuple[Any, ...], before: Seen | None
) -> Returned | Raised | None:
    """Return the answer for a change that may have been made before the process died; `None` if it must be made."""
    if _may_be_repeated(name, args):
        return None
    try:
        found = 'unknown' if before is None else await _on_thread(files, lambda: outcome(files, name, args, before))
    except (OSError, *_OF_ARGUMENTS):
        found = 'unknown'
    if found == 'unknown':
        return _unknown_outcome(name, args)
    return Returned(len(args[1]) if name in _APPENDS else None) if found == 'done' else None


async def _on_thread(files: HostFiles, work: Callable[[], T]) -> T:
    # Shielded, so that work that has begun is finished even if the script has ended.
    working = asyncio.get_running_loop().run_in_executor(_THREADS, work)
    return await asyncio.wait_for(asyncio.shield(working), files.limits.seconds)


def _unknown_outcome(name: str, args: tuple[Any, ...]) -> Raised:
    """Return the error for a change that may have been made just before the process died."""
    message = (
        f'UnknownOutcome: {name.removeprefix("Path.")} of {str(_path(args[0]))!r} was running when the script was '
        'interrupted, so its outcome is unknown. It was not repeated. Look at what is there first.'
    )
    return Raised('RuntimeError', message)


def _path(file: Any) -> PurePosixPath:
    return PurePosixPath(file.path if isinstance(file, MontyFileHandle) else file)


def _open(files: HostFiles, path: PurePosixPath, mode: str) -> MontyFileHandle:
    files.open(path, _mode([mode]))
    return MontyFileHandle(str(path), mode)


def _mode(modes: Sequence[Any]) -> Mode:
    for kind in ('w', 'a', 'x'):
        if kind in str(modes[:1]):
            return kind
    return 'r'


def _text(files: HostFiles, path: PurePosixPath, encoding: str, errors: str) -> str:
    text = files.read(path).decode(_known(encoding), errors)
    # Scripts cannot hold half of a surrogate pair. Such a text would leave the session without an answer.
    text.encode()
    return text


def _encoded(files: HostFiles, path: PurePosixPath, text: str, encoding: str, errors: str) -> None:
    files.write(path, text.encode(_known(encoding), errors))


def _tree(files: HostFiles, root: PurePosixPath, *, max_depth: int | None = None, **_: Any) -> list[ScanEntry]:
    found = files.tree(root, max_depth)
    return [ScanEntry(path, kind == 'folder', kind == 'file', kind == 'link') for path, kind in found]


def _stat(found: os.stat_result | None) -> StatResult:
    if found is None or stat.S_ISDIR(found.st_mode):
        return StatResult.dir_stat(0o755 if found is None else found.st_mode, 0.0 if found is None else found.st_mtime)
    # The owner and the location on the host's disks are hidden from scripts.
    return StatResult(
        found.st_mode, 0, 0, found.st_nlink, 0, 0, found.st_size, found.st_atime, found.st_mtime, found.st_ctime
    )


def _known(encoding: str) -> str:
    """Return the name of a text encoding that takes linear time. Raises `LookupError` for others."""
    name = codecs.lookup(encoding).name
    if name.startswith(_ENCODINGS):
        return name
    raise LookupError(f'unknown encoding: {encoding}')


def _raised(error: OSError | ValueError | LookupError, operation: str) -> Raised:
    if operation == 'Path.scan' and isinstance(error, OSError) and error.errno in (errno.E2BIG, errno.ETIMEDOUT):
        # For an `OSError`, Monty would show the script an empty folder.
        return Raised('RuntimeError', str(error))
    name = next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in EXCEPTIONS)
    return Raised(name, str(error))


_OF_PATH: dict[str, Callable[[HostFiles, PurePosixPath], Any]] = {
    'Path.exists': lambda files, path: files.kind(path) in ('file', 'folder', 'other'),
    'Path.is_file': lambda files, path: files.kind(path) == 'file',
    'Path.is_dir': lambda files, path: files.kind(path) == 'folder',
    'Path.is_symlink': lambda files, path: files.kind(path) == 'link',
    'Path.read_text': lambda files, path: files.read(path).decode(),
    'Path.iterdir': lambda files, path: [path / name for name in files.names(path)],
    'Path.stat': lambda files, path: _stat(files.stat(path)),
    # The path contains no links, so `..` is the previous folder.
    'Path.resolve': lambda files, path: os.path.normpath(PurePosixPath(files.cwd) / path),
    'Path.absolute': lambda files, path: str(PurePosixPath(files.cwd) / path),
}
_OPERATIONS: dict[str, Callable[..., Any]] = {
    **_OF_PATH,
    'open': _open,
    'text': _text,
    'write': _encoded,
    'touch': HostFiles.touch,
    'Path.scan': _tree,
    'Path.read_bytes': HostFiles.read,
    **dict.fromkeys(['Path.write_text', 'Path.write_bytes'], HostFiles.write),
    **dict.fromkeys(['Path.append_text', 'Path.append_bytes'], HostFiles.append),
    'Path.mkdir': HostFiles.mkdir,
    'Path.rename': HostFiles.rename,
    'Path.unlink': HostFiles.unlink,
    'Path.rmdir': HostFiles.rmdir,
}
_OF_ARGUMENTS = (TypeError, AttributeError, IndexError)
"""Errors of other arguments than polyfills send: a script may call the same function."""
_WHOLE = frozenset(['Path.write_text', 'Path.write_bytes', 'write'])
_APPENDS = frozenset(['Path.append_text', 'Path.append_bytes'])
_WRITES = _WHOLE | _APPENDS | {'touch', 'Path.mkdir', 'Path.unlink', 'Path.rmdir', 'Path.rename'}
_ENCODINGS = (
    *('ascii', 'big5', 'cp', 'euc', 'gb', 'hp-roman8', 'iso8859', 'johab', 'koi8', 'mac', 'ptcp', 'shift_jis', 'tis'),
    *('utf-8', 'utf-16', 'utf-32'),
)
_THREADS = ThreadPoolExecutor(8, thread_name_prefix='toolscript-files')
"""Separate from the event loop's threads, so that a disk that hangs delays only file operations."""
