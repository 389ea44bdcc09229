"""The demo's shop on SQLite."""

import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
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

    def one(self, query: str, *values: object) -> Any:
        return self.database.rows(query, *values)[0][0]

    def column(self, query: str, *values: object) -> list[Any]:
        return [row[0] for row in self.database.rows(query, *values)]

    def rows_of(self, query: str, *values: object) -> list[list[Any]]:
        return [list(row) for row in self.database.rows(query, *values)]

    def mapping(self, query: str, *values: object) -> dict[str, Any]:
        return dict(self.database.rows(query, *values)[0])

    @property
    def size(self) -> int:
        return len(shop.tools) - 1

    def snapshot(self) -> dict[str, Any]:
        return {
            'stock': dict(self.rows_of('SELECT id, stock FROM products')),
            'prices': dict(self.rows_of('SELECT id, price FROM products')),
            'notes': dict(self.rows_of('SELECT id, note FROM customers WHERE note IS NOT NULL')),
            'closed tickets': sorted(self.column('SELECT id FROM tickets WHERE closed')),
            'refunds': self.rows_of('SELECT * FROM refunds ORDER BY 1, 2, 3'),
        }


def open_shop(folder: Path) -> ShopWorld:
    return ShopWorld(Database(Path(shutil.copy(_template(), folder / 'shop.db'))))


@cache
def _template() -> Path:
    """Return a file with the shop's rows; creating them takes longer than copying the file."""
    file = Path(mkdtemp(prefix='evals-')) / 'shop.db'
    create(file)
    return file
