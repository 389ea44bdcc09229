"""A plain object with attributes, and kinds of functions for `isinstance`."""


class SimpleNamespace:
    _is_namespace_ = True

    def __init__(self, /, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)
        self._names_ = list(kwargs)

    def __repr__(self):
        return f'namespace({", ".join([f"{name}={value!r}" for name, value in variables(self).items()])})'

    def __eq__(self, other):
        return variables(self) == variables(other) if isinstance(other, SimpleNamespace) else NotImplemented


def variables(obj):
    # The names that scripts store on objects, in the order of the text, stand in a variable of the session.
    names = [*obj._names_, *[name for name in _namespace_names if name not in obj._names_]]
    return {name: getattr(obj, name) for name in names if hasattr(obj, name)}


class _Named:
    def __init__(self, *names):
        self._of = names

    def _has_(self, obj):
        return type(obj).__name__ in self._of

    def _covers_(self, cls):
        return cls.__name__ in self._of


FunctionType = _Named('function')
LambdaType = FunctionType
BuiltinFunctionType = _Named('builtin_function_or_method')
GeneratorType = _Named('_generators_Generator', '_iterators_Values')
NoneType = type(None)
having_type = _Named('type')
