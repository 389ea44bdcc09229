"""Members of classes that Monty lacks: properties, and methods that need no object."""


class Property:
    def __init__(self, getter, setter, name, kept):
        self.getter, self.setter, self.name, self.kept = getter, setter, name, kept


class Static:
    """Kept in an object, a function is not bound to whom it is asked of."""

    def __init__(self, function):
        self.function = function

    def __call__(self, /, *args, **kwargs):
        return self.function(*args, **kwargs)


class OfClass:
    def __init__(self, function, cls):
        self.function, self.cls = function, cls

    def __call__(self, /, *args, **kwargs):
        return self.function(self.cls, *args, **kwargs)


def kept(decorator, function):
    """A method behind its cache: functions alone are bound to whom they are asked of."""
    ask = decorator(function)

    def asked(*args, **kwargs):
        return ask(*args, **kwargs)

    return asked


def inherited(member, cls):
    """A member of a base, as an heir has it."""
    return OfClass(member.function, cls) if isinstance(member, OfClass) else member


def read(obj, name):
    member = getattr(obj, name)
    if not isinstance(member, Property) or type(obj).__name__ == 'type':
        return member
    value = member.getter(obj)
    if member.kept:
        setattr(obj, name, value)
    return value


def stored(obj, name, value):
    member = getattr(type(obj), name, None)
    if isinstance(member, Property) and not member.kept:
        if member.setter is None:
            raise AttributeError(f"property '{name}' of '{type(obj).__name__}' object has no setter")
        member.setter(obj, value)
    else:
        setattr(obj, name, value)


class Indexed:
    """Goes through an object that only knows what it has at an index."""

    def __init__(self, obj):
        self.obj, self.index = obj, -1

    def __iter__(self):
        return self

    def __next__(self):
        self.index += 1
        try:
            return self.obj[self.index]
        except IndexError:
            raise StopIteration


def by_index(self):
    return Indexed(self)


def truth(obj):
    if type(obj).__name__ == 'type':
        return True
    if hasattr(obj, '__bool__'):
        said = obj.__bool__()
        if said is not True and said is not False:
            raise TypeError(f'__bool__ should return bool, returned {type(said).__name__}')
        return said
    return obj.__len__() != 0 if hasattr(obj, '__len__') else bool(obj)


def either(first, *rest):
    for other in rest:
        if truth(first):
            return first
        first = other
    return first


def both(first, *rest):
    for other in rest:
        if not truth(first):
            return first
        first = other
    return first


def ordered(obj, other, sign):
    """Whether a dataclass says how two objects compare: only those of one class."""
    if type(other) is not type(obj):
        kinds = f"'{type(obj).__name__}' and '{type(other).__name__}'"
        raise TypeError(f"'{sign}' not supported between instances of {kinds}")
    return True
