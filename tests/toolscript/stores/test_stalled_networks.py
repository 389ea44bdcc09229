"""A way to PostgreSQL on which nothing comes through, and no error either, ends what waits for it, and writes nothing late."""

from collections.abc import AsyncGenerator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from tests.postgres_server import Server
from tests.toolscript.approvals.conversation import KEY, conversation, interrupted
from tests.toolscript.scripted import run_code
from tests.toolscript.stores.wire import Wire
from toolscript import FunctionToolset
from toolscript.stores.store import LockLost

pytest.importorskip('psycopg', reason='psycopg is not installed')

from toolscript.postgres import PostgresStore

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

TEN = 'done = []\nfor n in range(10):\n    done.append(await note(n))\ndone'


@pytest.fixture
async def there(postgres: Server, schema: str) -> AsyncGenerator[PostgresStore]:
    """Another host, which has a way of its own."""
    async with PostgresStore(postgres.url, schema=schema) as store:
        await store.migrate()
        yield store


@pytest.mark.long
async def test_a_script_on_a_stalled_network_is_stopped_and_continues_when_it_flows(
    wire: Wire, schema: str, there: PostgresStore
) -> None:
    log = list[int]()

    async def note(n: int) -> int:
        log.append(n)
        if n == 3 and log.count(3) == 1:
            stalls.enter_context(wire.stalled())
        return n * n

    async with PostgresStore(wire.url, schema=schema, timeout=timedelta(seconds=0.5)) as here:
        snapshots = replace(KEY, store=here)
        talk = conversation(FunctionToolset[object]([note]), run_code(TEN), snapshots=snapshots)
        with ExitStack() as stalls:
            history, error = await interrupted(talk)
        assert 'When the store works, run the agent again' in str(error)
        here.timeout = timedelta(seconds=20)
        await talk.agent.run(message_history=history)
    # How the fourth call ended was on its way: it has come through after all, or nobody knows.
    unknown = 'UnknownOutcome: note' in talk.script.answers[0]
    assert unknown or talk.script.answers == [[n * n for n in range(10)]]
    assert log == [0, 1, 2, 3] if unknown else log == list(range(10))


async def test_a_session_that_broke_unnoticed_by_the_server_can_write_nothing_late(
    postgres: Server, wire: Wire, schema: str, there: PostgresStore
) -> None:
    async with PostgresStore(wire.url, schema=schema) as here, here.lock('key'):
        await here.save('key', 'first')
        before = token(postgres, schema)
        wire.half_cut()
        async with there.lock('key') as held:
            assert not held
        await here.save('key', 'second')
        # What the old session was sent has the old token, and writes check it.
        assert token(postgres, schema) != before
        async with there.lock('key') as held:
            assert not held
        assert await there.load('key') == 'second'


async def test_a_write_with_a_token_that_is_not_the_newest_saves_nothing(
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
