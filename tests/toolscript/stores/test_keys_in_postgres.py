"""Scripts that wait in PostgreSQL while keys change, and rows that somebody with access to the tables has changed."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator
from dataclasses import replace

import psycopg
import pytest
from pydantic_ai import UserError

from tests.postgres_server import Server
from tests.toolscript.approvals.conversation import KEY, Conversation, conversation
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, Snapshots

pytest.importorskip('psycopg_pool', reason='psycopg_pool is not installed')
pytest.importorskip('cryptography', reason='cryptography is not installed')

from toolscript.postgres import PostgresStore

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

ENCRYPTED = replace(KEY, encryption_key='the first key to encrypt with')


@pytest.fixture
async def store(postgres: Server) -> AsyncGenerator[PostgresStore]:
    """One in a schema of its own."""
    async with PostgresStore(postgres.url, schema=f'test_{secrets.token_hex(6)}') as store:
        yield store


async def paused(snapshots: Snapshots, name: str = 'Ada') -> tuple[Conversation, list[str]]:
    """A script that has made a call and waits for an approval, and what was done."""
    log = list[str]()
    tools = FunctionToolset[object]()

    @tools.tool_plain
    def login(name: str) -> str:
        log.append(f'login {name}')
        return name

    @tools.tool_plain(requires_approval=True)
    def deliver(name: str) -> str:
        log.append(f'deliver {name}')
        return name

    assert callable(login)
    assert callable(deliver)
    talk = conversation(tools, run_code(f'await deliver(await login({name!r}))'), snapshots=snapshots)
    await talk.start()
    return talk, log


@pytest.mark.parametrize(
    ('old', 'new'),
    [
        pytest.param(KEY, Snapshots(key='a new key to sign with'), id='signed'),
        pytest.param(ENCRYPTED, Snapshots(key='a new key', encryption_key='a new key to encrypt with'), id='encrypted'),
    ],
)
async def test_a_script_that_waited_while_its_key_changed_goes_on_with_the_old_one_among_the_old_keys(
    store: PostgresStore, old: Snapshots, new: Snapshots
) -> None:
    talk, log = await paused(replace(old, store=store))
    talk.snapshots = replace(new, store=store)
    with pytest.raises(UserError, match='signed with another key'):
        await talk.decide(deliver=True)
    assert log == ['login Ada']
    secrets_until_now = [secret for secret in (old.key, old.encryption_key) if secret is not None]
    talk.snapshots = replace(new, store=store, old_keys=secrets_until_now)
    await talk.decide(deliver=True)
    assert log == ['login Ada', 'deliver Ada']


CHANGED = """
update {schema}.texts set text = overlay(
    text placing case substr(text, length(text) - 8, 1) when 'A' then 'B' else 'A' end from length(text) - 8
)
"""
SWAPPED = """
update {schema}.texts as one set text = other.text from {schema}.texts as other
where split_part(one.key, '.', 1) <> split_part(other.key, '.', 1)
and substr(one.key, strpos(one.key || '.', '.')) = substr(other.key, strpos(other.key || '.', '.'))
"""


@pytest.mark.parametrize('snapshots', [pytest.param(KEY, id='signed'), pytest.param(ENCRYPTED, id='encrypted')])
@pytest.mark.parametrize('deed', [pytest.param(CHANGED, id='changed'), pytest.param(SWAPPED, id='swapped')])
async def test_rows_that_were_changed_or_swapped_between_chats_are_refused_with_what_to_look_at(
    postgres: Server, store: PostgresStore, snapshots: Snapshots, deed: str
) -> None:
    chats = [await paused(replace(snapshots, store=store), name) for name in ('Ada', 'Bob')]
    with psycopg.connect(postgres.url, autocommit=True) as somebody:
        somebody.execute(deed.format(schema=store.schema).encode())
    for talk, log in chats:
        done = list(log)
        with pytest.raises(UserError, match=r'changed, belongs to another call or conversation.*Nothing was run\.'):
            await talk.decide(deliver=True)
        assert log == done
