"""The rows of the shop's tables: the same every time, with a fault in the deliveries to be found."""

from collections.abc import Iterator
from dataclasses import dataclass
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
    orders = list(_orders(random, customers, products))
    return {
        'regions': list(CARRIERS.items()),
        'customers': [(each.number, each.name, each.email, each.region, None) for each in customers],
        'products': [(each.number, each.name, each.category, each.price, each.stock) for each in products],
        'orders': [(each.number, each.customer, each.region, each.placed.isoformat(), each.total) for each in orders],
        'lines': [(each.number, *line) for each in orders for line in each.lines],
        'shipments': [_shipment(random, each) for each in orders],
        'tickets': [_ticket(random, number) for number in range(1, 201)],
        'refunds': [_refund(random, number, each) for number, each in enumerate(random.sample(orders, 60), start=1)],
        'reviews': [_review(random, products) for _ in range(600)],
    }


@dataclass(frozen=True)
class _Product:
    number: int
    name: str
    category: str
    price: float
    stock: int


@dataclass(frozen=True)
class _Customer:
    number: int
    name: str
    email: str
    region: str


@dataclass(frozen=True)
class _Order:
    number: int
    customer: int
    region: str
    placed: date
    lines: list[tuple[int, int, float]]

    @property
    def total(self) -> float:
        return round(sum(quantity * price for _, quantity, price in self.lines), 2)


def _products(random: Random) -> Iterator[_Product]:
    names = [(f'{style} {thing}', thing) for style in _STYLES for thing in _THINGS]
    for number, (name, category) in enumerate(names, start=1):
        yield _Product(number, name, category, round(random.uniform(5, 240), 2), random.randint(0, 90))


def _customers(random: Random) -> Iterator[_Customer]:
    for number in range(1, _CUSTOMERS + 1):
        first, last = random.choice(_FIRST_NAMES), random.choice(_LAST_NAMES)
        email = f'{first}.{last}.{number}@mail.example'.lower()
        yield _Customer(number, f'{first} {last}', email, random.choice([*CARRIERS]))


def _orders(random: Random, customers: list[_Customer], products: list[_Product]) -> Iterator[_Order]:
    for index in range(_DAYS * _ORDERS_A_DAY):
        customer = random.choice(customers)
        bought = random.sample(products, random.randint(1, 4))
        yield _Order(
            number=10_001 + index,
            customer=customer.number,
            region=customer.region,
            placed=TODAY - timedelta(days=_DAYS - index // _ORDERS_A_DAY),
            lines=[(product.number, random.randint(1, 3), product.price) for product in bought],
        )


def _shipment(random: Random, order: _Order) -> Row:
    promised = order.placed + timedelta(days=random.randint(2, 4))
    faulty = order.region == FAULTY_REGION and order.placed >= FAULTY_SINCE
    late = random.random() < (0.8 if faulty else 0.03)
    arrival = promised + timedelta(days=random.randint(1, 5) if late else -random.randint(0, 1))
    delivered = arrival.isoformat() if arrival <= TODAY else None
    return order.number, CARRIERS[order.region], promised.isoformat(), delivered


def _ticket(random: Random, number: int) -> Row:
    opened = TODAY - timedelta(days=random.randint(0, 60))
    customer, complaint = random.randint(1, _CUSTOMERS), random.choice(_COMPLAINTS)
    return number, customer, opened.isoformat(), complaint, int(random.random() < 0.7)


def _refund(random: Random, number: int, order: _Order) -> Row:
    return number, order.number, round(random.uniform(5, 50), 2), 'goodwill'


def _review(random: Random, products: list[_Product]) -> Row:
    stars = random.randint(1, 5)
    return random.choice(products).number, random.randint(1, _CUSTOMERS), stars, _OPINIONS[stars - 1]
