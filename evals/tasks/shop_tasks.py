"""Tasks in the shop."""

from collections.abc import Mapping
from typing import Any

from evals.tasks.task import Check, tasks_of
from evals.worlds.shop_world import ShopWorld


def _ticket_customers(shop: ShopWorld) -> list[str]:
    return shop.column(
        'SELECT DISTINCT name FROM tickets JOIN customers ON customers.id = customer_id'
        " WHERE NOT closed AND opened >= '2026-06-20'"
    )


def _late(shop: ShopWorld, region: str) -> str:
    return (
        'FROM orders JOIN shipments ON order_id = orders.id'
        f" WHERE orders.region = '{region}' AND placed BETWEEN '2026-06-06' AND '2026-06-14'"
        " AND coalesce(delivered, '2026-06-24') > promised"
    )


def _late_notes(shop: ShopWorld) -> list[int]:
    return shop.column(f'SELECT DISTINCT customer_id {_late(shop, "east")} ORDER BY 1')


CHECKS: dict[str, Check] = {
    'shop-stock': Check(lambda shop: shop.one('SELECT stock FROM products WHERE id = 12')),
    'shop-restock': Check(
        lambda shop: shop.one('SELECT stock + 15 FROM products WHERE id = 7'), lambda shop: _restocked(shop, {7: 15})
    ),
    'shop-order-customer': Check(
        lambda shop: shop.one(
            'SELECT email FROM orders JOIN customers ON customers.id = customer_id WHERE orders.id = 10050'
        )
    ),
    'shop-late-order-note': Check(
        lambda shop: 'late' if shop.one(_days_late(10801)) > 0 else 'fine',
        lambda shop: _noted(
            shop,
            {
                shop.one('SELECT customer_id FROM orders WHERE id = 10801'): (
                    'late' if shop.one(_days_late(10801)) > 0 else 'fine'
                )
            },
        ),
    ),
    'shop-ticket-names': Check(_ticket_customers),
    'shop-stars': Check(
        lambda shop: shop.mapping(
            'SELECT product_id AS product, round(avg(stars), 2) AS average FROM reviews WHERE product_id <= 20'
            ' GROUP BY product_id ORDER BY average DESC, product_id LIMIT 1'
        )
    ),
    'shop-late-total': Check(
        lambda shop: shop.mapping(f'SELECT count(*) AS orders, round(sum(total), 2) AS total {_late(shop, "east")}')
    ),
    'shop-month-revenue': Check(
        lambda shop: dict(
            shop.rows_of(
                "SELECT region, round(sum(total), 2) FROM orders WHERE placed BETWEEN '2026-05-01' AND '2026-05-31'"
                ' GROUP BY region'
            )
        )
    ),
    'shop-restock-low': Check(
        lambda shop: shop.column('SELECT id FROM products WHERE stock < 4'),
        lambda shop: _restocked(shop, dict(shop.rows_of('SELECT id, 20 - stock FROM products WHERE stock < 4'))),
    ),
    'shop-budget': Check(
        lambda shop: {'bought': len(_affordable(shop)), 'spent': sum(_affordable(shop).values())},
        lambda shop: _restocked(shop, dict.fromkeys(_affordable(shop), 1)),
    ),
    'shop-missing-orders': Check(
        lambda shop: shop.mapping(
            'SELECT count(*) AS found, round(sum(total), 2) AS total FROM orders WHERE id BETWEEN 9998 AND 10006'
        )
    ),
    'shop-late-notes': Check(_late_notes, lambda shop: _noted(shop, dict.fromkeys(_late_notes(shop), 'late parcel'))),
    'shop-refund-lines': Check(
        lambda shop: shop.mapping(
            'SELECT count(*) AS lines, (SELECT coalesce(sum(amount), 0) + 5 FROM refunds WHERE order_id = 10050)'
            ' AS refunded FROM lines WHERE order_id = 10050'
        ),
        lambda shop: {
            **shop.snapshot(),
            'refunds': [
                *shop.snapshot()['refunds'],
                [shop.one('SELECT max(id) + 1 FROM refunds'), 10050, 5.0, 'broken'],
            ],
        },
    ),
    'shop-reprice': Check(
        lambda shop: shop.one('SELECT price + 1 FROM products WHERE id = 9'),
        lambda shop: {**shop.snapshot(), 'prices': {**shop.snapshot()['prices'], 9: shop.snapshot()['prices'][9] + 1}},
    ),
    'shop-close-tickets': Check(
        lambda shop: _tickets(shop),
        lambda shop: {
            **_restocked(shop, {3: 1}),
            'closed tickets': sorted({*shop.snapshot()['closed tickets'], *_tickets(shop)}),
        },
    ),
    'shop-first-order': Check(
        lambda shop: shop.one('SELECT round(sum(total), 2) FROM orders WHERE customer_id = 12'),
        lambda shop: _noted(shop, {12: 'regular'}),
    ),
    'shop-bad-reviews': Check(lambda shop: shop.one('SELECT count(*) FROM reviews WHERE product_id = 5 AND stars < 3')),
}


def _tickets(shop: ShopWorld) -> list[int]:
    customer = "SELECT id FROM customers WHERE name LIKE '%Bela Lorenz%' LIMIT 1"
    return shop.column(f'SELECT id FROM tickets WHERE customer_id = ({customer}) ORDER BY opened')


def _days_late(order_id: int) -> str:
    return (
        "SELECT max(0, CAST(julianday(coalesce(delivered, '2026-06-24')) - julianday(promised) AS INTEGER))"
        f' FROM shipments WHERE order_id = {order_id}'
    )


def _affordable(shop: ShopWorld) -> dict[int, float]:
    bought: dict[int, float] = {}
    for number, price in shop.rows_of("SELECT id, price FROM products WHERE name LIKE '%oak%' ORDER BY price, id"):
        if sum(bought.values()) + price > 250:
            break
        bought[number] = price
    return bought


def _restocked(shop: ShopWorld, more: Mapping[int, int]) -> dict[str, Any]:
    before = shop.snapshot()
    return {**before, 'stock': {number: stock + more.get(number, 0) for number, stock in before['stock'].items()}}


def _noted(shop: ShopWorld, notes: Mapping[int, str]) -> dict[str, Any]:
    before = shop.snapshot()
    return {**before, 'notes': {**before['notes'], **notes}}


TASKS = tasks_of('shop', CHECKS)
