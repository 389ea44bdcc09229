"""HTTP clients that disconnect or stay silent: their scripts end, and others are served."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

import httpx2
import pytest

from tests.serve.shop import ACCEPT, Place, a_place, initialize, shop
from toolscript.serve.http import Access, Connection
from toolscript.serve.settings import ServeSettings


def a_shop(access: Access, connection: type[Connection] = Connection) -> AbstractAsyncContextManager[Place]:
    return a_place(access, lambda watch: ServeSettings().offered(shop(watch)), connection)


async def opened(http: httpx2.AsyncClient, url: str, **capabilities: object) -> httpx2.Response:
    """Open a session, as every client does."""
    answer = await http.post(url, json=initialize(**capabilities))
    if answer.status_code == 200:
        http.headers['Mcp-Session-Id'] = answer.headers['mcp-session-id']
        assert (await http.post(url, json=_said('notifications/initialized'))).status_code == 202
    return answer


def client(token: str | None = None) -> httpx2.AsyncClient:
    headers = {'Authorization': f'Bearer {token}'} if token else {}
    return httpx2.AsyncClient(headers=ACCEPT | headers, timeout=60)


def running(http: httpx2.AsyncClient, url: str, code: str) -> Any:
    params = {'name': 'run_code', 'arguments': {'code': code}}
    return http.stream('POST', url, json=_said('tools/call', id=2, params=params))


def _said(method: str, **more: Any) -> dict[str, Any]:
    return {'jsonrpc': '2.0', 'method': method, **more}


async def hang_up_in_the_middle_of_a_script(place: Place, clients: int) -> None:
    """Clients that all run a script, and then drop their connections."""
    async with AsyncExitStack() as stack:
        for _ in range(clients):
            http = await stack.enter_async_context(client())
            assert (await opened(http, place.url)).status_code == 200
            await stack.enter_async_context(running(http, place.url, 'kept = 1\nawait hold()'))
            await place.watch.holding.get()


async def is_served(place: Place) -> None:
    async with client() as http:
        assert (await opened(http, place.url)).status_code == 200
        async with running(http, place.url, 'await add(a=1, b=2)') as answer:
            assert '"text":"3"' in (await answer.aread()).decode()


@pytest.mark.parametrize('clients', [16, pytest.param(100, marks=pytest.mark.long)])
async def test_clients_that_disconnect_make_room_and_their_scripts_end(clients: int) -> None:
    async with a_shop(Access(port=0, grace_seconds=0.01)) as place:
        for first in range(0, clients, 16):
            some = min(16, clients - first)
            await hang_up_in_the_middle_of_a_script(place, some)
            for _ in range(some):
                await place.watch.abandon.get()
        await is_served(place)
        assert len(place.served.clients) <= 16


async def test_a_dropped_request_ends_its_script_and_keeps_the_session(place_of_one: Place) -> None:
    async with client() as http:
        await opened(http, place_of_one.url)
        async with running(http, place_of_one.url, 'await hold()'):
            await place_of_one.watch.holding.get()
        await place_of_one.watch.abandon.get()
        async with running(http, place_of_one.url, 'await add(a=1, b=2)') as answer:
            assert '"text":"3"' in (await answer.aread()).decode()


@pytest.fixture
async def place_of_one(anyio_backend: str) -> AsyncGenerator[Place]:
    async with a_shop(Access(port=0, most_clients=1, grace_seconds=0.01)) as place:
        yield place


async def test_a_disconnected_client_makes_room_even_during_the_grace_period_of_its_script() -> None:
    async with a_shop(Access(port=0, most_clients=1, grace_seconds=3_600)) as place:
        await hang_up_in_the_middle_of_a_script(place, 1)
        async with client() as http:
            while (await opened(http, place.url)).status_code == 503:
                pass
        await place.watch.abandon.get()
        await is_served(place)


async def test_an_unreadable_answer_denies_the_call_at_once(place_of_one: Place) -> None:
    async with client() as http:
        await opened(http, place_of_one.url, elicitation={})
        async with running(http, place_of_one.url, 'await refund(order=1)') as stream:
            lines = stream.aiter_lines()
            question = json.loads((await _line_with('elicitation/create', lines)).removeprefix('data: '))
            answer = await http.post(place_of_one.url, json={'jsonrpc': '2.0', 'id': question['id'], 'result': 'yes'})
            assert answer.status_code == 400
            line = await _line_with('was not approved', lines)
    assert 'refund was not approved: the answer of the client could not be read' in line
    assert place_of_one.watch.refunded == []


async def _line_with(words: str, lines: AsyncIterator[str]) -> str:
    async with asyncio.timeout(60):
        return await anext(line async for line in lines if words in line)


async def test_an_idle_session_makes_room_and_its_client_learns_that_it_ended(place_of_one: Place) -> None:
    async with client() as idle:
        await opened(idle, place_of_one.url)
        await is_served(place_of_one)
        answer = await idle.post(place_of_one.url, json=_said('tools/list', id=3))
        assert (answer.status_code, answer.json()['error']['message']) == (404, 'Session not found')


async def test_a_session_with_an_open_stream_is_not_idle(place_of_one: Place) -> None:
    async with client() as listener, client() as other:
        await opened(listener, place_of_one.url)
        async with listener.stream('GET', place_of_one.url) as stream:
            assert stream.status_code == 200
            assert (await opened(other, place_of_one.url)).status_code == 503
        async with running(listener, place_of_one.url, '1 + 1') as answer:
            assert '"text":"2"' in (await answer.aread()).decode()


async def test_a_token_has_its_share_of_sessions_and_no_access_to_others() -> None:
    access = Access(port=0, tokens=('one', 'two'), most_clients=2)
    async with a_shop(access) as place, client('one') as one, client('one') as more, client('two') as two:
        await opened(one, place.url)
        async with one.stream('GET', place.url):
            assert (await opened(more, place.url)).status_code == 503
            assert (await opened(two, place.url)).status_code == 200
            stolen = {'Mcp-Session-Id': one.headers['Mcp-Session-Id']}
            assert (await two.delete(place.url, headers=stolen)).status_code == 404


async def test_a_new_session_replaces_the_one_that_is_idle_for_longest() -> None:
    async with a_shop(Access(port=0, most_clients=2)) as place, client() as one, client() as two, client() as three:
        for each in (one, two, three):
            await opened(each, place.url)
        assert [(await each.delete(place.url)).status_code for each in (one, two, three)] == [404, 200, 200]


async def silent(stack: AsyncExitStack, url: str, sent: bytes = b'') -> asyncio.StreamReader:
    found = re.fullmatch(r'http://(.+):(\d+)/mcp', url)
    assert found is not None
    reader, writer = await asyncio.open_connection(found[1], int(found[2]))
    stack.callback(writer.close)
    writer.write(sent)
    return reader


class Patient(Connection):
    """Close silent connections only if there are too many."""

    request_seconds = 3_600


async def test_silent_connections_leave_room_for_an_ordinary_client() -> None:
    async with a_shop(Access(port=0), Patient) as place, AsyncExitStack() as stack:
        readers = [await silent(stack, place.url) for _ in range(500)]
        for reader in readers[: 500 - Connection.max_waiting]:
            assert await _is_closed(reader)
        await is_served(place)


class Impatient(Connection):
    request_seconds = 0.05


_HEAD = b'POST /mcp HTTP/1.1\r\nHost: localhost:1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n'


@pytest.mark.parametrize('sent', [b'', b'GET /mcp HT', _HEAD, _HEAD + b'{"half": '])
async def test_a_connection_that_does_not_finish_its_request_is_closed(sent: bytes) -> None:
    async with a_shop(Access(port=0), Impatient) as place, AsyncExitStack() as stack:
        assert await _is_closed(await silent(stack, place.url, sent))


async def test_a_connection_stays_while_its_request_is_answered() -> None:
    made = list[Connection]()

    class Noted(Patient):
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            made.append(self)

    async with a_shop(Access(port=0), Noted) as place, client() as http:
        await opened(http, place.url)
        async with running(http, place.url, 'await hold()') as answer, AsyncExitStack() as stack:
            await place.watch.holding.get()
            assert [connection.expires for connection in made] == [math.inf]
            Noted.request_seconds = 0.05
            # A later one was closed meanwhile.
            assert await _is_closed(await silent(stack, place.url))
            assert not answer.is_closed
            assert place.watch.abandon.empty()


async def _is_closed(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read() == b''
    except ConnectionResetError:
        return True
