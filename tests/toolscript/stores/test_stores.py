"""With a store, the state of scripts stays on the server and survives runs and processes."""

import asyncio
import gc
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelMessage, UserError
from pydantic_ai.tools import DeferredToolRequests

from tests.toolscript.approvals.conversation import KEY, Conversation, conversation
from tests.toolscript.approvals.conversation import desk as logged_tools
from tests.toolscript.every_store import StoreMaker
from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, DirectoryStore, MemoryStore, SnapshotStore, SqliteStore, pending_calls, resolve
from toolscript.durability.sealed_store import SealedStore, StoreWriter


class Desk:
    """Tools that log their calls, one of which needs approval."""

    def __init__(self) -> None:
        self.toolset, self.log = logged_tools()


@pytest.fixture
def desk() -> Desk:
    return Desk()


SIGNS = "a = await note('a')\nb = await sign(a)\nc = await note('c')\n[a, b, c]"


def stored(desk: Desk, store: SnapshotStore, *codes: str, **changes: Any) -> Conversation:
    return conversation(desk.toolset, *map(run_code, codes), snapshots=replace(KEY, store=store, **changes))


class FailsOnce(MemoryStore):
    fails = True

    async def save_all(self, texts: Mapping[str, str], /) -> None:
        if self.fails:
            self.fails = False
            raise ConnectionError
        self.texts.update(texts)

    async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
        return {key: self.texts[key] for key in keys if key in self.texts}


async def test_texts_that_a_store_could_not_save_are_saved_with_the_next_ones() -> None:
    store = FailsOnce()
    writer = StoreWriter(SealedStore(KEY, store))
    await writer.add('a', 'first')
    with pytest.raises(UserError, match='ConnectionError'):
        await writer.flush()
    await writer.put('b', 'second')
    assert store.texts == {'a': 'first', 'b': 'second'}


async def test_a_saved_text_is_loaded(make: StoreMaker, tmp_path: Path) -> None:
    store = make(tmp_path)
    assert await store.load('a.1') is None
    await store.save('a.1', 'first')
    await store.save('a.1', 'second')
    await store.save('a', 'other')
    assert (await store.load('a.1'), await store.load('a')) == ('second', 'other')


async def test_a_paused_script_continues_from_the_store(make: StoreMaker, tmp_path: Path, desk: Desk) -> None:
    talk = stored(desk, make(tmp_path), SIGNS)
    await talk.start()
    (metadata,) = talk.requests.metadata.values()
    assert len(metadata['toolscript_snapshot']) < 60
    await talk.decide(sign=True)
    assert (talk.script.answers, desk.log) == ([['a', 'signed a', 'c']], ['note a', 'sign a', 'note c'])


async def test_decisions_sent_twice_run_nothing_twice(desk: Desk) -> None:
    talk = stored(desk, MemoryStore(), SIGNS)
    (waiting,) = await talk.start()
    requests, history = talk.requests, talk.history
    await talk.decide(sign=True)
    talk.requests, talk.history = requests, history
    assert waiting == talk.waiting[0]
    await talk.decide(sign=True)
    assert (talk.script.answers, desk.log) == ([['a', 'signed a', 'c']] * 2, ['note a', 'sign a', 'note c'])


async def test_a_snapshot_that_is_not_in_the_store_is_refused(desk: Desk) -> None:
    talk = stored(desk, MemoryStore(), SIGNS)
    await talk.start()
    talk.snapshots = replace(KEY, store=MemoryStore())
    with pytest.raises(UserError) as error:
        await talk.decide(sign=True)
    assert str(error.value).replace(talk.requests.approvals[0].tool_call_id, 'ID') == snapshot(
        'The snapshot of run_code ID is not in the store (any more), so nothing was run. Every process needs Snapshots with the same store.'
    )
    assert desk.log == ['note a']


async def test_a_pause_whose_request_was_lost_is_requested_again(desk: Desk) -> None:
    talk = stored(desk, MemoryStore(), SIGNS)
    waiting = await talk.start()
    # The process died before the request was saved: only the history remains.
    result = await talk.agent.run(message_history=talk.messages)
    assert isinstance(result.output, DeferredToolRequests)
    talk.requests = result.output
    assert talk.waiting == waiting
    await talk.decide(sign=True)
    assert (talk.script.answers, desk.log) == ([['a', 'signed a', 'c']], ['note a', 'sign a', 'note c'])


