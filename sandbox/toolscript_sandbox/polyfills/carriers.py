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


def made(name, *args):
    """What Monty raises for a new exception: without the polyfill it is of no class, and has a mark with the name."""
    if _views:
        return carrier(_views[0][3](name, *args))
    if name == 'StopIteration':
        return StopIteration
    return (BaseException if name == 'GeneratorExit' else Exception)(f'\0000\0{name}\0')
