"""The shop's tools do on the database what they say."""

from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent

from demo import database, job
from demo.database import Database
from demo.rows import all_rows
from demo.scripted import Call, Seen, Work, scripted
from demo.shop import shop

pytestmark = pytest.mark.anyio


@pytest.fixture
def shop_database(tmp_path: Path) -> Database:
    return database.create(tmp_path / 'shop.db')


def test_the_rows_are_the_same_every_time() -> None:
    assert all_rows() == all_rows()
    assert {table: len(rows) for table, rows in all_rows().items()} == snapshot(
        {
            'regions': 5,
            'customers': 300,
            'products': 80,
            'orders': 1500,
            'lines': 3755,
            'shipments': 1500,
            'tickets': 200,
            'refunds': 60,
            'reviews': 600,
        }
    )


def test_the_answer_to_the_job_stays_what_it_is(shop_database: Database) -> None:
    assert [fact.text for fact in job.facts(shop_database)] == snapshot(
        ['east', '16,430.25', 'Leon Krause', 'Carla Krause', 'Kaja Adler', 'Hugo', 'Lindholm']
    )


async def test_what_tools_change_stays_changed(shop_database: Database) -> None:
    await _ask(shop_database, Call('write_customer_note', {'customer_id': 3, 'note': 'rings twice'}))
    assert await _ask(shop_database, Call('customer', {'customer_id': 3})) == snapshot(
        [
            {
                'id': 3,
                'name': 'Bela Cordes',
                'email': 'bela.cordes.3@mail.example',
                'region': 'west',
                'note': 'rings twice',
            }
        ]
    )


async def _ask(shop_database: Database, *calls: Call) -> list[Any]:
    """What the tools return for these calls, made one after the other."""
    results: list[Any] = []

    def one_by_one(seen: Seen) -> Work:
        for call in calls:
            seen = yield [call]
            results.extend(seen.results)
        return 'done'

    await Agent(scripted(one_by_one), toolsets=[shop], deps_type=Database).run('Continue.', deps=shop_database)
    return results
