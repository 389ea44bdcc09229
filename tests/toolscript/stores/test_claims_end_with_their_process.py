"""A claim is its process' own: what that forks neither keeps it alive nor ends it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.toolscript.lives import python
from toolscript.stores.file_lock import file_lock

pytestmark = pytest.mark.skipif(not hasattr(os, 'fork'), reason='there is no fork here')

HOLDER = """
import multiprocessing, os, sys, time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from toolscript.stores.file_lock import file_lock

with file_lock(Path(sys.argv[1])) as held:
    pool = ProcessPoolExecutor(3, mp_context=multiprocessing.get_context('fork'))
    workers = {pool.submit(os.getpid).result()}
    print(held, *workers, flush=True)
    time.sleep(600)
"""


def claimed(path: Path) -> bool:
    """Whether the claim can be had here and now."""
    with file_lock(path) as held:
        return held


def claimed_elsewhere(path: Path) -> bool:
    """Whether the claim can be had in another process."""
    code = (
        'import sys; from pathlib import Path; from toolscript.stores.file_lock import file_lock\n'
        'with file_lock(Path(sys.argv[1])) as held: print(held)'
    )
    return python('-c', code, path).stdout.strip() == 'True'


def _environment() -> dict[str, str]:
    return {**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], Path, list[int]]]:
    """A process that has the claim and whose pool has a forked worker."""
    path = tmp_path / 'claim'
    process = subprocess.Popen(
        [sys.executable, '-c', HOLDER, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env=_environment(),
        start_new_session=True,
    )
    assert process.stdout is not None
    held, *workers = process.stdout.readline().split()
    assert held == 'True'
    children = [int(worker) for worker in workers]
    yield process, path, children
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


def test_a_claim_ends_with_a_killed_process_though_its_forks_live(
    holder: tuple[subprocess.Popen[str], Path, list[int]],
) -> None:
    process, path, children = holder
    assert not claimed(path)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for child in children:
        os.kill(child, 0)
    assert claimed(path)


def test_a_fork_that_ends_takes_no_claim_with_it(tmp_path: Path) -> None:
    path = tmp_path / 'claim'
    with file_lock(path) as held:
        child = os.fork()
        if child == 0:
            # As if the child left its parent's stack, which is when a claim is given back.
            status = 3
            try:
                status = int(claimed(path))
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert (held, claimed_elsewhere(path)) == (True, False)
    assert claimed_elsewhere(path)


def test_a_process_does_not_get_what_it_has_already_by_any_name_of_it(tmp_path: Path) -> None:
    (tmp_path / 'folder').mkdir()
    (tmp_path / 'link').symlink_to(tmp_path / 'folder')
    with file_lock(tmp_path / 'folder' / 'claim') as held:
        assert (held, claimed(tmp_path / 'link' / 'claim'), claimed_elsewhere(tmp_path / 'folder' / 'claim')) == (
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


def test_where_there_is_no_fcntl_toolscript_is_imported_and_only_claims_on_files_say_so(tmp_path: Path) -> None:
    done = python('-c', WITHOUT, tmp_path)
    assert done.stderr == ''
    assert done.stdout == snapshot("""\
True
Locks on files need fcntl, which only POSIX systems have. Elsewhere, use MemoryStore in one process, or a store of your own with lock(key).
""")
