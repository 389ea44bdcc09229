"""Tasks in the shop."""

from collections.abc import Mapping
from typing import Any

from evals.tasks.task import Task
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


TASKS = [
    Task(
        name='shop-stock',
        kind='one call',
        world='shop',
        ask='How many of product 12 are in stock? Answer with the number.',
        plan="""\
found = await product(product_id=12)
found['stock']
""",
        answer=lambda shop: shop.one('SELECT stock FROM products WHERE id = 12'),
    ),
    Task(
        name='shop-restock',
        kind='one call',
        world='shop',
        ask='Add 15 to the stock of product 7. Answer with the new stock, a number.',
        plan='await restock(product_id=7, quantity=15)\n',
        answer=lambda shop: shop.one('SELECT stock + 15 FROM products WHERE id = 7'),
        leaves=lambda shop: _restocked(shop, {7: 15}),
    ),
    Task(
        name='shop-order-customer',
        kind='chain',
        world='shop',
        ask='What is the email address of the customer who placed order 10050? Answer with a JSON string.',
        plan="""\
found = await order(order_id=10050)
buyer = await customer(customer_id=found['customer_id'])
buyer['email']
""",
        answer=lambda shop: shop.one(
            'SELECT email FROM orders JOIN customers ON customers.id = customer_id WHERE orders.id = 10050'
        ),
    ),
    Task(
        name='shop-late-order-note',
        kind='chain',
        world='shop',
        ask=(
            "Put the note 'late' on the customer of order 10801 if its parcel is at least one day late, and 'fine'"
            ' if not. Answer with the note, a JSON string.'
        ),
        plan="""\
found = await order(order_id=10801)
parcel = await shipment_of(order_id=found['id'])
note = 'late' if parcel['days_late'] >= 1 else 'fine'
await write_customer_note(customer_id=found['customer_id'], note=note)
note
""",
        answer=lambda shop: 'late' if shop.one(_days_late(10801)) > 0 else 'fine',
        leaves=lambda shop: _noted(
            shop,
            {
                shop.one('SELECT customer_id FROM orders WHERE id = 10801'): (
                    'late' if shop.one(_days_late(10801)) > 0 else 'fine'
                )
            },
        ),
    ),
    Task(
        name='shop-ticket-names',
        kind='fan-out',
        world='shop',
        ask=(
            'Who has a complaint open since 2026-06-20 or later? Answer with a JSON list of the names of the customers,'
            ' each once.'
        ),
        plan="""\
import asyncio
tickets = await open_tickets(since='2026-06-20')
ids = sorted({ticket['customer_id'] for ticket in tickets})
customers = await asyncio.gather(*[customer(customer_id=number) for number in ids])
sorted({found['name'] for found in customers})
""",
        answer=_ticket_customers,
    ),
    Task(
        name='shop-stars',
        kind='fan-out',
        world='shop',
        ask=(
            'Which of the products 1 to 20 has the best average of stars, and what is it? If several are equally good,'
            ' take the lowest number. Answer with JSON: {"product": number, "average": number}.'
        ),
        plan="""\
import asyncio
numbers = list(range(1, 21))
stars = await asyncio.gather(*[stars_of(product_id=number) for number in numbers])
best_number, best_average = 0, 0.0
for number, found in zip(numbers, stars):
    average = found['average'] or 0.0
    if average > best_average:
        best_number, best_average = number, average
{'product': best_number, 'average': best_average}
""",
        answer=lambda shop: shop.mapping(
            'SELECT product_id AS product, round(avg(stars), 2) AS average FROM reviews WHERE product_id <= 20'
            ' GROUP BY product_id ORDER BY average DESC, product_id LIMIT 1'
        ),
    ),
    Task(
        name='shop-late-total',
        kind='aggregate',
        world='shop',
        ask=(
            'Of the orders that the region east placed from 2026-06-06 to 2026-06-14, which came late or are late now?'
            ' Answer with JSON: {"orders": how many, "total": the sum of their totals}.'
        ),
        plan="""\
import asyncio
first = await orders_placed(region='east', since='2026-06-06', until='2026-06-14')
orders = list(first['orders'])
for page in range(2, first['pages'] + 1):
    more = await orders_placed(region='east', since='2026-06-06', until='2026-06-14', page=page)
    orders += more['orders']
parcels = await asyncio.gather(*[shipment_of(order_id=found['id']) for found in orders])
late = [found for found, parcel in zip(orders, parcels) if parcel['days_late'] > 0]
{'orders': len(late), 'total': round(sum([found['total'] for found in late]), 2)}
""",
        answer=lambda shop: shop.mapping(
            f'SELECT count(*) AS orders, round(sum(total), 2) AS total {_late(shop, "east")}'
        ),
    ),
    Task(
        name='shop-month-revenue',
        kind='aggregate',
        world='shop',
        ask=(
            'What did each region order in May 2026, in sum of order totals? Answer with a JSON object from the name of'
            ' the region to the sum.'
        ),
        plan="""\
import asyncio
regions = [region['name'] for region in await list_regions()]
revenue = {}
firsts = await asyncio.gather(
    *[orders_placed(region=region, since='2026-05-01', until='2026-05-31') for region in regions]
)
for region, first in zip(regions, firsts):
    pages = [first] + await asyncio.gather(
        *[
            orders_placed(region=region, since='2026-05-01', until='2026-05-31', page=page)
            for page in range(2, first['pages'] + 1)
        ]
    )
    revenue[region] = round(sum([found['total'] for page in pages for found in page['orders']]), 2)
revenue
""",
        answer=lambda shop: dict(
            shop.rows_of(
                "SELECT region, round(sum(total), 2) FROM orders WHERE placed BETWEEN '2026-05-01' AND '2026-05-31'"
                ' GROUP BY region'
            )
        ),
    ),
    Task(
        name='shop-restock-low',
        kind='loop',
        world='shop',
        ask=(
            'Bring every product of which fewer than 4 are in stock to exactly 20. Answer with a JSON list of the'
            ' numbers of these products.'
        ),
        plan="""\
import asyncio
low = await low_stock(fewer_than=4)
await asyncio.gather(*[restock(product_id=found['id'], quantity=20 - found['stock']) for found in low])
sorted([found['id'] for found in low])
""",
        answer=lambda shop: shop.column('SELECT id FROM products WHERE stock < 4'),
        leaves=lambda shop: _restocked(shop, dict(shop.rows_of('SELECT id, 20 - stock FROM products WHERE stock < 4'))),
    ),
    Task(
        name='shop-budget',
        kind='loop',
        world='shop',
        ask=(
            'Go through the products whose name contains "oak", cheapest first, and restock each by 1 for as long as'
            ' the sum of the prices stays within 250. Answer with JSON: {"bought": how many, "spent": the sum}.'
        ),
        plan="""\
import asyncio
spent = 0.0
wanted = []
for found in await find_products(words='oak'):
    if spent + found['price'] > 250:
        break
    wanted.append(found['id'])
    spent += found['price']
await asyncio.gather(*[restock(product_id=number, quantity=1) for number in wanted])
{'bought': len(wanted), 'spent': round(spent, 2)}
""",
        answer=lambda shop: {'bought': len(_affordable(shop)), 'spent': sum(_affordable(shop).values())},
        leaves=lambda shop: _restocked(shop, dict.fromkeys(_affordable(shop), 1)),
    ),
    Task(
        name='shop-missing-orders',
        kind='recovery',
        world='shop',
        ask=(
            'Look up the orders 9998 to 10006; some do not exist. Answer with JSON: {"found": how many exist,'
            ' "total": the sum of their totals}.'
        ),
        plan="""\
import asyncio

async def total_of(number):
    try:
        found = await order(order_id=number)
    except Exception:
        return None
    return found['total']

totals = await asyncio.gather(*[total_of(number) for number in range(9998, 10007)])
known = [total for total in totals if total is not None]
{'found': len(known), 'total': round(sum(known), 2)}
""",
        answer=lambda shop: shop.mapping(
            'SELECT count(*) AS found, round(sum(total), 2) AS total FROM orders WHERE id BETWEEN 9998 AND 10006'
        ),
    ),
    Task(
        name='shop-late-notes',
        kind='loop',
        world='shop',
        ask=(
            'Write the note "late parcel" on every customer of the region east who placed an order from 2026-06-06 to'
            ' 2026-06-14 that came late or is late now. Answer with a JSON list of the numbers of these customers,'
            ' each once.'
        ),
        plan="""\
import asyncio
first = await orders_placed(region='east', since='2026-06-06', until='2026-06-14')
orders = list(first['orders'])
for page in range(2, first['pages'] + 1):
    more = await orders_placed(region='east', since='2026-06-06', until='2026-06-14', page=page)
    orders += more['orders']
parcels = await asyncio.gather(*[shipment_of(order_id=found['id']) for found in orders])
late = {found['customer_id'] for found, parcel in zip(orders, parcels) if parcel['days_late'] > 0}
await asyncio.gather(*[write_customer_note(customer_id=number, note='late parcel') for number in sorted(late)])
sorted(late)
""",
        answer=_late_notes,
        leaves=lambda shop: _noted(shop, dict.fromkeys(_late_notes(shop), 'late parcel')),
    ),
]


def _days_late(order_id: int) -> str:
    return (
        "SELECT max(0, CAST(julianday(coalesce(delivered, '2026-06-24')) - julianday(promised) AS INTEGER))"
        f' FROM shipments WHERE order_id = {order_id}'
    )


def _affordable(shop: ShopWorld) -> dict[int, float]:
    """The prices of the products that the budget is enough for."""
    bought: dict[int, float] = {}
    for number, price in shop.rows_of("SELECT id, price FROM products WHERE name LIKE '%oak%' ORDER BY price, id"):
        if sum(bought.values()) + price > 250:
            break
        bought[number] = price
    return bought


def _restocked(shop: ShopWorld, more: Mapping[int, int]) -> dict[str, Any]:
    """The shop with more of some products."""
    before = shop.snapshot()
    return {**before, 'stock': {number: stock + more.get(number, 0) for number, stock in before['stock'].items()}}


def _noted(shop: ShopWorld, notes: Mapping[int, str]) -> dict[str, Any]:
    """The shop with these notes on customers."""
    before = shop.snapshot()
    return {**before, 'notes': {**before['notes'], **notes}}
