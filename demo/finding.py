"""The result of the job, as data and as a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass


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
