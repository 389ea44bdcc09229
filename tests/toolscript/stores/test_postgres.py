"""Promises of a store in PostgreSQL beyond those of all stores: processes, restarts, broken networks, poolers."""

import asyncio
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
from inline_snapshot import snapshot
from pydantic_ai import ModelMessage, UserError

from tests.postgres_server import Server
from tests.toolscript.approvals.conversation import KEY, conversation, interrupted
from tests.toolscript.lives import forks
from tests.toolscript.scripted import run_code
from tests.toolscript.stores.wire import Wire
from toolscript import FunctionToolset, ScriptLocked
from toolscript.durability import sealed_store
from toolscript.stores.store import LockLost

pytest.importorskip('psycopg', reason='psycopg is not installed')

from toolscript.postgres import PostgresStore

PATIENT = timedelta(seconds=300)
"""Enough time for a server to return."""


def rows(server: Server, query: str) -> list[Any]:
    """Query the database as its owner."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        cursor = connection.execute(query.encode())
        while cursor.nextset():
            pass
        return cursor.fetchall()


def toolset(log: list[int], *during: Callable[[int], Any]) -> FunctionToolset[object]:
    """A tool that logs its calls, and then runs another function."""

    async def note(n: int) -> int:
        log.append(n)
        for what in during:
            await what(n)
        return n * n

    return FunctionToolset[object]([note])


TEN = 'done = []\nfor n in range(10):\n    done.append(await note(n))\ndone'
SQUARES = [n * n for n in range(10)]


# -- migrations


async def test_many_simultaneous_starts_create_the_tables_once(postgres: Server, schema: str) -> None:
    stores = [PostgresStore(postgres.url, schema=schema) for _ in range(8)]
    await asyncio.gather(*(store.save(f'key.{n}', str(n)) for n, store in enumerate(stores)))
    assert len(await stores[0].load_all([f'key.{n}' for n in range(8)])) == 8
    assert rows(postgres, f'select number from {schema}.steps') == [(1,)]
    for store in stores:
        store.close()


async def test_tables_of_a_newer_version_are_refused(postgres: Server, schema: str) -> None:
    async with PostgresStore(postgres.url, schema=schema) as store:
        await store.save('key', 'text')
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f'insert into {schema}.steps values (99)'.encode())
    with pytest.raises(UserError) as error:
        await store.load('key')
    assert str(error.value).replace(schema, 'toolscript') == snapshot(
        "The tables in schema toolscript are of a newer toolscript: they took 99 steps, this version knows 1. Update toolscript in this process, or give it a schema of its own: PostgresStore(url, schema='...')."
    )


async def test_a_role_that_may_only_read_and_write_rows_suffices_once_the_tables_exist(
    postgres: Server, schema: str
) -> None:
    async with PostgresStore(postgres.url, schema=schema) as owner:
        await owner.migrate()
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(
            f"""
            create role {schema} login; grant usage on schema {schema} to {schema};
            grant select, insert, update, delete on all tables in schema {schema} to {schema};
            """.encode()
        )
    async with PostgresStore(postgres.url.replace('postgres@', f'{schema}@'), schema=schema) as store:
        async with store.lock('key') as held:
            await store.save('key', 'text')
            assert (held, await store.load('key')) == (True, 'text')
        assert store.forget_old() == 0


async def test_a_role_that_may_not_create_tables_is_refused_with_advice(postgres: Server, schema: str) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f'create role {schema} login'.encode())
    async with PostgresStore(postgres.url.replace('postgres@', f'{schema}@'), schema=schema) as store:
        with pytest.raises(UserError) as error:
            await store.save('key', 'text')
    assert str(error.value).replace(schema, 'toolscript') == snapshot(
        """\
