"""A plain object with attributes."""


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)
        self._names = list(kwargs)

    def __repr__(self):
        return f'namespace({", ".join([f"{name}={getattr(self, name)!r}" for name in self._names])})'

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace) or sorted(self._names) != sorted(other._names):
            return False
        return all([getattr(self, name) == getattr(other, name) for name in self._names])
