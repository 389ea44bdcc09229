"""Enums: an object that contains the members, because a class cannot do that without a metaclass."""

from .classes import OfClass
from .operator import add, and_, floordiv, ge, gt, le, lt, mod, mul, or_, pow, sub, truediv, xor


class _Kind:
    """`Enum` and the like as values; classes that inherit from them are decorated instead."""

    def __init__(self, name): self.__name__ = name
    def _covers_(self, cls): return isinstance(cls, Members) and self.__name__ in (cls._kind, 'Enum')
    def __repr__(self): return f"<enum '{self.__name__}'>"


Enum, Flag, IntEnum, StrEnum = _Kind('Enum'), _Kind('Flag'), _Kind('IntEnum'), _Kind('StrEnum')


class auto:
    """A value that is assigned later; `READ | WRITE` of two of them in the body of a class is one, too."""

    def __init__(self, *parts): self.parts = parts
    def __or__(self, other): return auto(self, other)


def _number_of(value):
    return value if isinstance(value, int) else value.number if not value.parts else or_(*map(_number_of, value.parts))


def unique(cls):
    for name, member in cls.__members__.items():
        if member._name_ != name:
            raise ValueError(f'duplicate values found in {cls!r}: {name} -> {member._name_}')
    return cls


class Members:
    """The value of an enum's name."""

    def __init__(self, name, kind):
        self.__name__, self._kind = name, kind
        self.__members__, self._functions = {}, {}

    def refuse(self, name):
        if name in ('name', 'value'):
            raise AttributeError(f"<enum 'Enum'> cannot set attribute '{name}'")

    def _covers_(self, cls): return cls is self or self in getattr(cls, '_line', ())

    def _with(self, value):
        return [one for one in self.__members__.values() if one is value or one._value_ == plain(value)]

    def __call__(self, value):
        found = self._with(value)
        if found:
            return found[0]
        if self._kind == 'Flag':
            return _combined(self, value)
        found = self._missing_(value) if hasattr(self, '_missing_') else None
        if found is None:
            raise ValueError(f'{value!r} is not a valid {self.__name__}')
        return found

    def __getitem__(self, name):
        if name not in self.__members__:
            raise KeyError(name)
        return self.__members__[name]

    def __iter__(self): return iter(_canonical(self))
    def __reversed__(self): return iter(_canonical(self)[::-1])
    def __len__(self): return len(_canonical(self))
    def __contains__(self, value): return bool(self._with(value))
    def __repr__(self): return f"<enum '{self.__name__}'>"


def _canonical(members):
    # Aliases have the name of their member.
    found = [member for name, member in members.__members__.items() if member._name_ == name]
    return [one for one in found if members._kind != 'Flag' or one._value_ and not one._value_ & (one._value_ - 1)]


def _all_of(members): return sum([one._value_ for one in _canonical(members)])


def _combined(members, value):
    """Return the flag with these bits, which may be no member of the class. There is one for each value."""
    every = _all_of(members)
    if isinstance(value, int) and -every - 1 <= value < 0:
        return members(value & every)
    if not isinstance(value, int) or value & ~every:
        raise ValueError(f'<flag {members.__name__!r}> invalid value {value!r}')
    if value not in members._combined:
        member = members._combined[value] = members._made()
        member.value = member._value_ = value
        parts = [one._name_ for one in _canonical(members) if one._value_ & value]
        member.name = member._name_ = '|'.join(parts) if parts else None
    return members._combined[value]


def members(kind, names, functions, bases):
    """Return a class decorator that makes these names members; `functions` are the names of functions."""

    def made(cls):
        found = Members(cls.__name__, kind)
        found._line = [one for base in bases for one in (base, *getattr(base, '_line', ()))]
        cls._enum_, found._made, found._combined = found, cls, {}
        if kind in _DATA:
            cls._is_data_, cls._natives = True, (_DATA[kind],)
        own = {}
        for base in bases[::-1]:
            own.update(base._functions if isinstance(base, Members) else base._own_)
        own.update({key: getattr(cls, key) for key in functions.split() if hasattr(cls, key)})
        found._functions = own
        for key, function in own.items():
            if hasattr(function, 'cls'):
                own[key] = function = OfClass(function.function, found)
            setattr(cls, key, function)
            setattr(found, key, function)
        for key, function in {**_FOR_ALL, **_KIND_METHODS.get(kind, {})}.items():
            if key not in own:
                setattr(cls, key, function)
        start = own.get('__init__')
        if start is not None:
            cls.__init__ = lambda self: None
        values = []
        for key in names.split():
            value = getattr(cls, key)
            if isinstance(value, auto):
                value.number = _number_of(value) if value.parts else _next(cls, kind, key, values)
                value = value.number
            values.append(value)
            member = found.__members__[key] = _member(found, cls, key, value, start)
            setattr(found, key, member)
            setattr(cls, key, member)
        return found

    return made


def _next(cls, kind, key, values):
    if hasattr(cls, '_generate_next_value_'):
        return cls._generate_next_value_(key, 1, len(values), values)
    if kind == 'StrEnum':
        return key.lower()
    numbers = [value for value in values if isinstance(value, (int, float))]
    if kind == 'Flag':
        return 1 << len(bin(max(numbers))) - 2 if any(numbers) else 1
    return max(numbers) + 1 if numbers else 1


def _member(members, cls, key, value, start):
    given = value if isinstance(value, tuple) else (value,)
    if members._kind in _DATA:
        value = _DATA[members._kind](*given)
    for other in members.__members__.values():
        if other._value_ == value:
            return other
    member = cls()
    member.__enum__ = members.__name__
    member.name = member._name_ = key
    member.value = member._value_ = value
    if start is not None:
        start(member, *given)
        if member._value_ is not member.value:
            member.value = member._value_
    return member


