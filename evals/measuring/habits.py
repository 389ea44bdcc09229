"""How models use code: what fails, and which tools they call directly."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evals.measuring.run import Run
from evals.measuring.statistics import Share

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
class Habits:
    """Counts over runs."""

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
    """Count the habits of these runs."""
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
