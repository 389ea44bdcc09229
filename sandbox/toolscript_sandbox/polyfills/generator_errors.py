"""The exceptions of generators, for scripts that look at them: `StopIteration` with its value, and `GeneratorExit`."""

from .exceptions import made, own, raised
from .generators import errors


class _Errors:
    def stop(self, value):
        return raised(made(StopIteration, *([] if value is None else [value])))

    def stop_async(self):
        return raised(own('StopAsyncIteration')())

    def leave(self):
        return raised(own('GeneratorExit')())

    def raised(self, error):
        return raised(error)


errors[0] = _Errors()
ready = True
