"""A plain object with attributes, and the type of nothing."""


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self._names_ = list(kwargs)
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __repr__(self): return f'namespace({", ".join([f"{name}={getattr(self, name)!r}" for name in self._names_])})'

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        mine = {name: getattr(self, name) for name in self._names_}
        return mine == {name: getattr(other, name) for name in other._names_}


NoneType = type(None)
