"""Coroutines around what is no coroutine yet."""

_made = []


async def value(result):
    return result


# The names of the first parameters are none that a function of the host has for its own: Monty takes such a keyword for
# them, behind `/` too.
def later(_later_line, _later_name, _later_function, *args, **kwargs):
    made = [_later_name, _later_line]
    _made.append(made)
    return _begun(made, _later_function, args, kwargs)


async def _begun(made, function, args, kwargs):
    _made.remove(made)
    return await function(*args, **kwargs)


def left():
    missed = list(_made)
    _made.clear()
    return missed