async def test_after_an_interruption_failed_calls_have_failed_and_running_ones_are_unknown(desk: Desk) -> None:
    lingering = asyncio.Event()

    async def stumble() -> None:
        desk.log.append('stumble')
        raise KeyError('gone')

    async def linger(name: str) -> str:
        desk.log.append(f'linger {name}')
        await asyncio.sleep(0.01)
        lingering.set()
        await asyncio.sleep(3600)
        return name

    async def read() -> int:
        desk.log.append('read')
        if desk.log.count('read') == 1:
            await asyncio.sleep(3600)
        return 3

    desk.toolset.tool_plain(stumble)
    desk.toolset.tool_plain(linger)
    desk.toolset.tool_plain(metadata={'read_only': True})(read)
    code = """
import asyncio
async def reported(call):
    try:
        return await call
    except (KeyError, RuntimeError) as error:
        return type(error).__name__
await asyncio.gather(reported(stumble()), reported(linger('x')), reported(read()), reported(note('noted')))
"""
    talk = stored(desk, MemoryStore(), code)
    history: list[ModelMessage] = []

    async def first() -> None:
        async with talk.agent.iter('go') as run:
            async for _ in run:
                history[:] = run.all_messages()

    task = asyncio.create_task(first())
    await lingering.wait()
    task.cancel()
    await asyncio.wait([task])
    await talk.agent.run(message_history=history)
    assert talk.script.answers == [['KeyError', 'RuntimeError', 3, 'noted']]
    assert sorted(desk.log) == ['linger x', 'note noted', 'read', 'read', 'stumble']


async def test_a_model_that_restarts_its_call_ids_in_each_turn_gets_fresh_results(desk: Desk) -> None:
    again = replace(run_code("await note('a')"), tool_call_id='functions.run_code:0')
    script = Script([again, again, again])
    agent = Agent(
        script.model,
        deps_type=object,
        toolsets=[CodeModeToolset(desk.toolset, snapshots=replace(KEY, store=MemoryStore()))],
    )
    await agent.run('go')
    assert desk.log == ['note a', 'note a', 'note a']


async def test_a_history_without_its_conversation_needs_its_id(desk: Desk) -> None:
    talk = stored(desk, MemoryStore(), "import asyncio\nawait asyncio.gather(sign('a'), sign('b'))")
    first, _ = await talk.start()
    conversation_id = talk.messages[-1].conversation_id
    messages = json.loads(talk.history)
    for message in messages:
        message.pop('conversation_id')
    talk.history = json.dumps(messages).encode()
    results = resolve(talk.requests, {first.tool_call_id: True})
    with pytest.raises(UserError, match='another call or conversation'):
        await talk.resume(results)
    assert desk.log == []
    again = await talk.agent.run(
        message_history=talk.messages, deferred_tool_results=results, conversation_id=conversation_id
    )
    assert isinstance(again.output, DeferredToolRequests)
    assert [call.args for call in pending_calls(again.output)] == [{'what': 'b'}]
    assert desk.log == ['sign a']


async def test_old_texts_are_removed_on_demand(make: StoreMaker, tmp_path: Path) -> None:
    store, young = make(tmp_path, ttl=timedelta(hours=-2)), make(tmp_path)
    if isinstance(store, MemoryStore):
        return
    await store.save('key', 'text')
    await young.save('other', 'text')
    assert (young.forget_old(), await young.load('key')) == (0, 'text')
    assert (store.forget_old(), store.forget_old(), await store.load('key')) == (2, 0, None)


