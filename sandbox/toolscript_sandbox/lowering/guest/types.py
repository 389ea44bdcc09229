"""A plain object with attributes."""


class SimpleNamespace:
    _is_namespace_ = True

    def __init__(self, /, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)
        self._names_ = list(kwargs)

    def __repr__(self):
        return f'namespace({", ".join([f"{name}={value!r}" for name, value in _held(self).items()])})'

    def __eq__(self, other):
        return _held(self) == _held(other) if isinstance(other, SimpleNamespace) else NotImplemented


def _held(obj):
    # The names that scripts store on objects, in the order of the text, stand in a variable of the session.
    names = [*obj._names_, *[name for name in _namespace_names if name not in obj._names_]]
    return {name: getattr(obj, name) for name in names if hasattr(obj, name)}
