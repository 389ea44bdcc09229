"""Stores close what they open, leave no drafts, and flush what they promise."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from toolscript import DirectoryStore, SqliteStore

pytestmark = pytest.mark.anyio


async def test_an_sqlite_store_is_closed_by_its_with(tmp_path: Path) -> None:
    async with SqliteStore(tmp_path / 'state.db') as store:
        await store.save('key', 'text')
        assert (tmp_path / 'state.db-wal').exists()
    assert not (tmp_path / 'state.db-wal').exists()
    assert await store.load('key') == 'text'
    store.close()
    store.close()


def test_an_sqlite_store_that_is_not_closed_closes_itself(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / 'state.db')
    asyncio.run(store.save('key', 'text'))
    assert (tmp_path / 'state.db-wal').exists()
    del store
    # The thread that saved may hold it a little longer.
    patience = time.monotonic() + 120
    while (tmp_path / 'state.db-wal').exists() and time.monotonic() < patience:
        gc.collect()
        time.sleep(0.01)
    assert not (tmp_path / 'state.db-wal').exists()


@pytest.mark.skipif(not hasattr(os, 'fork'), reason='there is no fork here')
def test_a_fork_has_a_connection_of_its_own(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / 'state.db')
    asyncio.run(store.save('key', 'parent'))
    child = os.fork()
    if child == 0:
        status = 1
        try:
            store._save('key', 'child')  # pyright: ignore[reportPrivateUsage]
            store.close()
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert asyncio.run(store.load('key')) == 'child'
    asyncio.run(store.save('key', 'parent again'))
    assert asyncio.run(store.load('key')) == 'parent again'
    store.close()


def test_a_directory_store_removes_only_the_drafts_of_dead_processes(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, '-c', ''])
    dead.wait()
    first = DirectoryStore(tmp_path)
    asyncio.run(first.save('key', 'text'))
    (tmp_path / 'elsewhere.snapshot.another-host-1-1.draft').write_text('of another machine')
    host = _host_of_drafts(tmp_path)
    for owner in (dead.pid, os.getpid()):
        (tmp_path / f'key.snapshot.{host}-{owner}-0.draft').write_text('half')
    asyncio.run(DirectoryStore(tmp_path).save('key', 'new'))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ['key.snapshot', 'elsewhere.snapshot.another-host-1-1.draft', f'key.snapshot.{host}-{os.getpid()}-0.draft']
    )


def _host_of_drafts(folder: Path) -> str:
    from toolscript.stores.directory import write_whole

    names = list[str]()

    class Seen(type(folder)):
        def replace(self, target: object) -> Path:  # pyright: ignore[reportIncompatibleMethodOverride]
            names.append(self.name)
            return super().replace(target)  # pyright: ignore[reportArgumentType]

    write_whole(Seen(folder) / 'seen', b'')
    (folder / 'seen').unlink()
    return names[0].removeprefix('seen.').rsplit('-', 2)[0]


def test_a_write_that_fails_leaves_the_old_text_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = DirectoryStore(tmp_path)
    asyncio.run(store.save('key', 'old'))

    def full(descriptor: int) -> None:
        raise OSError(28, 'No space left on device')

    with monkeypatch.context() as patch:
        patch.setattr(os, 'fsync', full)
        with pytest.raises(OSError, match='No space left'):
            asyncio.run(store.save('key', 'new'))
    assert (asyncio.run(store.load('key')), [path.name for path in tmp_path.iterdir()]) == ('old', ['key.snapshot'])


async def test_a_directory_store_flushes_the_draft_before_it_takes_the_place_and_the_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / 'above' / 'scripts'
    flushed = list[tuple[str, bool]]()
    flush = os.fsync

    def seen(descriptor: int) -> None:
        name = Path(os.readlink(f'/proc/self/fd/{descriptor}')).name.partition('.snapshot.')[0]
        flushed.append((name, (folder / 'key.snapshot').exists()))
        flush(descriptor)

    monkeypatch.setattr(os, 'fsync', seen)
    await DirectoryStore(folder).save('key', 'text')
    assert flushed == [('above', False), (tmp_path.name, False), ('key', False), ('scripts', True)]
