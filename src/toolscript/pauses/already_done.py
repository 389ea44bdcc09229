"""What a model is told of the calls that a failed snippet made."""

from collections import Counter
from collections.abc import Iterable

from .remembered import Memory, Remembered


def memory_lines(memory: Memory) -> list[str]:
    """A line for the calls that are remembered, and one for those that may have happened; none where there are none."""
    calls = memory.all_earlier()
    done = [call for call in calls if call.result is not None]
    unknown = [call for call in calls if call.result is None]
    lines = list[str]()
    if done:
        lines.append(
            f'Already done: {_counted(done)}. The same calls in your next script return these results at once '
            'and do not run again.'
        )
    if unknown:
        lines.append(
            f'Still running when the script ended, so they may or may not have happened: {_counted(unknown)}. The same '
            'calls in your next script raise RuntimeError("UnknownOutcome: ..."); find out first.'
        )
    return lines


def _counted(calls: Iterable[Remembered]) -> str:
    counts = Counter(call.tool_name for call in calls)
    return ', '.join(name if count == 1 else f'{name} ({count} calls)' for name, count in counts.items())
