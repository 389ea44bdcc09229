"""What a model is told of the calls that failed snippets made."""

from collections.abc import Callable, Iterable

from .remembered import Memory


def memory_lines(memory: Memory, name_of: Callable[[str], str]) -> list[str]:
    """What the same calls will give in the next snippet, in one paragraph; none where nothing is remembered.

    How often each ran stands in the account of the snippet that made them.

    Args:
        memory: The calls.
        name_of: What code calls a tool.
    """
    calls = memory.all_earlier()
    done = _names(name_of(call.tool_name) for call in calls if call.result is not None)
    unknown = _names(name_of(call.tool_name) for call in calls if call.result is None)
    told = list[str]()
    if done:
        told.append(
            f'In your next script, the same calls of {done} return their recorded results and do not run again.'
        )
    if unknown:
        told.append(
            f'Calls of {unknown} may or may not have happened: the same calls in your next script raise '
            'RuntimeError("UnknownOutcome: ..."), so find out first.'
        )
    return [' '.join(told)] if told else []


def _names(names: Iterable[str]) -> str:
    return ', '.join(dict.fromkeys(names))
