"""How models use code: what fails, and which tools they call directly."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from evals.measuring.run import Run

_CAUSES = (
    ('called without code', ('is called from code',)),
    ('not found yet', ('is not loaded yet',)),
    ('unknown name', ('used when not defined', 'is not defined', 'Unknown tool name', 'Unknown function')),
    ('missing await', ('is not awaited', 'missing `await`', 'Missing await', 'coroutine')),
    ('wrong arguments', ('got arguments it cannot take', 'Argument', 'argument', 'parameter')),
    ('missing key', ('KeyError', 'available keys')),
    ('syntax', ('SyntaxError', 'Syntax error')),
    ('limit', ('Timed out', 'limit of', 'too many', 'out of memory')),
)


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


@dataclass(frozen=True)
class Habits:
    success: Share
    first_try: Share
    """First snippets of a run that succeeded."""
    single_call: Share
    """Snippets that made only one call."""
    programs_per_answer: float
    misdirected_calls_per_run: float
    searches_per_found_tool: float
    retries: Counter[str]
    """The number of retries by cause."""


def habits(runs: Sequence[Run]) -> Habits:
    with_code = [run for run in runs if run.snippets]
    finished = sum(run.snippets - run.failed_snippets for run in with_code)
    found = sum(run.found for run in runs)
    return Habits(
        success=Share(sum(run.ok for run in runs), len(runs)),
        first_try=Share(sum(run.first_snippet_ok for run in with_code), len(with_code)),
        single_call=Share(sum(run.single_call_snippets for run in with_code), finished),
        programs_per_answer=sum(run.snippets for run in with_code) / len(with_code) if with_code else 0.0,
        misdirected_calls_per_run=sum(run.misdirected_calls for run in runs) / len(runs) if runs else 0.0,
        searches_per_found_tool=sum(run.searches for run in runs) / found if found else 0.0,
        retries=Counter(cause for run in runs for cause in run.retries),
    )


def cause(text: str) -> str:
    """Return why the model was asked to retry, judging by the words of the message."""
    return next((name for name, words in _CAUSES if any(word in text for word in words)), 'error of a tool')
