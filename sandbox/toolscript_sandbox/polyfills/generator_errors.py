"""The exceptions of generators, for scripts that look at them: `StopIteration` with its value, and `GeneratorExit`."""

from .exceptions import made, own, raised
from .generators import errors


class _Errors:
    def stop(self, value): return raised(made(StopIteration, *([] if value is None else [value])))
    def named(self, name): return raised(own(name)())
    def raised(self, error): return raised(error)


ready = _Errors()
errors[0] = ready
