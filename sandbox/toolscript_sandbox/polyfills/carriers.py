"""How scripts see exceptions: as Monty raises them, until the session has the polyfill of exceptions."""

_views = []
tasks = []
"""Not empty where a `SystemExit` is the cancellation of a task."""


def use(*functions): _views.append(functions)


def seen(error):
    """The exception that a script is to see."""
    return _views[0][0](error) if _views and error is not None else error


def carrier(error):
    """What Monty raises for it."""
    return _views[0][1](error) if _views else error


def matches(error, kinds):
    """`isinstance(error, kinds)`."""
    return _views[0][2](error, kinds) if _views else isinstance(error, kinds)
