"""Enumerations: an object that holds the members, which a class cannot do without a metaclass."""

from .data_members import DATA, OF_NUMBERS, OF_TEXTS, NumberMember, TextMember, plain


class _Kind:
    """What the name of a base stands for, where it is asked for; the classes that inherit are rewritten."""

    def __init__(self, name, above):
        self.__name__, self._above = name, above

    def _has_(self, obj):
        return hasattr(type(obj), '_members_') and _is_kind(type(obj)._members_._kind, self.__name__)


Enum = _Kind('Enum', ())
IntEnum = _Kind('IntEnum', ('Enum',))
StrEnum = _Kind('StrEnum', ('Enum',))
Flag = _Kind('Flag', ('Enum',))
IntFlag = _Kind('IntFlag', ('Enum', 'Flag'))
_KINDS = {kind.__name__: kind for kind in (Enum, IntEnum, StrEnum, Flag, IntFlag)}


class auto:
    pass


def unique(cls):
    for name, member in cls.__members__.items():
        if member.name != name:
            doubled = [f'{other} -> {one.name}' for other, one in cls.__members__.items() if one.name != other]
            raise ValueError(f'duplicate values found in {cls!r}: {", ".join(doubled)}')
    return cls


class Members:
    """What the name of the enumeration stands for."""

    def __init__(self, name, kind, cls):
        self.__name__ = self.__qualname__ = name
        self.__members__ = {}
        self._kind, self._cls, self._combinations = kind, cls, {}

    def _has_(self, obj):
        return type(obj) is self._cls or self.__name__ in getattr(type(obj), '_above_', ())

    def __call__(self, value):
        for member in self.__members__.values():
            if member is value or member._value_ == plain(value):
                return member
        if 'Flag' in self._kind and isinstance(value, int):
            return _combined(self._cls, value)
        found = self._missing_(value) if hasattr(self, '_missing_') else None
        if found is None:
            raise ValueError(f'{value!r} is not a valid {self.__name__}')
        return found

    def __getitem__(self, name):
        if name not in self.__members__:
            raise KeyError(name)
        return self.__members__[name]

    def __iter__(self):
        return iter(_canonical(self))

    def __reversed__(self):
        return iter(_canonical(self)[::-1])

    def __len__(self):
        return len(_canonical(self))

    def __bool__(self):
        return True

    def __contains__(self, value):
        if 'Flag' in self._kind and type(value) is self._cls:
            return True
        return any([member is value or member._value_ == plain(value) for member in self.__members__.values()])

    def __repr__(self):
        kind = 'flag' if 'Flag' in self._kind else 'enum'
        return f"<{kind} '{self.__name__}'>"


def _canonical(members):
    # Aliases have the name of what they stand for; those of several bits stand for these.
    found = [member for name, member in members.__members__.items() if member._name_ == name]
    return [member for member in found if _is_one_bit(member._value_)] if 'Flag' in members._kind else found


def _is_one_bit(value):
    return value > 0 and value & (value - 1) == 0


def made(cls, name, kind, names, functions, base=None):
    members = Members(name, kind, cls)
    cls._members_, cls._above_, cls._is_data = members, (), kind in DATA
    cls._line_ = (DATA[kind],) if kind in DATA else ()
    if base is not None:
        cls._above_ = (base.__name__, *base._cls._above_)
        copied = [key for key in base._functions if key not in functions]
        for key in copied:
            setattr(cls, key, getattr(base._cls, key))
        functions = [*functions, *copied]
    members._functions = functions
    _furnish(cls, kind)
    start = getattr(cls, '__init__', None)
    if start is not None:
        cls.__init__ = lambda self: None
    values = []
    for key in names:
        value = getattr(cls, key)
        if isinstance(value, tuple) and any([isinstance(part, auto) for part in value]):
            value = tuple([_next(cls, kind, key, values) if isinstance(part, auto) else part for part in value])
        elif isinstance(value, auto):
            value = _next(cls, kind, key, values)
        values.append(value)
        members.__members__[key] = _member(cls, members, key, value, start)
    for key, member in members.__members__.items():
        setattr(members, key, member)
    for key in functions:
        function = getattr(cls, key)
        if hasattr(function, 'cls'):
            # What a method of the class is called for is the enumeration, whose members are known by now.
            function = type(function)(function.function, members)
            setattr(cls, key, function)
        setattr(members, key, function)
    return members


def _next(cls, kind, key, values):
    if hasattr(cls, '_generate_next_value_'):
        return cls._generate_next_value_(key, 1, len(values), values)
    if kind == 'StrEnum':
        return key.lower()
    numbers = [value for value in values if isinstance(value, (int, float))]
    if 'Flag' in kind:
        return 2 ** max(numbers).bit_length() if numbers and max(numbers) > 0 else 1
    return numbers[-1] + 1 if numbers else 1


def _member(cls, members, key, value, start):
    given = value if isinstance(value, tuple) else (value,)
    if kept := DATA.get(members._kind):
        if members._kind == 'StrEnum' and not isinstance(given[0], str):
            raise TypeError(f'{given[0]!r} is not a string')
        value = kept(*given)
    for other in members.__members__.values():
        if other._value_ == value:
            return other
    member = _made(cls, key, value)
    if start is not None:
        start(member, *given)
    return member


def _made(cls, name, value):
    member = cls()
    member.name = member._name_ = name
    member.value = member._value_ = value
    member.__enum__ = cls._members_.__name__
    return member