This role may not make the tables of PostgresStore in schema toolscript: permission denied for database postgres. In your deployment, run await PostgresStore(url, schema='toolscript').migrate() with a role that may, once for each version. This role then needs: grant usage on schema, and select, insert, update and delete on all tables in it.\
"""
    )


async def test_an_unreachable_database_is_reported_with_the_reason(postgres: Server, schema: str) -> None:
    url = postgres.url.replace('postgres@', 'nobody@')
    async with PostgresStore(url, schema=schema, timeout=timedelta(seconds=0.3)) as store:
        with pytest.raises(psycopg.OperationalError, match='role "nobody" does not exist'):
            await store.load('key')


def take_writes(server: Server, *, writes: bool) -> None:
    """Set whether the server is read-only from now on; all sessions end."""
    with psycopg.connect(server.url, autocommit=True, options='-c default_transaction_read_only=off') as owner:
        change = 'reset default_transaction_read_only' if writes else 'set default_transaction_read_only = on'
        owner.execute(f'alter database postgres {change}'.encode())
        others = "pid <> pg_backend_pid() and backend_type = 'client backend'"
        owner.execute(f'select pg_terminate_backend(pid) from pg_stat_activity where {others}'.encode())


async def test_a_write_waits_during_a_failover(postgres: Server, schema: str) -> None:
    async with PostgresStore(postgres.url, schema=schema, timeout=PATIENT) as store:
        await store.save('key', 'before')
        take_writes(postgres, writes=False)
        try:
            saving = asyncio.create_task(store.save('key', 'after'))
            await asyncio.sleep(0.1)
            assert not saving.done()
        finally:
            take_writes(postgres, writes=True)
        await saving
        assert await store.load('key') == 'after'


@contextmanager
def replica_of(server: Server) -> Generator[Server]:
    """A hot standby of the server, which answers reads."""
    with TemporaryDirectory(prefix='pg-') as folder:
        replica = server.copy(Path(folder))
        try:
            yield replica
        finally:
            replica.stop(hard=True)


@pytest.mark.parametrize('tables', [pytest.param(True, id='with tables'), pytest.param(False, id='without')])
async def test_a_read_only_server_is_refused_with_advice(postgres: Server, schema: str, tables: bool) -> None:
    if tables:
        await PostgresStore(postgres.url, schema=schema).migrate()
    url = f'{postgres.url}&options=-c%20default_transaction_read_only%3Don'
    with pytest.raises(UserError, match=r'is read-only.*add target_session_attrs=read-write'):
        await PostgresStore(url, schema=schema).load('key')


@pytest.mark.long
async def test_a_replica_is_refused_until_it_is_promoted(postgres: Server, schema: str) -> None:
    await PostgresStore(postgres.url, schema=schema).migrate()
    with replica_of(postgres) as replica:
        async with PostgresStore(replica.url, schema=schema) as store:
            with pytest.raises(UserError, match='is read-only: it is a replica'):
                await store.load('key')
            rows(replica, 'select pg_promote()')
            await store.save('key', 'text')
            assert await store.load('key') == 'text'


# -- locks


async def claim(url: str, schema: str, sends: Connection) -> None:
    """Lock a key, and fork."""
    async with PostgresStore(url, schema=schema).lock('key') as held:
        if os.fork():
            sends.send(held)
        time.sleep(3600)  # noqa: ASYNC251


def claiming(*arguments: Any) -> None:
    os.setsid()
    asyncio.run(claim(*arguments))


async def test_a_lock_ends_with_its_process_although_forks_live(postgres: Server, schema: str) -> None:
    store, (receives, sends) = PostgresStore(postgres.url, schema=schema), multiprocessing.Pipe(duplex=False)
    process = forks().Process(target=claiming, args=(postgres.url, schema, sends))
    process.start()
    assert process.pid is not None
    try:
        assert receives.recv()
        async with store.lock('key') as held:
            assert not held
        process.kill()
        process.join()
        await until_claimed(store, 'key')
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        store.close()


async def until(fulfilled: Callable[[], bool]) -> None:
    """Return when something has happened."""
    for _ in range(3_000):
        if fulfilled():
            return
        await asyncio.sleep(0.02)
    raise AssertionError('what is waited for does not happen')


async def until_claimed(store: PostgresStore, key: str) -> None:
    """Return when the key could be locked: PostgreSQL notices a death a moment later."""
    for _ in range(3_000):
        async with store.lock(key) as held:
            if held:
                return
        await asyncio.sleep(0.02)
    raise AssertionError(f'the claim of {key} is not given back')


@pytest.fixture
async def there(postgres: Server, schema: str) -> AsyncGenerator[PostgresStore]:
    """Another host with its own route."""
    async with PostgresStore(postgres.url, schema=schema) as store:
        await store.migrate()
        yield store


async def test_a_disconnected_process_whose_lock_was_taken_makes_no_further_call(
    wire: Wire, schema: str, there: PostgresStore
) -> None:
    log, history = list[int](), list[ModelMessage]()
    here = PostgresStore(wire.url, schema=schema)

    async def overtaken(n: int) -> None:
        if n != 3 or log.count(3) > 1:
            return
        (key,) = here._locks.held  # pyright: ignore[reportPrivateUsage]
        with wire.gone():
            await until_claimed(there, key)

    talk = conversation(toolset(log, overtaken), run_code(TEN), snapshots=replace(KEY, store=here))
    history, error = await interrupted(talk)
    assert isinstance(error, ScriptLocked)
    assert str(error) == snapshot(
        'Another process took over this script while this one had lost its store, so the script was stopped here. If the other process dies, run the agent again with the same history and decisions.'
    )
    assert log == [0, 1, 2, 3]
    talk.snapshots = replace(KEY, store=there)
    await talk.agent.run(message_history=history)
    assert 'UnknownOutcome: note' in talk.script.answers[0]
    assert log == [0, 1, 2, 3]
    here.close()


@pytest.fixture
def many_files() -> Generator[None]:
    """More files are open than `select` can watch."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4_096)), hard))
    files = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
    yield
    for file in files:
        os.close(file)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures('many_files')
