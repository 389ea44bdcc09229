"""The job of the demo, its result as data and as a sentence, and the facts of the right answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from demo.database import Database
from demo.rows import TODAY


@dataclass(frozen=True)
class Fact:
    """A fact that a right answer mentions."""

    what: str
    text: str


def prompt(repository: Path) -> str:
    return (
        'Take the orders placed in the last two full weeks, Monday to Sunday, and add up the totals of the late ones '
        'by region. For the region with the most: name the three customers with the highest totals of late orders; '
        "find the first day on which at least half of that region's orders are late; and tell which commit in "
        f'`{repository}` was the last one before the end of that day, what it changed, and who made it.'
    )


def repository_in(prompt: str) -> str:
    """Return the path of the repository that the prompt names."""
    return prompt.split('`')[1]


def facts(database: Database) -> list[Fact]:
    """Return the right answer, computed in SQL from the database alone."""
    by_region = database.rows(f'{_LATE} SELECT region, sum(total) AS held FROM late GROUP BY region ORDER BY held DESC')
    worst = by_region[0]
    customers = database.rows(
        f'{_LATE} SELECT name FROM late JOIN customers ON customers.id = customer_id WHERE late.region = ?'
        ' GROUP BY customer_id ORDER BY sum(total) DESC LIMIT 3',
        worst['region'],
    )
    return [
        Fact('the region', worst['region']),
        Fact('its total', f'{worst["held"]:,.2f}'),
        *(Fact('a customer', row['name']) for row in customers),
        Fact('who made the commit', 'Hugo'),
        Fact('what it changed', 'Lindholm'),
    ]


def missing(answer: str, expected: list[Fact]) -> list[Fact]:
    """Return the facts that an answer omits or has wrong."""
    plain = answer.replace(',', '').casefold()
    return [fact for fact in expected if fact.text.replace(',', '').casefold() not in plain]


_LATE = f"""
WITH late AS (
    SELECT orders.* FROM orders JOIN shipments ON order_id = orders.id
    WHERE placed BETWEEN '2026-06-08' AND '2026-06-21' AND coalesce(delivered, '{TODAY}') > promised
)
"""


@dataclass(frozen=True)
class Finding:
    late_by_region: dict[str, float]
    region: str
    customers: Sequence[str]
    first_day: str
    commit: str
    author: str
    message: str
    change: str
    """The line that the commit added."""

    def text(self) -> str:
        """The answer as the user reads it."""
        totals = ', '.join(f'{region} {total:,.2f}' for region, total in self.late_by_region.items())
        return (
            f'Late orders by region: {totals}. '
            f'Most of it in the {self.region}, hardest hit {", ".join(self.customers)}. '
            f'From {self.first_day} on at least half of the orders there are late. The last change before: '
            f'{self.commit[:10]} by {self.author}, "{self.message}", which added `{self.change}`.'
        )
