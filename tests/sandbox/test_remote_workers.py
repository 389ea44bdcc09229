"""Sessions on remote workers behave the same."""

from collections.abc import AsyncGenerator, Generator
from typing import Any

import pytest

from tests.corpus.table import TABLE, answer
from tests.sandbox.outcomes import completed, failed, suspended
from tests.sandbox.relay import Relay
from toolscript_sandbox import Call, Deferred, Sandbox, Unavailable


@pytest.fixture
def relay() -> Generator[Relay]:
    with Relay() as relay:
        yield relay


@pytest.fixture
async def sandbox(relay: Relay) -> AsyncGenerator[Sandbox]:
    async with Sandbox(url=relay.url) as sandbox:
        yield sandbox


async def test_a_snippet_runs_over_a_websocket(sandbox: Sandbox) -> None:
    async with sandbox.session() as session:
        await session.run('user = await get_user(1)', TABLE, answer)
        assert completed(await session.run("user['name']", TABLE, answer)).value == 'Ada Byron'


async def test_a_snippet_suspends_on_one_connection_and_continues_on_another(sandbox: Sandbox) -> None:
    async def ask(call: Call) -> Any:
        raise Deferred({'id': call.id})

    async with sandbox.session() as session:
        waits = suspended(await session.run("order = await get_order('o1')\norder['id']", TABLE, ask))
    async with sandbox.session() as session:
        assert completed(await session.resume(waits.state, TABLE, answer)).value == 'o1'


async def test_a_lost_connection_is_reported_as_an_outcome(relay: Relay, sandbox: Sandbox) -> None:
    async def cut(call: Call) -> Any:
        relay.drop()
        return await answer(call)

    async with sandbox.session() as session:
        outcome = failed(await session.run('await get_user(1)', TABLE, cut))
    assert (outcome.error.kind, outcome.session_lost) == ('crash', True)


async def test_an_unreachable_server_is_unavailable() -> None:
    async with Sandbox(url='ws://127.0.0.1:9') as sandbox, sandbox.session() as session:
        with pytest.raises(Unavailable):
            await session.run('1', TABLE, answer)


async def test_each_connection_sends_a_fresh_token(relay: Relay) -> None:
    numbers = iter(range(1, 10))

    def headers() -> dict[str, str]:
        return {'authorization': f'Bearer {next(numbers)}'}

    async with Sandbox(url=relay.url, headers=headers) as sandbox:
        for _ in range(2):
            async with sandbox.session() as session:
                assert completed(await session.run('1 + 1', TABLE, answer)).value == 2
    assert relay.tokens == ['Bearer 1', 'Bearer 2']


def test_headers_without_a_url_are_refused() -> None:
    with pytest.raises(ValueError, match='headers= needs url='):
        Sandbox(headers=dict)