async def test_a_lock_survives_a_broken_connection_unless_another_process_takes_it(
    wire: Wire, schema: str, there: PostgresStore
) -> None:
    async with PostgresStore(wire.url, schema=schema) as here, here.lock('key') as held:
        wire.cut()
        await here.save('key', 'text')
        async with there.lock('key') as other:
            assert (held, other) == (True, False)
        await here.save('key.1', 'text')
    async with there.lock('key') as held:
        assert held


async def test_a_new_session_waits_for_a_lock_that_the_broken_one_still_holds(
    wire: Wire, postgres: Server, schema: str, there: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = psycopg.connect(postgres.url, autocommit=True)

    def end_broken(_: float) -> None:
        broken.close()

    monkeypatch.setattr(time, 'sleep', end_broken)
    async with PostgresStore(wire.url, schema=schema) as here, here.lock('key'):
        wire.cut()
        broken.execute(f"select pg_advisory_lock(hashtextextended('{schema} key', 0))".encode())
        await here.save('key', 'text')
        assert broken.closed
        async with there.lock('key') as other:
            assert not other


async def test_a_lock_that_could_not_be_released_is_released_with_the_next_statement(
    postgres: Server, wire: Wire, schema: str, there: PostgresStore
) -> None:
    here = PostgresStore(wire.url, schema=schema, direct_url=postgres.url)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(here.lock('key'))
        here.timeout = timedelta(seconds=0.2)
        with wire.gone():
            await stack.aclose()
    here.timeout = PATIENT
    await here.load('key')
    async with there.lock('key') as held:
        assert held
    here.close()


async def test_a_lock_whose_request_was_cancelled_can_be_taken_again(
    postgres: Server, schema: str, there: PostgresStore
) -> None:
    here = PostgresStore(postgres.url, schema=schema)
    async with here.lock('another'):
        with psycopg.connect(postgres.url) as busy:
            busy.execute(f'lock table {schema}.locks in exclusive mode'.encode())
            asking = asyncio.create_task(until_claimed(here, 'key'))
            await until(lambda: rows(postgres, WAITING.format(schema=schema)) == [(1,)])
            asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await until_claimed(here, 'key')
        await until_claimed(there, 'key')
    here.close()


async def test_a_lock_whose_request_was_cancelled_while_it_connected_is_free(
    wire: Wire, schema: str, there: PostgresStore
) -> None:
    async with PostgresStore(wire.url, schema=schema) as here:
        with wire.stalled():
            asking = asyncio.create_task(until_claimed(here, 'key'))
            await asyncio.sleep(0.1)
            asking.cancel()
            await asyncio.wait([asking])
        # Its thread continues; this waits for it.
        await until_claimed(here, 'another')
        async with there.lock('key') as held:
            assert held


async def test_a_lock_is_released_even_if_the_release_is_cancelled(schema: str, there: PostgresStore) -> None:
    here, ends = replace(there), asyncio.Event()

    async def hold() -> None:
        async with here.lock('key'):
            ends.set()

    holding = asyncio.create_task(hold())
    await ends.wait()
    holding.cancel()
    await asyncio.wait([holding])
    assert holding.cancelled()
    await until_claimed(there, 'key')
    await until_claimed(here, 'key')
    here.close()


async def test_a_cancelled_write_that_waits_blocks_no_other_beyond_the_timeout(
    postgres: Server, schema: str, there: PostgresStore
) -> None:
    with psycopg.connect(postgres.url) as busy:
        busy.execute(f'lock table {schema}.texts in exclusive mode'.encode())
        there.timeout = timedelta(seconds=0.2)
        saving = asyncio.create_task(there.save('key', 'text'))
        await until(lambda: rows(postgres, WAITING.format(schema=schema)) == [(1,)])
        saving.cancel()
        async with asyncio.timeout(30):
            with pytest.raises(psycopg.OperationalError):
                await there.save('key', 'text')


WAITING = "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and query like '%%{schema}%%'"


# -- poolers


async def test_locks_through_a_pooler_are_refused_and_possible_with_a_direct_address(
    postgres: Server, schema: str
) -> None:
    with Wire(postgres.folder / '.s.PGSQL.5432', pooler=True) as pooler:
        async with PostgresStore(pooler.url, schema=schema) as store:
            await store.save('key', 'text')
            with pytest.raises(UserError) as error:
                async with store.lock('key'):
                    pass
        assert str(error.value) == snapshot(
            'There is a pooler between this process and PostgreSQL. It may give the session that holds a lock to another process. Pass the address of PostgreSQL itself for this one session: PostgresStore(url, direct_url=...). Everything else may use the pooler.'
        )
        async with (
            PostgresStore(pooler.url, schema=schema, direct_url=postgres.url) as store,
            PostgresStore(postgres.url, schema=schema) as other,
            store.lock('key') as held,
            other.lock('key') as again,
        ):
            assert (held, again) == (True, False)


# -- a server that goes away


@asynccontextmanager
async def stopped(server: Server, *, hard: bool) -> AsyncGenerator[None]:
    """Do something while the server is down."""
    await asyncio.to_thread(server.stop, hard=hard)
    yield
    await asyncio.to_thread(server.start)


async def crash(server: Server) -> None:
    async with stopped(server, hard=True):
        pass


@pytest.mark.parametrize(
    'hard', [pytest.param(False, marks=pytest.mark.long, id='stopped'), pytest.param(True, id='crashed')]
)
async def test_a_script_waits_for_a_server_that_restarts(postgres: Server, schema: str, hard: bool) -> None:
    log, restarts = list[int](), list[asyncio.Task[None]]()

    async def restart() -> None:
        async with stopped(postgres, hard=hard):
            await asyncio.sleep(0.2)

    async def at_the_fourth(n: int) -> None:
        if n == 3:
            restarts.append(asyncio.create_task(restart()))
            await asyncio.sleep(0.05)

    async with PostgresStore(postgres.url, schema=schema, timeout=PATIENT) as store:
        talk = conversation(toolset(log, at_the_fourth), run_code(TEN), snapshots=replace(KEY, store=store))
        await talk.start()
        assert (talk.script.answers, log) == ([SQUARES], list(range(10)))
        await restarts[0]


@pytest.mark.parametrize('hard', [pytest.param(False, id='stopped'), pytest.param(True, id='crashed')])
async def test_a_script_whose_server_stays_down_is_stopped_and_continues_later(
    postgres: Server, schema: str, hard: bool
) -> None:
    log = list[int]()
    away = stopped(postgres, hard=hard)

    async def leave(n: int) -> None:
        if n == 3:
            await away.__aenter__()
            store.timeout = timedelta(seconds=0.2)

    store = PostgresStore(postgres.url, schema=schema, timeout=PATIENT)
    talk = conversation(toolset(log, leave), run_code(TEN), snapshots=replace(KEY, store=store))
    history, error = await interrupted(talk)
    await away.__aexit__(None, None, None)
    assert str(error).startswith('PostgresStore could not save the state of a script: ')
    assert 'When the store works, run the agent again with the same history' in str(error)
    assert log == [0, 1, 2, 3]
    store.timeout = PATIENT
    await talk.agent.run(message_history=history)
    # The outcome of the fourth call could not be written.
    assert 'UnknownOutcome: note' in talk.script.answers[0]
    assert log == [0, 1, 2, 3]
    store.close()


async def test_writes_lost_by_a_server_without_synchronous_commit_are_not_ours_to_prevent(
    postgres: Server, schema: str
) -> None:
    assert rows(postgres, 'show synchronous_commit') == [('off',)]
    here, there = (PostgresStore(postgres.url, schema=schema, timeout=PATIENT) for _ in range(2))
    async with here.lock('key') as held:
        assert held
    await crash(postgres)
    async with there.lock('key') as held:
        assert held
    await here.save('text', 'kept')
    await crash(postgres)
    assert await there.load('text') == 'kept'
    await here.put_version('owner', 'name', 1, 'kept')
    await crash(postgres)
    assert await there.all_versions('owner', 'name') == {1: 'kept'}
    assert await here.remove_versions('owner', 'name') == 1
    await crash(postgres)
    assert await there.all_versions('owner', 'name') == {}
    here.close()
    there.close()


# -- round trips


LOOP = 'done = []\nfor n in range(30):\n    done.append(await note(n))\nlen(done)'
GATHERED = 'import asyncio\nlen(await asyncio.gather(*[note(n) for n in range(30)]))'


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed_store, '_SOON', 3600)


