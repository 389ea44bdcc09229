"""Two hosts, one PostgreSQL, kills and restarts at random: no call is lost, none runs twice, and nothing else is either."""

from __future__ import annotations

import asyncio
import os
import secrets
from pathlib import Path
from typing import Any

import pytest

from tests.postgres_server import Server

pytest.importorskip('psycopg', reason='psycopg is not installed')

from tests.toolscript.durability.storm_lab import CALLS, Storm, answers, ledger, weather
from toolscript import SavedFunctions
from toolscript.guards import is_object
from toolscript.postgres import PostgresStore

pytestmark = [
    pytest.mark.pydantic_ai,
    pytest.mark.skipif(not hasattr(os, 'fork'), reason='hosts are forks'),
    pytest.mark.timeout(900),
]

UNKNOWN = 'UnknownOutcome'


@pytest.mark.parametrize(
    ('storm', 'seed'),
    [
        pytest.param(Storm(chats=2, kills=1, restarts=1), 1, marks=pytest.mark.long),
        *(pytest.param(Storm(chats=24, kills=30, restarts=6), seed, marks=pytest.mark.long) for seed in range(3)),
    ],
)
def test_each_call_that_ended_ran_once_and_variables_and_functions_are_there(
    tmp_path: Path, postgres: Server, storm: Storm, seed: int
) -> None:
    schema = f'storm_{secrets.token_hex(6)}'
    weather(postgres, schema, tmp_path, storm, seed)
    counts, unknown = ledger(tmp_path), 0
    assert max(counts.values()) == 1
    for number, (begun, ended) in enumerate(answers(postgres, schema, storm.chats)):
        (first, kept), (again, more) = _result(begun), _result(ended)
        assert again == first
        values = [*first, *more]
        assert len(values) == CALLS
        for n, value in enumerate(values):
            if value == UNKNOWN:
                unknown += 1
            else:
                assert (value, counts[f'{number} {n}']) == (n * n, 1)
        versions = asyncio.run(_versions_kept(postgres, schema, number))
        assert kept in (True, UNKNOWN)
        assert versions == 1 if kept is True else versions in (0, 1)
    # Of each life, at most the calls that its chats had under way, and what was still to be written.
    assert unknown <= 8 * (storm.kills + storm.restarts)


def _result(answer: Any) -> Any:
    """What a script gave, where the model read more: a host that was overtaken keeps no variables, and says so."""
    return answer['result'] if is_object(answer) else answer


async def _versions_kept(server: Server, schema: str, number: int) -> int:
    async with PostgresStore(server.url, schema=schema) as store:
        return len(await SavedFunctions(store).versions('double', f'chat {number}'))
