"""A lock belongs to its process: forks neither keep it nor release it."""

import fcntl
import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.toolscript.lives import forks, in_a_fork, python
from toolscript.stores.file_lock import file_lock

pytestmark = pytest.mark.skipif(not hasattr(os, 'fork'), reason='there is no fork here')


def claimed(path: Path) -> bool:
    """Return whether this process can take the lock."""
    with file_lock(path) as held:
        return held


def hold(path: Path, sends: Connection) -> None:
    """Take the lock, and fork a worker."""
    os.setsid()
    with file_lock(path) as held:
        pool = ProcessPoolExecutor(3, mp_context=multiprocessing.get_context('fork'))
        sends.send((held, pool.submit(os.getpid).result()))
        time.sleep(600)


def test_a_lock_ends_with_its_killed_process_although_forks_live(tmp_path: Path) -> None:
    path, (receives, sends) = tmp_path / 'claim', multiprocessing.Pipe(duplex=False)
    process = forks().Process(target=hold, args=(path, sends))
    process.start()
    assert process.pid is not None
    try:
        held, worker = receives.recv()
        assert (held, claimed(path)) == (True, False)
        process.kill()
        process.join()
        os.kill(worker, 0)
        assert claimed(path)
    finally:
        os.killpg(process.pid, signal.SIGKILL)


def test_a_fork_that_ends_releases_no_lock_of_its_parent(tmp_path: Path) -> None:
    path = tmp_path / 'claim'
    with file_lock(path) as held:
        child = os.fork()
        if child == 0:
            # As if the child left its parent's stack, where a lock is released.
            status = 3
            try:
                status = int(claimed(path))
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert (held, in_a_fork(claimed, path)) == (True, False)
    assert in_a_fork(claimed, path)


def test_a_process_does_not_lock_twice_by_another_name(tmp_path: Path) -> None:
    (tmp_path / 'folder').mkdir()
    (tmp_path / 'link').symlink_to(tmp_path / 'folder')
    with file_lock(tmp_path / 'folder' / 'claim') as held:
        assert (held, claimed(tmp_path / 'link' / 'claim'), in_a_fork(claimed, tmp_path / 'folder' / 'claim')) == (
            True,
            False,
            False,
        )
    assert claimed(tmp_path / 'link' / 'claim')


WITHOUT = """
import sys
sys.modules['fcntl'] = None
import asyncio, toolscript
from pathlib import Path
from pydantic_ai import UserError
async def lock(store):
    async with store.lock('key') as held:
        return held
print(asyncio.run(lock(toolscript.MemoryStore())))
try:
    asyncio.run(lock(toolscript.DirectoryStore(Path(sys.argv[1]))))
except UserError as error:
    print(error)
"""


def test_without_fcntl_toolscript_can_be_imported_and_only_file_locks_raise(tmp_path: Path) -> None:
    done = python('-c', WITHOUT, tmp_path)
    assert done.stderr == ''
    assert done.stdout == snapshot("""\
True
Locks on files need fcntl, which only POSIX systems have. Elsewhere, use MemoryStore in one process, or a store of your own with lock(key).
""")


def test_a_file_that_its_last_holder_removed_after_it_was_opened_here_is_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, lockf = tmp_path / 'claim', fcntl.lockf

    def late(descriptor: int, *how: int) -> None:
        path.unlink()
        lockf(descriptor, *how)

    monkeypatch.setattr(fcntl, 'lockf', late)
    assert not claimed(path)
    monkeypatch.undo()
    assert claimed(path)