@pytest.mark.parametrize('code', [LOOP, GATHERED], ids=['one after the other', 'gathered'])
async def test_thirty_quick_calls_take_at_most_one_and_a_half_round_trips_each(
    wire: Wire, schema: str, code: str, quick: None
) -> None:
    async with PostgresStore(wire.url, schema=schema) as store:
        async with store.lock('warm'):
            await store.save('warm', 'text')
        talk = conversation(toolset([]), run_code(code), snapshots=replace(KEY, store=store))
        before = wire.round_trips
        await talk.start()
        assert talk.script.answers == [30]
        assert (took := wire.round_trips - before) <= 45, took


async def test_the_result_of_a_slow_call_is_saved_although_no_other_call_follows(postgres: Server, schema: str) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def first(n: int) -> int:
        await begun.wait()
        return n

    async def endless() -> None:
        await ended.wait()

    async with PostgresStore(postgres.url, schema=schema) as store:
        code = 'import asyncio\nawait asyncio.gather(first(7), endless())'
        talk = conversation(
            FunctionToolset[object]([first, endless]), run_code(code), snapshots=replace(KEY, store=store)
        )
        await store.migrate()
        run = asyncio.create_task(talk.start())
        written = f"select xmin::text from {schema}.texts where key like '%.1'"
        await until(lambda: rows(postgres, written) != [])
        began = rows(postgres, written)
        begun.set()
        await until(lambda: rows(postgres, written) != began)
        assert not run.done()
        ended.set()
        await run


