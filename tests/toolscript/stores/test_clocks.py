"""Machines whose clocks are an hour apart share scripts: expiry uses the clock of the database."""

import secrets
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import pytest
from pydantic_ai import ModelMessage, ModelResponse
from pydantic_ai.tools import DeferredToolResults

from tests.postgres_server import Server
from tests.toolscript.approvals.conversation import KEY, Conversation, at_desk
from tests.toolscript.sessions.chats import Chat, toolset
from toolscript import Sessions
from toolscript.durability.snapshots import SnapshotExpired

pytest.importorskip('psycopg', reason='psycopg is not installed')

from toolscript.postgres import PostgresStore

HALF_AN_HOUR = timedelta(minutes=30)
HOUR = 3600.0

StoreMaker: TypeAlias = Callable[..., PostgresStore]


@pytest.fixture
async def store_of_a_host(postgres: Server) -> AsyncGenerator[StoreMaker]:
    """Makes stores in one schema, each as another host's."""
    schema, made = f'test_{secrets.token_hex(6)}', list[PostgresStore]()

    def make(**options: Any) -> PostgresStore:
        made.append(PostgresStore(postgres.url, schema=schema, **options))
        return made[-1]

    yield make
    for store in made:
        store.close()


@contextmanager
def clock_moved(monkeypatch: pytest.MonkeyPatch, hours: float) -> Generator[None]:
    """Shift the clock of this machine."""
    real = time.time
    with monkeypatch.context() as patch:
        patch.setattr(time, 'time', lambda: real() + hours * HOUR)
        yield


@pytest.mark.parametrize('hours', [-1, 1])
async def test_a_script_that_may_wait_half_an_hour_continues_on_a_host_whose_clock_is_an_hour_off(
    store_of_a_host: StoreMaker, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    talk, log = at_desk("await sign('2')", store=store_of_a_host(), ttl=HALF_AN_HOUR)
    with clock_moved(monkeypatch, hours):
        await talk.start()
    talk.snapshots = replace(talk.snapshots, store=store_of_a_host())
    await talk.decide(sign=True)
    assert (talk.script.answers, log) == (['signed 2'], ['sign 2'])


async def test_an_expired_script_has_expired_on_a_host_whose_clock_is_an_hour_late(
    store_of_a_host: StoreMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk, log = at_desk("await sign('2')", store=store_of_a_host(), ttl=-HALF_AN_HOUR)
    await talk.start()
    talk.snapshots = replace(talk.snapshots, store=store_of_a_host())
    with clock_moved(monkeypatch, -1), pytest.raises(SnapshotExpired):
        await talk.decide(sign=True)
    assert log == []


@pytest.mark.parametrize('hours', [-1, 1])
async def test_variables_that_live_half_an_hour_persist_on_a_host_whose_clock_is_an_hour_off(
    store_of_a_host: StoreMaker, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    def chat() -> Chat:
        sessions = Sessions(store_of_a_host(), ttl=HALF_AN_HOUR)
        return Chat(toolset(sessions, snapshots=KEY))

    with clock_moved(monkeypatch, hours):
        here = chat()
        assert await here.turn('kept = 7') == [7]
    there = replace(chat(), history=here.history)
    assert await there.turn('kept') == [7]


def made_again(messages: list[ModelMessage], at: float) -> list[ModelMessage]:
    """Rebuild the history from what the browser sends, as a chat server does: without its metadata, at this moment."""
    moment = datetime.fromtimestamp(at, tz=UTC)
    return [
        ModelResponse(message.parts, timestamp=moment) if isinstance(message, ModelResponse) else message
        for message in messages
    ]


async def approve_by_id(talk: Conversation, history: list[ModelMessage]) -> object:
    """Answer like a button that knows only the id of the script's call."""
    approved = DeferredToolResults(approvals={talk.waiting[0].script_id or '': True})
    chat = talk.messages[0].conversation_id
    result = await talk.agent.run(message_history=history, deferred_tool_results=approved, conversation_id=chat)
    return result.output


@pytest.mark.parametrize('hours', [0, 1])
async def test_a_second_click_on_a_host_whose_clock_is_ahead_approves_nothing_newer(
    store_of_a_host: StoreMaker, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    talk, log = at_desk("await sign('2')\nawait sign('3')", store=store_of_a_host())
    await talk.start()
    with clock_moved(monkeypatch, hours):
        second_click = made_again(talk.messages, time.time())
    await approve_by_id(talk, made_again(talk.messages, time.time()))
    assert log == ['sign 2']
    with clock_moved(monkeypatch, hours):
        talk.snapshots = replace(KEY, store=store_of_a_host())
        await approve_by_id(talk, second_click)
        assert log == ['sign 2']
        await approve_by_id(talk, made_again(talk.messages, time.time()))
    assert log == ['sign 2', 'sign 3']


async def test_the_time_of_the_store_does_not_depend_on_the_clock_of_the_machine(
    store_of_a_host: StoreMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = time.time()
    with clock_moved(monkeypatch, 1):
        store = store_of_a_host()
        await store.migrate()
        first = store.now()
    assert before - 60 < first <= store.now() < time.time() + 60
