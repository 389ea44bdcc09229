"""The tools of the shop: small, typed, and all working on the database."""

import sqlite3
from datetime import date
from functools import cache
from typing import Annotated, Literal, TypeVar

from pydantic import Field, TypeAdapter
from pydantic_ai import ModelRetry, RunContext

from demo import rows
from demo.database import Database
from demo.records import Customer, Order, OrderLine, OrderPage, Product, Refund, Region, Review, Shipment, Stars, Ticket
from toolscript import FunctionToolset

RegionName = Literal['north', 'south', 'east', 'west', 'islands']
PAGE_SIZE = 25
Shop = RunContext[Database]

shop = FunctionToolset[Database](id='shop')
"""All tools of the shop. `today` is only called directly; the others have no `allowed_callers`."""


@shop.tool_plain(allowed_callers='direct')
def today() -> date:
    """The day it is in the shop."""
    return rows.TODAY


@shop.tool
def list_regions(ctx: Shop) -> list[Region]:
    """List the regions the shop delivers to."""
    return _all(Region, ctx.deps.rows('SELECT * FROM regions'))


@shop.tool
def orders_placed(ctx: Shop, region: RegionName, since: date, until: date, page: int = 1) -> OrderPage:
    """List the orders that a region placed in a time, 25 to a page.

    Args:
        region: Where they are delivered to.
        since: The first day.
        until: The last day, included.
        page: Which page; the first is 1.
    """
    where = 'FROM orders WHERE region = ? AND placed BETWEEN ? AND ?'
    values = (region, since.isoformat(), until.isoformat())
    (count,) = ctx.deps.rows(f'SELECT count(*) {where}', *values)[0]
    found = ctx.deps.rows(f'SELECT * {where} ORDER BY id LIMIT ? OFFSET ?', *values, PAGE_SIZE, (page - 1) * PAGE_SIZE)
    return {'orders': _all(Order, found), 'pages': -(-count // PAGE_SIZE)}


@shop.tool
def order(ctx: Shop, order_id: int) -> Order:
    """Look up an order."""
    return _one(Order, ctx.deps.rows('SELECT * FROM orders WHERE id = ?', order_id), f'order {order_id}')


@shop.tool
def order_lines(ctx: Shop, order_id: int) -> list[OrderLine]:
    """List the products in an order."""
    found = ctx.deps.rows('SELECT product_id, quantity, price FROM lines WHERE order_id = ?', order_id)
    return _all(OrderLine, found)


@shop.tool
def orders_of(ctx: Shop, customer_id: int) -> list[Order]:
    """List all orders of a customer."""
    return _all(Order, ctx.deps.rows('SELECT * FROM orders WHERE customer_id = ? ORDER BY id', customer_id))


@shop.tool
def shipment_of(ctx: Shop, order_id: int) -> Shipment:
    """Track the parcel of an order: its carrier, the day promised, the day delivered, and how late it is."""
    query = """
        SELECT *, max(0, CAST(julianday(coalesce(delivered, ?)) - julianday(promised) AS INTEGER)) AS days_late
        FROM shipments WHERE order_id = ?
    """
    return _one(Shipment, ctx.deps.rows(query, rows.TODAY.isoformat(), order_id), f'shipment of order {order_id}')


@shop.tool
def customer(ctx: Shop, customer_id: int) -> Customer:
    """Look up a customer's name, address and note."""
    found = ctx.deps.rows('SELECT * FROM customers WHERE id = ?', customer_id)
    return _one(Customer, found, f'customer {customer_id}')


@shop.tool
def find_customers(ctx: Shop, name: str, region: RegionName | None = None) -> list[Customer]:
    """Find customers by a part of their name."""
    query = "SELECT * FROM customers WHERE name LIKE '%' || ? || '%' AND region = coalesce(?, region) LIMIT 50"
    return _all(Customer, ctx.deps.rows(query, name, region))


@shop.tool
def write_customer_note(ctx: Shop, customer_id: int, note: str) -> bool:
    """Replace the note on a customer; true if there is such a customer."""
    return ctx.deps.change('UPDATE customers SET note = ? WHERE id = ?', note, customer_id) == 1


@shop.tool
def product(ctx: Shop, product_id: int) -> Product:
    """Look up a product, its price and its stock."""
    return _one(Product, ctx.deps.rows('SELECT * FROM products WHERE id = ?', product_id), f'product {product_id}')


@shop.tool
def find_products(ctx: Shop, words: str, max_price: Annotated[float, Field(gt=0)] = 1000) -> list[Product]:
    """Find products by words in their name, cheapest first."""
    query = "SELECT * FROM products WHERE name LIKE '%' || ? || '%' AND price <= ? ORDER BY price"
    return _all(Product, ctx.deps.rows(query, words, max_price))


@shop.tool
def low_stock(ctx: Shop, fewer_than: int = 10) -> list[Product]:
    """List the products of which few are left."""
    return _all(Product, ctx.deps.rows('SELECT * FROM products WHERE stock < ? ORDER BY stock', fewer_than))


@shop.tool
def restock(ctx: Shop, product_id: int, quantity: Annotated[int, Field(gt=0)]) -> int:
    """Add to the stock of a product and say how many there are now."""
    ctx.deps.change('UPDATE products SET stock = stock + ? WHERE id = ?', quantity, product_id)
    found = ctx.deps.rows('SELECT * FROM products WHERE id = ?', product_id)
    return _one(Product, found, f'product {product_id}')['stock']


@shop.tool
def set_price(ctx: Shop, product_id: int, price: Annotated[float, Field(gt=0)]) -> bool:
    """Change the price of a product; true if there is such a product."""
    return ctx.deps.change('UPDATE products SET price = ? WHERE id = ?', price, product_id) == 1


@shop.tool
def tickets_of(ctx: Shop, customer_id: int) -> list[Ticket]:
    """List the complaints of a customer."""
    found = ctx.deps.rows('SELECT * FROM tickets WHERE customer_id = ? ORDER BY opened', customer_id)
    return _all(Ticket, found)


@shop.tool
def open_tickets(ctx: Shop, since: date) -> list[Ticket]:
    """List the complaints since a day that nobody has answered."""
    query = 'SELECT * FROM tickets WHERE NOT closed AND opened >= ? ORDER BY opened'
    return _all(Ticket, ctx.deps.rows(query, since.isoformat()))


@shop.tool
def close_ticket(ctx: Shop, ticket_id: int) -> bool:
    """Mark a complaint as answered; true if it was open."""
    return ctx.deps.change('UPDATE tickets SET closed = 1 WHERE id = ? AND NOT closed', ticket_id) == 1


@shop.tool
def refunds_of(ctx: Shop, order_id: int) -> list[Refund]:
    """List the money given back for an order."""
    return _all(Refund, ctx.deps.rows('SELECT * FROM refunds WHERE order_id = ?', order_id))


@shop.tool
def refund(ctx: Shop, order_id: int, amount: Annotated[float, Field(gt=0, le=200)], reason: str) -> bool:
    """Give money back for an order, at most 200."""
    statement = 'INSERT INTO refunds (order_id, amount, reason) VALUES (?, ?, ?)'
    return ctx.deps.change(statement, order_id, amount, reason) == 1


@shop.tool
def reviews_of(ctx: Shop, product_id: int) -> list[Review]:
    """List what customers wrote about a product."""
    return _all(Review, ctx.deps.rows('SELECT * FROM reviews WHERE product_id = ?', product_id))


@shop.tool
def stars_of(ctx: Shop, product_id: int) -> Stars:
    """Count the reviews of a product and average their stars."""
    query = 'SELECT count(*) AS reviews, round(avg(stars), 2) AS average FROM reviews WHERE product_id = ?'
    return _one(Stars, ctx.deps.rows(query, product_id), f'product {product_id}')


Record = TypeVar('Record')


def _all(kind: type[Record], found: list[sqlite3.Row]) -> list[Record]:
    return [_adapter(kind).validate_python(dict(row)) for row in found]


def _one(kind: type[Record], found: list[sqlite3.Row], what: str) -> Record:
    if not found:
        raise ModelRetry(f'There is no {what}.')
    return _all(kind, found)[0]


@cache
def _adapter(kind: type[Record]) -> TypeAdapter[Record]:
    return TypeAdapter(kind)
