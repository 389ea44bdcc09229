"""The rows of the shop's tables: the same every time, with a fault in the deliveries to be found."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

Row = tuple[object, ...]

TODAY = date(2026, 6, 24)
"""The fixed date of the shop's clock."""
CARRIERS = {
    'north': 'Polar Post',
    'south': 'Sunline',
    'east': 'Hanse Parcel',
    'west': 'Sunline',
    'islands': 'Ferry Freight',
}
"""The carrier of each region."""
FAULTY_REGION, FAULTY_SINCE = 'east', date(2026, 6, 13)
"""Most parcels ordered by this region from this day on are late."""

_DAYS, _ORDERS_A_DAY, _CUSTOMERS = 100, 15, 300
_FIRST_NAMES = [
    'Ada', 'Bela', 'Carla', 'Dario', 'Edda', 'Finn', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Kaja', 'Leon', 'Mira',
]  # fmt: skip
_LAST_NAMES = ['Adler', 'Brandt', 'Cordes', 'Dahl', 'Ehlers', 'Falk', 'Gruber', 'Harms', 'Jansen', 'Krause', 'Lorenz']
_THINGS = ['lamp', 'kettle', 'chair', 'desk', 'shelf', 'clock', 'vase', 'rug', 'basket', 'mirror']
_STYLES = ['plain', 'oak', 'linen', 'copper', 'glass', 'wool', 'stone', 'steel']
_COMPLAINTS = ['Where is my parcel?', 'The box was dented.', 'Please change my address.', 'The colour is wrong.']
_OPINIONS = ['Fell apart.', 'Meh.', 'Does the job.', 'Good value.', 'Wonderful.']


def all_rows() -> dict[str, list[Row]]:
    random = Random(20260624)
    products = list(_products(random))
    customers = list(_customers(random))
    orders, lines = list[_Order](), list[Row]()
    for index in range(_DAYS * _ORDERS_A_DAY):
        customer, _, _, region, _ = random.choice(customers)
        bought = random.sample(products, random.randint(1, 4))
        mine = [(number, random.randint(1, 3), price) for number, _, _, price, _ in bought]
        placed = TODAY - timedelta(days=_DAYS - index // _ORDERS_A_DAY)
        total = round(sum(quantity * price for _, quantity, price in mine), 2)
        orders.append((10_001 + index, customer, region, placed, total))
        lines += [(10_001 + index, *line) for line in mine]
    return {
        'regions': list(CARRIERS.items()),
        'customers': [*customers],
        'products': [*products],
        'orders': [(*before, placed.isoformat(), total) for *before, placed, total in orders],
        'lines': lines,
        'shipments': [_shipment(random, each) for each in orders],
        'tickets': [_ticket(random, number) for number in range(1, 201)],
        'refunds': [_refund(random, number, each) for number, each in enumerate(random.sample(orders, 60), start=1)],
        'reviews': [_review(random, products) for _ in range(600)],
    }


_Product = tuple[int, str, str, float, int]
"""The number, the name, the category, the price and the stock."""
_Customer = tuple[int, str, str, str, None]
"""The number, the name, the address, the region and the note."""
_Order = tuple[int, int, str, date, float]
"""The number, the customer, the region, the day and the total."""


def _products(random: Random) -> Iterator[_Product]:
    names = [(f'{style} {thing}', thing) for style in _STYLES for thing in _THINGS]
    for number, (name, category) in enumerate(names, start=1):
        yield number, name, category, round(random.uniform(5, 240), 2), random.randint(0, 90)


def _customers(random: Random) -> Iterator[_Customer]:
    for number in range(1, _CUSTOMERS + 1):
        first, last = random.choice(_FIRST_NAMES), random.choice(_LAST_NAMES)
        email = f'{first}.{last}.{number}@mail.example'.lower()
        yield number, f'{first} {last}', email, random.choice([*CARRIERS]), None


def _shipment(random: Random, order: _Order) -> Row:
    number, _, region, placed, _ = order
    promised = placed + timedelta(days=random.randint(2, 4))
    faulty = region == FAULTY_REGION and placed >= FAULTY_SINCE
    late = random.random() < (0.8 if faulty else 0.03)
    arrival = promised + timedelta(days=random.randint(1, 5) if late else -random.randint(0, 1))
    delivered = arrival.isoformat() if arrival <= TODAY else None
    return number, CARRIERS[region], promised.isoformat(), delivered


def _ticket(random: Random, number: int) -> Row:
    opened = TODAY - timedelta(days=random.randint(0, 60))
    customer, complaint = random.randint(1, _CUSTOMERS), random.choice(_COMPLAINTS)
    return number, customer, opened.isoformat(), complaint, int(random.random() < 0.7)


def _refund(random: Random, number: int, order: _Order) -> Row:
    return number, order[0], round(random.uniform(5, 50), 2), 'goodwill'


def _review(random: Random, products: list[_Product]) -> Row:
    stars = random.randint(1, 5)
    return random.choice(products)[0], random.randint(1, _CUSTOMERS), stars, _OPINIONS[stars - 1]
