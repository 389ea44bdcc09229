"""The data: orders in a SQLite database, campaigns and returns in CSV files."""

import csv
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

_CAMPAIGNS = [
    ('Spring letter', 'mail', 420),
    ('Spring search', 'search', 900),
    ('Summer letter', 'mail', 380),
    ('Summer film', 'video', 1500),
    ('Summer search', 'search', 1100),
]
"""The name, the channel and the cost in euros of each campaign."""
_BROUGHT = (0, 1, 4, 2, 4, 1, 3, 0, 4, 2, 5, 5)
"""The campaigns that brought the orders, in a repeating cycle; 5 means none."""


def write(folder: Path) -> None:
    """Write `shop.db` and the folder `data` with the CSV files into a folder."""
    with closing(sqlite3.connect(folder / 'shop.db')) as connection, connection:
        connection.execute('CREATE TABLE orders (id INTEGER PRIMARY KEY, campaign TEXT, total REAL NOT NULL)')
        connection.executemany('INSERT INTO orders VALUES (?, ?, ?)', [_order(number) for number in range(1, 601)])
    data = folder / 'data'
    data.mkdir()
    _write(data / 'campaigns.csv', ('campaign', 'channel', 'cost'), _CAMPAIGNS)
    # Few of the orders brought by letters are returned.
    returned = [number for number in range(1, 601) if number % 5 == 0 and _BROUGHT[number % 12] not in (0, 2)]
    _write(data / 'returns.csv', ('order_id', 'refunded'), ((number, _order(number)[2]) for number in returned))


def _order(number: int) -> tuple[int, str | None, float]:
    campaign = _BROUGHT[number % 12]
    name = _CAMPAIGNS[campaign][0] if campaign < len(_CAMPAIGNS) else None
    return number, name, 8 + number * 37 % 23 + number % 4 * 0.25


def _write(file: Path, head: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    with file.open('w', newline='') as opened:
        csv.writer(opened).writerows([head, *rows])
