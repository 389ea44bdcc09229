"""Enumerations: an object that holds the members, which a class cannot do without a metaclass."""

# The classes that have these for a base are rewritten.
Enum = None
IntEnum = None
StrEnum = None


class auto:
    pass


def unique(cls):
    return cls


class Members:
    """What the name of the enumeration stands for."""

    def __init__(self, name):
        self.__name__ = name
        self.__members__ = {}

    def __call__(self, value):
        for member in self.__members__.values():
            if member == value or value_of(member) == value:
                return member
        raise ValueError(f'{value!r} is not a valid {self.__name__}')

    def __getitem__(self, name):
        if name not in self.__members__:
            raise KeyError(name)
        return self.__members__[name]

    def __iter__(self):
        found = []
        for member in self.__members__.values():
            if not any([member is other for other in found]):
                found.append(member)
        return iter(found)

    def __len__(self):
        return len(list(iter(self)))

    def __contains__(self, value):
        return any([member == value or value_of(member) == value for member in self.__members__.values()])

    def __repr__(self):
        return f"<enum '{self.__name__}'>"


_enumerations = []


def made(cls, name, kind, names, functions):
    members = Members(name)
    if not kind:
        _furnish(cls)
    last = 0
    for key in names:
        value = getattr(cls, key)
        if isinstance(value, auto):
            value = key.lower() if kind == 'str' else last + 1
        last = value
        members.__members__[key] = value if kind else _member(cls, members, key, value)
    for key, member in members.__members__.items():
        setattr(members, key, member)
    for key in functions:
        function = getattr(cls, key)
        if hasattr(function, 'cls'):
            # What a method of the class is called for is the enumeration, whose members are known by now.
            function = type(function)(function.function, members)
            setattr(cls, key, function)
        setattr(members, key, function)
    _enumerations.append(members)
    return members


def _member(cls, members, key, value):
    for other in members.__members__.values():
        if other.value == value:
            return other
    member = cls(*(value if isinstance(value, tuple) else (value,))) if hasattr(cls, '_takes_values') else cls()
    member.name = key
    member.value = value
    member.__enum__ = members.__name__
    return member


def _furnish(cls):
    if not hasattr(cls, '__str__'):
        cls.__str__ = lambda self: f'{self.__enum__}.{self.name}'
    if not hasattr(cls, '__repr__'):
        cls.__repr__ = lambda self: f'<{self.__enum__}.{self.name}: {self.value!r}>'


def value_of(member):
    # Members of enumerations of texts and numbers are these themselves.
    return member if isinstance(member, (str, int)) else getattr(member, 'value')


def name_of(member):
    if not isinstance(member, (str, int)):
        return member.name
    for members in _enumerations[::-1]:
        for name, other in members.__members__.items():
            if isinstance(other, (str, int)) and other == member:
                return name
    raise AttributeError(f"'{type(member).__name__}' object has no attribute 'name'")


def is_member(obj, kinds):
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if isinstance(kind, Members):
            if any(
                [
                    obj is member or (isinstance(obj, (str, int)) and obj == member)
                    for member in kind.__members__.values()
                ]
            ):
                return True
        elif isinstance(obj, kind):
            return True
    return False