def _furnish(cls, kind):
    own = TextMember if kind in ('str', 'StrEnum') else NumberMember if kind in ('int', 'IntEnum') else _FlagMember
    names = OF_TEXTS if own is TextMember else OF_NUMBERS if own is NumberMember else ()
    if 'Flag' in kind:
        names = [*_OF_FLAGS, *(OF_NUMBERS if kind == 'IntFlag' else ())]
    for name in names:
        if not hasattr(cls, name):
            setattr(cls, name, getattr(own if hasattr(own, name) else NumberMember, name))
    for name in _OF_ALL:
        if not hasattr(cls, name):
            setattr(cls, name, getattr(_FlagMember if 'Flag' in kind else _AnyMember, name, getattr(_AnyMember, name)))
    if kind in ('StrEnum', 'IntEnum', 'IntFlag'):
        # Written last where a class says nothing of its own.
        if cls.__str__ is _AnyMember.__str__ or cls.__str__ is _FlagMember.__str__:
            cls.__str__ = _plain_text


def _plain_text(self):
    return str(self._value_)


class _AnyMember:
    def __str__(self):
        return f'{self.__enum__}.{self._name_}'

    def __repr__(self):
        return f'<{self.__enum__}.{self._name_}: {self._value_!r}>'

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


_OF_ALL = ('__str__', '__repr__', '__copy__', '__deepcopy__')


class _FlagMember:
    def __eq__(self, other):
        mine = self._members_._kind == 'IntFlag' and isinstance(other, int)
        return self._value_ == other if mine else type(other) is type(self) and self._value_ == other._value_

    def __hash__(self):
        return hash(self._value_)

    def __or__(self, other):
        return (
            NotImplemented if _bits(self, other) is None else _combined(type(self), self._value_ | _bits(self, other))
        )

    def __and__(self, other):
        return (
            NotImplemented if _bits(self, other) is None else _combined(type(self), self._value_ & _bits(self, other))
        )

    def __xor__(self, other):
        return (
            NotImplemented if _bits(self, other) is None else _combined(type(self), self._value_ ^ _bits(self, other))
        )

    def __ror__(self, other):
        return self | other

    def __rand__(self, other):
        return self & other

    def __rxor__(self, other):
        return self ^ other

    def __invert__(self):
        return _combined(type(self), _mask(type(self)) & ~self._value_)

    def __contains__(self, other):
        if type(other) is not type(self):
            kinds = f"'{type(other).__name__}' and '{type(self).__name__}'"
            raise TypeError(f"unsupported operand type(s) for 'in': {kinds}")
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter(_parts(self))

    def __len__(self):
        return bin(self._value_).count('1')

    def __bool__(self):
        return self._value_ != 0

    def __str__(self):
        return f'{self.__enum__}({self._value_})' if self._name_ is None else f'{self.__enum__}.{self._name_}'

    def __repr__(self):
        return f'<{self.__enum__}{"" if self._name_ is None else f".{self._name_}"}: {self._value_!r}>'


_OF_FLAGS = (
    '__eq__ __hash__ __or__ __and__ __xor__ __ror__ __rand__ __rxor__ __invert__ __contains__ __iter__ __len__ __bool__'
).split()


def _bits(member, other):
    if type(other) is type(member):
        return other._value_
    return other if member._members_._kind == 'IntFlag' and isinstance(other, int) else None


def _parts(member):
    return [one for one in _canonical(member._members_) if one._value_ & member._value_]


def _mask(cls):
    mask = 0
    for one in cls._members_.__members__.values():
        mask |= one._value_
    return mask


def _combined(cls, value):
    members = cls._members_
    for member in members.__members__.values():
        if member._value_ == value:
            return member
    if value & ~_mask(cls):
        if members._kind == 'Flag' or value < 0:
            raise ValueError(f'{value} is not a valid {members.__name__}')
    known = members._combinations
    if value not in known:
        parts = [one for one in _canonical(members) if one._value_ & value]
        rest = value & ~_mask(cls)
        names = [one._name_ for one in parts] + ([str(rest)] if rest and parts else [])
        known[value] = _made(cls, '|'.join(names) if parts else None, value)
    return known[value]


def changeable(obj, name):
    """The object, unless it is a member, whose `value` and `name` stay as they are."""
    if hasattr(type(obj), '_members_'):
        raise AttributeError(f"<enum 'Enum'> cannot set attribute {name!r}")
    return obj


def as_members(kind):
    return kind._members_ if hasattr(kind, '_members_') else kind


def _is_kind(kind, name):
    known = _KINDS.get(kind)
    return name == 'Enum' if known is None else kind == name or name in known._above


def outward(value):
    """The value, with the values of members where these are keys or stand in sets."""
    if isinstance(value, Members):
        return {name: member._value_ for name, member in value.__members__.items()}
    try:
        return _outward(value) if _has_members(value, []) else value
    except RecursionError:
        return value


def _has_members(value, above):
    if hasattr(type(value), '_is_record'):
        return True
    if not isinstance(value, (dict, list, tuple, set, frozenset)) or any([value is one for one in above]):
        return False
    if isinstance(value, dict):
        if any([_is_foreign(key) for key in value]):
            return True
        value = list(value.values())
    elif isinstance(value, (set, frozenset)):
        return any([_is_foreign(item) for item in value])
    return any([_has_members(item, [*above, value]) for item in value])


def _is_foreign(key):
    if isinstance(key, tuple):
        return any([_is_foreign(part) for part in key])
    return hasattr(type(key), '_members_')


def _outward(value):
    if isinstance(value, dict):
        return {_outward(key): _outward(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value)([_outward(item) for item in value])
    if hasattr(type(value), '_is_record'):
        return [_outward(part) for part in value]
    return value._value_ if hasattr(type(value), '_members_') else value
