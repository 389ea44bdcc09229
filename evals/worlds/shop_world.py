"""The demo's shop on SQLite."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic_ai.toolsets import AbstractToolset

from demo.database import Database, create
from demo.shop import shop


@dataclass(frozen=True)
class ShopWorld:
    database: Database

    @property
    def deps(self) -> object:
        return self.database

    @property
    def toolset(self) -> AbstractToolset[Any]:
        """Orders, customers, products, tickets and refunds, without the clock: prompts name the day."""
        return shop.filtered(lambda _, tool_def: tool_def.name != 'today')

    def one(self, query: str) -> Any:
        return self.database.rows(query)[0][0]

    @property
    def size(self) -> int:
        return len(shop.tools) - 1

    def snapshot(self) -> list[str]:
        rows = self.database.rows
        return [
            *(f'stock of product {number}: {stock}' for number, stock in rows('SELECT id, stock FROM products')),
            *(f'price of product {number}: {price}' for number, price in rows('SELECT id, price FROM products')),
            *(f'note on customer {number}: {note}' for number, note in rows('SELECT id, note FROM customers') if note),
            *(f'ticket {number} is closed' for number, closed in rows('SELECT id, closed FROM tickets') if closed),
            *(
                f'refund {number} of order {order}: {amount} for {reason!r}'
                for number, order, amount, reason in rows('SELECT * FROM refunds')
            ),
        ]


def open_shop(folder: Path) -> ShopWorld:
    file = folder / 'shop.db'
    file.write_bytes(_rows())
    return ShopWorld(Database(file))


@cache
def _rows() -> bytes:
    """Return a database with the shop's rows; creating them takes longer than writing the file."""
    with TemporaryDirectory(prefix='evals-') as folder:
        file = Path(folder, 'shop.db')
        create(file)
        return file.read_bytes()
