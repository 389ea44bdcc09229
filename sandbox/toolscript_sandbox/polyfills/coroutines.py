"""Coroutines of tools that start when they are awaited."""

_made = []
"""Calls that were not awaited yet: name and line, which the host reads."""
_functions = {}


def iscoroutine(obj): return type(obj).__name__ == 'coroutine'


async def ready(awaitable):
    """Await a coroutine, or a task of a later script."""
    return await (awaitable.ready() if hasattr(awaitable, '_callbacks') else awaitable)


# The first parameters have names that no host function uses: Monty would assign a keyword of such a name to them, even
# before a `/`.
def later(_later_line, _later_name, _later_function, *args, **kwargs):
    made = [_later_name, _later_line]
    _made.append(made)
    return _begun(made, _later_function, args, kwargs)


async def _begun(made, function, args, kwargs):
    _made.remove(made)
    return await function(*args, **kwargs)


def function(line, name, function):
    if name not in _functions:
        _functions[name] = Function(line, name, function)
    return _functions[name]


class Function:
    """A host function as a value."""

    def __init__(self, line, name, function): self._line, self.__name__, self._function = line, name, function

    def __repr__(self): return f'<function {self.__name__}>'

    def __call__(_function_called, *args, **kwargs):
        own = _function_called
        return later(own._line, own.__name__, own._function, *args, **kwargs)

