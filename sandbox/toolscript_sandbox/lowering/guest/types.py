"""A plain object with attributes."""


class SimpleNamespace:
    _is_namespace_ = True

    def __init__(self, /, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)
        self._names_ = list(kwargs)

    def __repr__(self):
        return f'namespace({", ".join([f"{name}={getattr(self, name)!r}" for name in self._names_])})'

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace) or sorted(self._names_) != sorted(other._names_):
            return False
        return all([getattr(self, name) == getattr(other, name) for name in self._names_])
