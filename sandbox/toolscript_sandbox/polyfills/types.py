"""A plain object with attributes, and the type of nothing."""


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self._names_ = list(kwargs)
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __repr__(self):
        return f'namespace({", ".join([f"{name}={getattr(self, name)!r}" for name in self._names_])})'

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self._names_ == other._names_ and all([getattr(self, n) == getattr(other, n) for n in self._names_])


NoneType = type(None)