def plain(value):
    """Return the text or number that a member represents."""
    return value._value_ if hasattr(type(value), '_is_data_') else value


def texts(items):
    """Convert the argument of `join`."""
    return [plain(item) for item in items]


def given(obj, args):
    """Convert the arguments of a method of a text."""
    if not isinstance(obj, str):
        return args
    return [tuple(texts(arg)) if isinstance(arg, tuple) else plain(arg) for arg in args]


def inside(value, found):
    """`value in found`."""
    return (plain(value) if isinstance(found, str) else value) in found


def same(self, other): return self._value_ == plain(other)


def _compared(compare):
    def asked(self, other):
        other = plain(other)
        kinds = str if isinstance(self._value_, str) else (int, float)
        return compare(self._value_, other) if isinstance(other, kinds) else NotImplemented

    return asked


_ARITHMETIC = {
    **{'add': add, 'sub': sub, 'mul': mul, 'truediv': truediv, 'floordiv': floordiv, 'mod': mod, 'pow': pow},
    'divmod': divmod,
    **{'and': and_, 'or': or_, 'xor': xor, 'lshift': lambda a, b: a << b, 'rshift': lambda a, b: a >> b},
}


def _left(operator): return lambda a, b: operator(a._value_, plain(b))
def _right(operator): return lambda a, b: operator(b, a._value_)


_BOTH = {
    '__eq__': same,
    '__hash__': lambda a: hash(a._value_),
    **{'__lt__': _compared(lt), '__le__': _compared(le), '__gt__': _compared(gt), '__ge__': _compared(ge)},
    **{f'__{name}__': _left(operator) for name, operator in _ARITHMETIC.items()},
    **{f'__r{name}__': _right(operator) for name, operator in _ARITHMETIC.items()},
    '__int__': lambda a: int(a._value_),
    '__float__': lambda a: float(a._value_),
    '__bool__': lambda a: bool(a._value_),
}
_NUMBERS = {
    **_BOTH,
    '__neg__': lambda a: -a._value_,
    '__pos__': lambda a: a._value_,
    '__invert__': lambda a: ~a._value_,
    '__abs__': lambda a: abs(a._value_),
    '__round__': lambda a, digits=None: a._value_,
    '__index__': lambda a: a._value_,
}
_TEXTS = {
    **_BOTH,
    '__len__': lambda a: len(a._value_),
    '__contains__': lambda a, part: plain(part) in a._value_,
    '__getitem__': lambda a, place: a._value_[place],
    '__iter__': lambda a: iter(a._value_),
    'capitalize': lambda a: a._value_.capitalize(),
    'casefold': lambda a: a._value_.casefold(),
    'center': lambda a, *args: a._value_.center(*args),
    'count': lambda a, *args: a._value_.count(*args),
    'encode': lambda a, *args: a._value_.encode(*args),
    'endswith': lambda a, *args: a._value_.endswith(*args),
    'find': lambda a, *args: a._value_.find(*args),
    'join': lambda a, items: a._value_.join(texts(items)),
    'ljust': lambda a, *args: a._value_.ljust(*args),
    'lower': lambda a: a._value_.lower(),
    'partition': lambda a, part: a._value_.partition(part),
    'removeprefix': lambda a, part: a._value_.removeprefix(part),
    'removesuffix': lambda a, part: a._value_.removesuffix(part),
    'replace': lambda a, *args: a._value_.replace(*args),
    'rjust': lambda a, *args: a._value_.rjust(*args),
    'split': lambda a, *args: a._value_.split(*args),
    'startswith': lambda a, *args: a._value_.startswith(*args),
    'strip': lambda a, *args: a._value_.strip(*args),
    'title': lambda a: a._value_.title(),
    'upper': lambda a: a._value_.upper(),
}


def _bits(operator):
    def combined(a, b): return type(a)._enum_(operator(a._value_, b._value_)) if type(a) is type(b) else NotImplemented

    return combined


_FLAGS = {
    **{'__or__': _bits(or_), '__and__': _bits(and_), '__xor__': _bits(xor)},
    '__invert__': lambda a: type(a)._enum_(_all_of(type(a)._enum_) & ~a._value_),
    '__bool__': lambda a: a._value_ != 0,
    '__contains__': lambda a, part: part._value_ & a._value_ == part._value_,
    '__iter__': lambda a: iter([one for one in _canonical(type(a)._enum_) if one._value_ & a._value_]),
    '__len__': lambda a: bin(a._value_).count('1'),
    '__str__': lambda a: _FOR_ALL['__str__'](a) if a._name_ else f'{type(a)._enum_.__name__}({a._value_})',
    '__repr__': lambda a: _FOR_ALL['__repr__'](a) if a._name_ else f'<{type(a)._enum_.__name__}: {a._value_}>',
}
_PLAIN_TEXT = {'__str__': lambda a: str(a._value_)}
_DATA = {'str': str, 'StrEnum': str, 'int': int, 'IntEnum': int}
_KIND_METHODS = {
    'Flag': _FLAGS,
    'str': _TEXTS,
    'StrEnum': {**_TEXTS, **_PLAIN_TEXT},
    'int': _NUMBERS,
    'IntEnum': {**_NUMBERS, **_PLAIN_TEXT},
}
_FOR_ALL = {
    '__str__': lambda a: f'{type(a)._enum_.__name__}.{a._name_}',
    '__repr__': lambda a: f'<{type(a)._enum_.__name__}.{a._name_}: {a._value_!r}>',
    '__copy__': lambda a: a,
    '__deepcopy__': lambda a, memo: a,
}
