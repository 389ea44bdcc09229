"""What a number of successes says about the true share."""

from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True)
class Share:
    """A share of tries, with the interval that contains the true share 19 times in 20."""

    successes: int
    tries: int

    @property
    def value(self) -> float:
        """The observed share; 0 without tries."""
        return self.successes / self.tries if self.tries else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's score interval, which also holds for few tries and shares near 0 and 1."""
        if not self.tries:
            return 0.0, 1.0
        z, n, p = 1.959964, self.tries, self.value
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f'{self.value:.0%} ({low:.0%} to {high:.0%})' if self.tries else '–'
