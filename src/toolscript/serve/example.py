"""A small shop on SQLite, to try code mode with nothing else installed."""

import sqlite3
from typing import Any

from typing_extensions import TypedDict

from toolscript.function_toolset import FunctionToolset


class Customer(TypedDict):
    """Somebody who buys."""

    id: int
    name: str
    city: str


class Order(TypedDict):
    """What somebody bought."""

    id: int
    customer_id: int
    product: str
    total: float
    refunded: bool


_SCHEMA = """
create table customers (id integer primary key, name text not null, city text not null);
create table orders (id integer primary key, customer_id integer not null, product text not null, total real not null,
    refunded integer not null default 0);
create table stock (product text primary key, pieces integer not null);
insert into customers values (1, 'Mira', 'Lisbon'), (2, 'Jonas', 'Graz'), (3, 'Ada', 'Lisbon'), (4, 'Tomas', 'Brno');
insert into orders (id, customer_id, product, total) values
    (10, 1, 'lamp', 48.0), (11, 1, 'desk', 210.0), (12, 2, 'lamp', 48.0), (13, 3, 'chair', 95.5),
    (14, 3, 'chair', 95.5), (15, 4, 'shelf', 130.0), (16, 2, 'desk', 210.0);
insert into stock values ('lamp', 12), ('desk', 3), ('chair', 40), ('shelf', 0);
"""
_READS = {'read_only': True}


def example() -> FunctionToolset[Any]:
    """Create a shop: customers and orders are shown, stock must be searched for, and a refund needs an approval."""
    shop = sqlite3.connect(':memory:', check_same_thread=False)
    shop.row_factory = sqlite3.Row
    shop.executescript(_SCHEMA)
    tools = FunctionToolset[Any](id='shop', sequential=True)

    @tools.tool_plain(metadata=_READS)
    async def list_customers(city: str | None = None) -> list[Customer]:
        """All customers, or those of a city."""
        rows = shop.execute('select * from customers where ? is null or city = ?', (city, city))
        return [Customer(id=row['id'], name=row['name'], city=row['city']) for row in rows]

    @tools.tool_plain(metadata=_READS)
    async def orders_of(customer_id: int) -> list[Order]:
        """All orders of a customer."""
        rows = shop.execute('select * from orders where customer_id = ?', (customer_id,))
        return [_order(row) for row in rows]

    @tools.tool_plain(allowed_callers='direct', metadata=_READS)
    async def shop_hours() -> str:
        """When the shop is open."""
        return 'Monday to Saturday, 9 to 17'

    @tools.tool_plain(defer_loading=True, metadata=_READS)
    async def stock_of(product: str) -> int:
        """How many pieces of a product are in stock."""
        row = shop.execute('select pieces from stock where product = ?', (product,)).fetchone()
        return 0 if row is None else row['pieces']

    @tools.tool_plain(defer_loading=True)
    async def add_stock(product: str, pieces: int) -> int:
        """Take pieces of a product into stock; how many there are then."""
        shop.execute(
            'insert into stock values (?, ?) on conflict do update set pieces = pieces + excluded.pieces',
            (product, pieces),
        )
        return shop.execute('select pieces from stock where product = ?', (product,)).fetchone()['pieces']

    @tools.tool_plain(requires_approval=True)
    async def refund_order(order_id: int) -> str:
        """Give the money for an order back."""
        done = shop.execute('update orders set refunded = 1 where id = ? and not refunded', (order_id,)).rowcount
        return f'order {order_id} refunded' if done else f'there is nothing to refund for order {order_id}'

    _ = list_customers, orders_of, shop_hours, stock_of, add_stock, refund_order
    return tools


def _order(row: sqlite3.Row) -> Order:
    return Order(
        id=row['id'],
        customer_id=row['customer_id'],
        product=row['product'],
        total=row['total'],
        refunded=bool(row['refunded']),
    )
