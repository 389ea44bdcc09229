"""The same small task at growing sizes, to find where one route overtakes another."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from evals.tasks.task import Task
from evals.worlds.shop_world import open_shop

LadderName = Literal['independent calls', 'dependent calls', 'rows of one result']


@dataclass(frozen=True)
class Rung:
    ladder: LadderName
    size: int
    task: Task


def _independent(size: int) -> Task:
    return Task(
        name=f'sum-stock-of-{size}',
        kind='fan-out',
        world='shop',
        ask=f'What is the sum of the stock of the products 1 to {size}? Answer with the number.',
        plan=(
            'import asyncio\n'
            f'products = await asyncio.gather(*[product(product_id=number) for number in range(1, {size + 1})])\n'
            "sum([found['stock'] for found in products])\n"
        )
        if size > 1
        else "found = await product(product_id=1)\nfound['stock']\n",
        answer=_of_shop(f'SELECT sum(stock) FROM products WHERE id <= {size}'),
    )


def _dependent(size: int) -> Task:
    limit = _of_shop(f'SELECT sum(stock) FROM products WHERE id <= {size}')
    return Task(
        name=f'stock-up-to-{size}',
        kind='loop',
        world='shop',
        ask=(
            f'Look at the products 1, 2, 3 and so on until the sum of their stock is at least {limit}.'
            ' Answer with the number of the last product you looked at.'
        ),
        plan=f"""\
total = 0
number = 0
while total < {limit}:
    number += 1
    found = await product(product_id=number)
    total += found['stock']
number
""",
        answer=size,
    )


@cache
def _of_shop(query: str) -> float:
    with TemporaryDirectory() as folder:
        return open_shop(Path(folder)).one(query)


def _rows(size: int) -> Task:
    price = _of_shop(f'SELECT price FROM products ORDER BY price LIMIT 1 OFFSET {size - 1}')
    return Task(
        name=f'lamps-of-{size}-rows',
        kind='aggregate',
        world='shop',
        ask=(
            f'Of the products that cost at most {price}, how many are lamps (category "lamp")? Answer with the number.'
        ),
        plan=f"""\
found = await find_products(words='', max_price={price})
len([one for one in found if one['category'] == 'lamp'])
""",
        answer=_of_shop(f"SELECT count(*) FROM products WHERE price <= {price} AND category = 'lamp'"),
    )


_LADDERS: dict[LadderName, tuple[Callable[[int], Task], tuple[int, ...]]] = {
    'independent calls': (_independent, (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)),
    'dependent calls': (_dependent, (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)),
    'rows of one result': (_rows, (1, 5, 10, 20, 40, 60, 80)),
}


@cache
def rungs() -> dict[str, Rung]:
    """Return all rungs by the names of their tasks."""
    found = [Rung(name, size, task(size)) for name, (task, sizes) in _LADDERS.items() for size in sizes]
    return {rung.task.name: rung for rung in found}