def test_an_sqlite_store_can_be_shared_and_closed(tmp_path: Path) -> None:
    one, other = SqliteStore(tmp_path / 'state.db'), SqliteStore(str(tmp_path / 'state.db'))
    asyncio.run(one.save('key', 'text'))
    assert asyncio.run(other.load('key')) == 'text'
    one.close()
    assert asyncio.run(one.load('key')) == 'text'
    one.close()
    other.close()
    connection = sqlite3.connect(tmp_path / 'state.db')
    assert connection.execute('select key, text from toolscript_snapshots').fetchall() == [('key', 'text')]
    with connection:
        connection.execute('update toolscript_snapshots set saved = 0')
    connection.close()
    # A text that is written again counts as new.
    asyncio.run(one.save('key', 'text'))
    assert one.forget_old() == 0
    one.close()


# -- stores close their files, leave no drafts, and flush as promised


async def test_an_sqlite_store_is_closed_by_its_with_statement(tmp_path: Path) -> None:
    folder = tmp_path / 'made with it'
    async with SqliteStore(folder / 'state.db') as store:
        await store.save('key', 'text')
        assert (folder / 'state.db-wal').exists()
    assert not (folder / 'state.db-wal').exists()
    assert await store.load('key') == 'text'
    store.close()
    store.close()