# -- clocks, age, and what can be read


async def test_old_texts_are_found_by_an_index(postgres: Server, schema: str) -> None:
    async with PostgresStore(postgres.url, schema=schema) as store:
        await store.migrate()
        plan = rows(
            postgres,
            f"""
            set enable_seqscan = off;
            explain delete from {schema}.texts where saved < date_trunc('hour', now() - interval '1 day')
            """,
        )
    assert any('texts_by_age' in line for (line,) in plan)


# -- networks that stall, without an error


@pytest.mark.long
async def test_a_script_on_a_stalled_network_is_stopped_and_continues_when_it_recovers(
    wire: Wire, schema: str, there: PostgresStore
) -> None:
    log = list[int]()

    async def stall(n: int) -> None:
        if n == 3 and log.count(3) == 1:
            stalls.enter_context(wire.stalled())

    async with PostgresStore(wire.url, schema=schema, timeout=timedelta(seconds=0.5)) as here:
        talk = conversation(toolset(log, stall), run_code(TEN), snapshots=replace(KEY, store=here))
        with ExitStack() as stalls:
            history, error = await interrupted(talk)
        assert 'When the store works, run the agent again' in str(error)
        here.timeout = timedelta(seconds=20)
        await talk.agent.run(message_history=history)
    # The outcome of the fourth call was in transit: it has arrived, or it is unknown.
    unknown = 'UnknownOutcome: note' in talk.script.answers[0]
    assert unknown or talk.script.answers == [SQUARES]
    assert log == [0, 1, 2, 3] if unknown else log == list(range(10))


async def test_a_broken_session_that_the_server_still_holds_cannot_write_later(
    postgres: Server, wire: Wire, schema: str, there: PostgresStore
) -> None:
    async with PostgresStore(wire.url, schema=schema) as here, here.lock('key'):
        await here.save('key', 'first')
        before = token(postgres, schema)
        wire.half_cut()
        async with there.lock('key') as held:
            assert not held
        await here.save('key', 'second')
        # Writes of the old session have the old token, which they check.
        assert token(postgres, schema) != before
        async with there.lock('key') as held:
            assert not held
        assert await there.load('key') == 'second'


async def test_a_write_with_an_outdated_token_saves_nothing(
    postgres: Server, schema: str, there: PostgresStore
) -> None:
    async with there.lock('key'):
        await there.save('key', 'first')
        with psycopg.connect(postgres.url, autocommit=True) as another:
            another.execute(f'update {schema}.locks set token = token + 1'.encode())
        with pytest.raises(LockLost):
            await there.save_all({'key.1': 'late', 'key.2': 'late'})
        assert await there.load_all(['key', 'key.1', 'key.2']) == {'key': 'first'}


def token(server: Server, schema: str) -> int:
    with psycopg.connect(server.url, autocommit=True) as connection:
        ((token,),) = connection.execute(f'select token from {schema}.locks'.encode()).fetchall()
        return token
