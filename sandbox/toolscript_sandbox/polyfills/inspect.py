"""Whether a value can be awaited."""

from .coroutines import iscoroutine


def isawaitable(object): return iscoroutine(object) or hasattr(object, '__await__')