@pytest.mark.parametrize(('power_safe', 'synchronous'), [(True, 2), (False, 1)])
def test_only_a_power_safe_sqlite_store_waits_for_the_disk(
    power_safe: bool, synchronous: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[sqlite3.Connection]()

    def connect(*args: Any, **options: Any) -> sqlite3.Connection:
        opened.append(sqlite3.Connection(*args, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, 'connect', connect)
    store = SqliteStore(tmp_path / 'state.db', power_safe=power_safe)
    asyncio.run(store.save('key', 'text'))
    assert opened[0].execute('pragma synchronous').fetchall() == [(synchronous,)]
    store.close()


def test_an_sqlite_store_that_is_not_closed_closes_itself(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / 'state.db')
    asyncio.run(store.save('key', 'text'))
    assert (tmp_path / 'state.db-wal').exists()
    del store
    # The saving thread may hold it a little longer.
    patience = time.monotonic() + 120
    while (tmp_path / 'state.db-wal').exists() and time.monotonic() < patience:
        gc.collect()
        time.sleep(0.01)
    assert not (tmp_path / 'state.db-wal').exists()


@pytest.mark.skipif(not hasattr(os, 'fork'), reason='there is no fork here')
def test_a_fork_has_its_own_connection_and_waits_for_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saves, may_end = threading.Event(), threading.Event()

    class Slow(sqlite3.Connection):
        def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
            if 'slow' in values:
                saves.set()
                may_end.wait()
            return super().execute(sql, values)

    monkeypatch.setattr(sqlite3, 'connect', Slow)
    store = SqliteStore(tmp_path / 'state.db')
    with ThreadPoolExecutor() as pool:
        saving = pool.submit(asyncio.run, store.save('slow', 'text'))
        saves.wait()
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(60)
            status = 1
            try:
                asyncio.run(store.save('key', 'child'))
                store.close()
                status = 0
            finally:
                os._exit(status)
        status = os.waitpid(child, 0)[1]
        may_end.set()
    assert (status, saving.result()) == (0, None)
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
    asyncio.run(first.put_version('owner', 'f', 1, 'text'))
    folder = tmp_path / 'functions' / 'owner'
    (folder / f'f.2.function.{host}-{dead.pid}-0.draft').write_text('half')
    # As a file that another process has just removed.
    (tmp_path / 'gone.snapshot').symlink_to('nowhere')
    assert first.forget_old() == 0
    assert [path.name for path in folder.iterdir()] == ['f.1.function']


async def test_a_function_that_was_edited_in_its_file_hides_no_other(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    await store.put_version('a.1', 'top', 1, 'text')
    (tmp_path / 'functions' / 'a.1' / 'edited.1.function').write_bytes(b'caf\xc3\xa9 \xff')
    assert await store.newest_versions('a.1') == {'edited': (1, 'caf\xe9 \ufffd'), 'top': (1, 'text')}


def test_threads_may_share_a_store_in_memory() -> None:
    store = MemoryStore()

    async def save() -> None:
        for number in range(20_000):
            await store.put_version('owner', f'f{number}', 1, 'text')

    with ThreadPoolExecutor() as pool:
        saving = pool.submit(asyncio.run, save())
        while not saving.done():
            asyncio.run(store.newest_versions('owner'))


def _host_of_drafts(folder: Path) -> str:
    from toolscript.stores.directory import write_whole

    names = list[str]()

    class Seen(type(folder)):
        def replace(self, target: object) -> Path:
            names.append(self.name)
            return super().replace(target)  # pyright: ignore[reportArgumentType]

    write_whole(Seen(folder) / 'seen', b'')
    (folder / 'seen').unlink()
    return names[0].removeprefix('seen.').rsplit('-', 2)[0]


def test_a_failed_write_keeps_the_old_text_and_leaves_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = DirectoryStore(tmp_path)
    asyncio.run(store.save('key', 'old'))

    def full(descriptor: int) -> None:
        raise OSError(28, 'No space left on device')

    with monkeypatch.context() as patch:
        patch.setattr(os, 'fsync', full)
        with pytest.raises(OSError, match='No space left'):
            asyncio.run(store.save('key', 'new'))
    assert (asyncio.run(store.load('key')), [path.name for path in tmp_path.iterdir()]) == ('old', ['key.snapshot'])


async def test_a_directory_store_flushes_the_draft_before_the_rename_and_the_folder_after_it(
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
    # Only this user may look into it.
    assert folder.stat().st_mode & 0o077 == 0


# -- every store keeps versions of functions: complete, for one owner, until they are removed


async def test_the_newest_version_of_each_name_and_all_versions_of_one_are_found(
    make: StoreMaker, tmp_path: Path
) -> None:
    store = make(tmp_path)
    assert await store.newest_versions('a.1') == {}
    for name, version, text in (('top', 1, 'one'), ('top', 2, 'two'), ('total', 1, 'sum')):
        assert await store.put_version('a.1', name, version, text)
    assert await store.newest_versions('a.1') == {'top': (2, 'two'), 'total': (1, 'sum')}
    assert await store.newest_versions('a.1', ['top', 'none']) == {'top': (2, 'two')}
    assert list((await store.all_versions('a.1', 'top')).items()) == [(1, 'one'), (2, 'two')]
    assert await store.all_versions('a.1', 'none') == {}


async def test_owners_are_isolated(make: StoreMaker, tmp_path: Path) -> None:
    store = make(tmp_path)
    await store.put_version('a.1', 'top', 1, 'of a')
    assert await store.newest_versions('a.2') == {}
    assert await store.all_versions('a.2', 'top') == {}
    assert await store.remove_versions('a.2', 'top') == 0
    assert await store.newest_versions('a.1') == {'top': (1, 'of a')}


async def test_a_version_is_written_once_although_many_write_it_at_the_same_time(
    make: StoreMaker, tmp_path: Path
) -> None:
    store = make(tmp_path)
    put = await asyncio.gather(*(store.put_version('a.1', 'top', 1, f'text {n}') for n in range(20)))
    assert put.count(True) == 1
    assert await store.newest_versions('a.1') == {'top': (1, f'text {put.index(True)}')}


async def test_old_versions_or_all_of_them_can_be_removed(make: StoreMaker, tmp_path: Path) -> None:
    store = make(tmp_path)
    for version in range(1, 13):
        await store.put_version('a.1', 'top', version, str(version))
    assert await store.remove_versions('a.1', 'top', 9) == 9
    assert list(await store.all_versions('a.1', 'top')) == [10, 11, 12]
    assert await store.remove_versions('a.1', 'top') == 3
    assert await store.newest_versions('a.1') == {}
    assert await store.put_version('a.1', 'top', 1, 'new')


async def test_functions_exist_in_another_process_and_are_not_removed_with_old_scripts(tmp_path: Path) -> None:
    for make in (
        lambda: DirectoryStore(tmp_path / 'files', ttl=timedelta()),
        lambda: SqliteStore(tmp_path / 'file.db', ttl=timedelta()),
    ):
        first = make()
        await first.put_version('a.1', 'top', 1, 'kept')
        await first.save('script.1', 'old')
        assert first.forget_old() == 1
        assert await make().newest_versions('a.1') == {'top': (1, 'kept')}
