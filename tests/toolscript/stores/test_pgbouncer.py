"""PgBouncer between processes and PostgreSQL, in each of its modes."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic_ai import UserError

from tests.ports import reserved_port
from tests.postgres_server import Server, postgres_server, programs
from tests.toolscript.approvals.conversation import KEY, conversation, desk
from tests.toolscript.scripted import run_code

pytest.importorskip('psycopg', reason='psycopg is not installed')

from toolscript.postgres import PostgresStore

PROGRAM = os.environ.get('PGBOUNCER') or shutil.which('pgbouncer', path=f'{os.environ.get("PATH", "")}:/usr/sbin')

pytestmark = [pytest.mark.long, pytest.mark.skipif(PROGRAM is None, reason='PgBouncer is not installed')]

SETTINGS = """
[databases]
postgres = host=127.0.0.1 port={port} dbname=postgres user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listens}
auth_type = any
pool_mode = {mode}
unix_socket_dir =
"""


@pytest.fixture(scope='module')
def server() -> Generator[Server]:
    """Start a server that the pooler can reach."""
    found = programs()
    if found is None:
        pytest.skip('there is no PostgreSQL')
    with reserved_port() as port, postgres_server(found, port=port) as server:
        yield server


@contextmanager
def pooler(server: Server, mode: str) -> Generator[str]:
    assert PROGRAM is not None
    nobody = 65534 if os.geteuid() == 0 else None
    with reserved_port() as listens, tempfile.NamedTemporaryFile('w', suffix='.ini') as settings:
        settings.write(SETTINGS.format(port=server.port, listens=listens, mode=mode))
        settings.flush()
        Path(settings.name).chmod(0o644)
        process = subprocess.Popen(
            [PROGRAM, '-q', settings.name], user=nobody, group=nobody, extra_groups=None if nobody is None else []
        )
        try:
            _wait_for(listens)
            yield f'postgresql://postgres@127.0.0.1:{listens}/postgres'
        finally:
            process.kill()
            process.wait()


def _wait_for(port: int) -> None:
    for _ in range(600):
        try:
            socket.create_connection(('127.0.0.1', port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f'PgBouncer does not accept connections at port {port}')


@pytest.mark.parametrize('mode', ['session', 'transaction'])
async def test_a_script_pauses_and_continues_through_a_pooler_with_a_direct_session_for_locks(
    server: Server, mode: str
) -> None:
    tools, log = desk()
    with pooler(server, mode) as url:
        async with PostgresStore(url, schema=f'by_{mode}') as store:
            with pytest.raises(UserError, match='There is a pooler between'):
                async with store.lock('key'):
                    pass
        async with PostgresStore(url, schema=f'by_{mode}', direct_url=server.url) as store:
            code = "for n in range(30):\n    await note(str(n))\nawait sign('it')"
            talk = conversation(tools, run_code(code), snapshots=replace(KEY, store=store))
            await talk.start()
            await talk.decide(sign=True)
    assert (talk.script.answers, log) == (['signed it'], [*(f'note {n}' for n in range(30)), 'sign it'])


async def test_a_pooler_that_changes_the_session_after_each_statement_is_refused(server: Server) -> None:
    with pooler(server, 'statement') as url:
        async with PostgresStore(url) as store:
            with pytest.raises(UserError, match='The pooler must be in session or transaction mode'):
                await store.migrate()
