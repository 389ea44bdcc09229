"""Types that have no name elsewhere."""

from .classes import attributes, store

NoneType = type(None)


class SimpleNamespace:
    def __init__(self, /, **attributes):
        for name, value in attributes.items():
            store(self, name, value)

    def __repr__(self): return f'namespace({", ".join([f"{name}={value!r}" for name, value in attributes(self).items()])})'

    def __eq__(self, other):
        return attributes(self) == attributes(other) if isinstance(other, SimpleNamespace) else NotImplemented
