"""Features that Monty's classes lack: bases, properties, static and class methods, and access to attributes by name.

A class statement of a script runs without its bases. Then `derived` copies the members of the bases to the class, in
Python's method resolution order. `_own_` contains the members that a class defines itself, and `_mro_` that order.
"""

from collections import namedtuple
from dataclasses import MISSING

from .carriers import NATIVE
from .iterators import Items, iterates


class Property:
    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget, self.fset, self.fdel, self.kept = fget, fset, fdel, False

    def getter(self, fget): return Property(fget, self.fset, self.fdel)
    def setter(self, fset): return Property(self.fget, fset, self.fdel)
    def deleter(self, fdel): return Property(self.fget, self.fset, fdel)


def cached_property(function):
    found = Property(function)
    found.kept = True
    return found


class Static:
    """A static method: Monty only binds functions, so an object around one is not bound."""

    def __init__(self, function): self.function = function
    def __call__(self, /, *args, **kwargs): return self.function(*args, **kwargs)


class OfClass:
    def __init__(self, function, cls=None): self.function, self.cls = function, cls
    def __call__(self, /, *args, **kwargs): return self.function(self.cls, *args, **kwargs)


class Abstract:
    """Marks an abstract method until the class has its bases."""

    def __init__(self, function): self.function = function


def _is_abstract(member):
    member = member.fget if isinstance(member, Property) else member
    return isinstance(getattr(member, 'function', None) if isinstance(member, (OfClass, Static)) else member, Abstract)


def method(function):
    """Make a cached function a method, because Monty does not bind objects."""
    return lambda *args, **kwargs: function(*args, **kwargs)


def is_class(obj): return type(obj).__name__ == 'type'
def line(cls): return (*getattr(cls, '_mro_', (cls,)), object)


def derived(bases, names, all_names='', is_abc=False, key=None):
    """Return a class decorator: `names` are those of its body, `all_names` those of bases without the decorator."""

    def made(cls):
        for base in bases:
            if not hasattr(base, '_own_'):
                _begun(base, all_names.split(), ())
        _begun(cls, names.split(), bases)
        cls._key_, cls._is_abc_ = key, is_abc or any([base._is_abc_ for base in bases])
        for name in {name: None for one in cls._mro_ for name in one._own_}:
            _take(cls, name)
        if '__init__' not in cls._own_ and cls._is_abc_:
            _take(cls, '__init__')
        if _find(cls._mro_, '__getitem__') is not None and _find(cls._mro_, '__iter__') is None:
            cls.__iter__ = by_index
        return cls

    return made


_OF_DATACLASSES = '__init__ __repr__ __eq__ __hash__ __match_args__ __dataclass_fields__ _fields_'.split()


def _begun(cls, names, bases):
    if not is_class(cls) or any([cls is one for one in _BUILTIN]):
        raise TypeError('a class can only have classes of the script as its bases here')
    cls._own_ = {name: getattr(cls, name) for name in (*names, *_OF_DATACLASSES) if hasattr(cls, name)}
    if '__eq__' in cls._own_ and '__hash__' not in cls._own_:
        cls._own_['__hash__'] = None
    cls._below_, cls._is_abc_ = [], False
    cls._mro_ = (cls, *_merged([[*base._mro_] for base in bases] + [[*bases]]))
    for base in bases:
        base._below_.append(cls)


def _merged(lines):
    """Merge the orders of the bases like Python's C3 linearization."""
    found = []
    while any(lines):
        lines = [line for line in lines if line]
        heads = [line[0] for line in lines if not any([line[0] in other[1:] for other in lines])]
        if not heads:
            raise TypeError('Cannot create a consistent method resolution order (MRO) for these bases')
        found.append(heads[0])
        lines = [[one for one in line if one is not heads[0]] for line in lines]
    return found


def _take(cls, name):
    member = _find(cls._mro_, name)
    if name == '__init__' and cls._is_abc_:
        member = _forbidding(cls, member)
        if member is None:
            return
    member = member.function if isinstance(member, Abstract) else member
    setattr(cls, name, OfClass(member.function, cls) if isinstance(member, OfClass) else member)


def _find(line, name):
    for one in line:
        if name in one._own_:
            return one._own_[name]
    return None


def own(cls, name, member):
    """Add a member to the class as if its body defined it; subclasses inherit it."""
    if not hasattr(cls, '_own_'):
        return setattr(cls, name, member)
    cls._own_[name] = member
    for one in (cls, *_all_below(cls)):
        _take(one, name)


def _all_below(cls): return [one for below in cls._below_ for one in (below, *_all_below(below))]


def _forbidding(cls, start):
    """Return the `__init__` of an abstract class."""
    names = sorted({name for one in cls._mro_ for name in one._own_ if _is_abstract(_find(cls._mro_, name))})
    if not names:
        return start

    def made(self, /, *args, **kwargs):
        if type(self) is cls:
            word = 'method' if len(names) == 1 else 'methods'
            raise TypeError(f"Can't instantiate abstract class {cls.__name__} with abstract {word} {', '.join(names)}")
        if start is not None:
            start(self, *args, **kwargs)

    return made


def above(obj, owner, name):
    """`super().name`: the member after `owner` in the order of the object's class. `owner` is the class or its key."""
    kind = obj if is_class(obj) else type(obj)
    line = getattr(kind, '_mro_', (kind,))
    places = [place for place, one in enumerate(line) if one is owner or getattr(one, '_key_', None) == owner]
    for one in line[places[0] + 1 :]:
        if name in one._own_:
            return _bound(one._own_[name], obj, kind)
    if name in _OF_OBJECT:
        return _OF_OBJECT[name](obj)
    raise AttributeError(f"'super' object has no attribute '{name}'")


def _bound(member, obj, kind):
    if isinstance(member, OfClass):
        return OfClass(member.function, kind)
    member = member.function if isinstance(member, Abstract) else member
    if obj is kind or isinstance(member, Static):
        return member
    if isinstance(member, Property):
        return member.fget(obj)
    return (lambda *args, **kwargs: member(obj, *args, **kwargs)) if type(member).__name__ == 'function' else member


def _nothing(*args, **kwargs):
    if args or kwargs:
        raise TypeError('object.__init__() takes exactly one argument (the instance to initialize)')


_OF_OBJECT = {
    '__init__': lambda obj: _nothing,
    '__post_init__': lambda obj: getattr(obj, '_no_post_init_'),
    '__eq__': lambda obj: lambda other: True if obj is other else NotImplemented,
    '__hash__': lambda obj: lambda: id(obj),
    '__repr__': lambda obj: lambda: f'<{type(obj).__name__} object at {id(obj):#x}>',
    '__str__': lambda obj: lambda: repr(obj),
}
_BUILTIN = (object, type, int, float, complex, bool, str, bytes, list, tuple, dict, set, frozenset, range, slice)


_members = {}
"""What named tuples have beside their fields, by their classes."""


def with_members(cls, holder, names): _members[cls] = {name: getattr(holder, name) for name in names.split()}


# Attributes by name


def read(obj, name, native=None):
    """`obj.name`, if the name is that of a property or of a function's attribute."""
    kind = type(obj)
    if kind.__name__ == 'function' or name in _parts(obj):
        return beside(obj, name)
    owner = obj if kind.__name__ == 'type' else kind
    if name in _members.get(owner, ()):
        return _bound(_members[owner][name], obj, owner)
    if native is not None and not hasattr(obj, name):
        return lambda *args, **kwargs: native(obj, *args, **kwargs)
    member = getattr(obj, name)
    if isinstance(member, Gone):
        raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'")
    if not isinstance(member, Property) or kind.__name__ == 'type':
        return member
    if member.fget is None:
        raise AttributeError(f"property '{name}' of '{kind.__name__}' object has no getter")
    value = member.fget(obj)
    if member.kept:
        _put(obj, name, value)
    return value


def store(obj, name, value):
    """`obj.name = value`."""
    kind = type(obj)
    if kind.__name__ == 'function' or (kind.__name__ == 'type' and name == '__name__'):
        return set_beside(obj, name, value)
    if kind.__name__ == 'type':
        return own(obj, name, value)
    member = getattr(kind, name, None)
    if isinstance(member, Property) and not member.kept:
        if member.fset is None:
            raise AttributeError(f"property '{name}' of '{kind.__name__}' object has no setter")
        return member.fset(obj, value)
    if hasattr(kind, '_enum_'):
        kind._enum_.refuse(name)
    _put(obj, name, value)


def _put(obj, name, value):
    """Set an attribute and record its name, because Monty does not list the attributes of an object."""
    setattr(obj, name, value)
    names = getattr(obj, '_names_', ())
    if name not in names and has_attributes(obj):
        object.__setattr__(obj, '_names_', (*names, name))


def attributes(obj, error=AttributeError):
    """`obj.__dict__`, as a new dict. `store` must have set the attributes."""
    if not has_attributes(obj) or is_class(obj):
        raise error(f"'{type(obj).__name__}' object has no __dict__ here")
    fields = getattr(obj, '_fields_', getattr(obj, '__dataclass_fields__', {}))
    starts = [name for name, one in fields.items() if getattr(one, 'init', True) or one.default_factory is not MISSING]
    found = {name: getattr(obj, name) for name in (*starts, *obj._names_) if hasattr(obj, name)}
    return {name: value for name, value in found.items() if not isinstance(value, Gone)}


def vars(obj): return attributes(obj, TypeError)


def has_attributes(obj):
    """`hasattr(obj, '__dict__')`."""
    try:
        object.__setattr__(obj, '_names_', getattr(obj, '_names_', ()))
    except (AttributeError, TypeError):
        return type(obj).__name__ in ('type', 'function')
    return True


class Slot:
    """`Slot(obj)['name']` replaces `obj.name` among several targets, and as that of a loop."""

    def __init__(self, obj): self._obj = obj
    def __setitem__(self, name, value): store(self._obj, name, value)


class Gone:
    """The value of a deleted attribute, because Monty cannot delete attributes."""


def delete(obj, name):
    """`del obj.name`."""
    kind = type(obj)
    member = getattr(kind, name, None)
    if not isinstance(member, Property):
        read(obj, name)
        setattr(obj, name, Gone())
    elif not member.kept:
        if member.fdel is None:
            raise AttributeError(f"property '{name}' of '{kind.__name__}' object has no deleter")
        member.fdel(obj)
    elif getattr(obj, name) is member:
        raise AttributeError(name)
    else:
        setattr(obj, name, member)


def get(obj, name, *default):
    """`getattr`."""
    try:
        return name_of(obj) if name == '__name__' else read(obj, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def has(obj, name, kinds=''):
    """`hasattr`; `kinds` are the builtin types that have it, as in `builtins.hasattr`."""
    if type(obj).__name__ in kinds.split():
        return True
    if name == '__iter__' and is_by_index(obj):
        return False
    try:
        get(obj, name)
    except AttributeError:
        return iterates(obj, name)
    return True


def class_of(obj, *rest):
    """`type(obj)`."""
    kind = type(obj, *rest)
    return kind._enum_ if hasattr(kind, '_enum_') else kind


def is_a(obj, kinds):
    """`isinstance`."""
    # A member of an `IntEnum` is also a number.
    plain = obj._value_ if hasattr(type(obj), '_is_data_') else obj
    is_native = lambda kind: isinstance(obj, kind) or isinstance(plain, kind) or _offers(type(obj), obj, kind)
    return _is_any(type(obj), kinds, is_native, obj)


def checkable(asked):
    """`runtime_checkable` of a protocol with these members, each with the builtin types that have it."""

    def made(cls):
        cls._asked_ = asked
        return cls

    return made


def _offers(cls, obj, kind):
    asked = getattr(kind, '_asked_', None)
    return asked is not None and all([cls.__name__ in asked[name].split() or has(obj, name) for name in asked])


def is_below(cls, kinds):
    """`issubclass`."""
    def is_native(kind):
        is_subclass = kind is object or cls is kind or (cls is bool and kind is int) or _is_error(cls, kind)
        return is_subclass or _offers(cls, cls, kind)
    return _is_any(cls, kinds, is_native, None)


def _is_error(cls, kind): return any([one is cls and (base is kind or _is_error(base, kind)) for one, base in NATIVE])


def _is_any(cls, kinds, is_native, obj):
    for wanted in kinds if isinstance(kinds, tuple) else (kinds,):
        if isinstance(wanted, tuple):
            if _is_any(cls, wanted, is_native, obj):
                return True
        elif wanted is type:
            if obj is not None and (is_class(obj) or hasattr(type(obj), '_covers_')):
                return True
        elif hasattr(type(wanted), '_covers_'):
            if wanted._covers_(getattr(cls, '_enum_', cls)):
                return True
        elif any([one is wanted for one in (*getattr(cls, '_mro_', ()), *getattr(cls, '_natives', ()))]) or is_native(
            wanted
        ):
            return True
    return False


def by_index(self):
    """`__iter__` of a class that only has `__getitem__`."""
    return Items(self)


def is_by_index(obj): return getattr(type(obj), '__iter__', None) is by_index


def mapping(obj):
    """Convert an argument of `dict` that has `keys` to a dict."""
    return {key: obj[key] for key in obj.keys()} if hasattr(type(obj), 'keys') and hasattr(obj, '__getitem__') else obj


def itself(self):
    """`__iter__` of an iterator."""
    return self


def formatted(obj, spec=''):
    """`format(obj, spec)`, for which Monty does not ask objects."""
    if hasattr(type(obj), '__format__'):
        return type(obj).__format__(obj, spec)
    if hasattr(type(obj), '_enum_'):
        return format(obj._value_ if spec and obj._enum_._kind in ('StrEnum', 'IntEnum') else str(obj), spec)
    return format(obj, spec)


def outward(value, depth=50):
    """Convert a result or argument: the host cannot have enum members as keys, nor see a class before its object."""
    kind = type(value)
    if kind is dict and depth:
        return {getattr(key, '_value_', key): outward(item, depth - 1) for key, item in value.items()}
    if kind in (list, tuple) and depth:
        return kind([outward(item, depth - 1) for item in value])
    if kind in (set, frozenset):
        return [getattr(item, '_value_', item) for item in value]
    if hasattr(kind, '_covers_') and hasattr(value, '__members__'):
        return {name: member._value_ for name, member in value.__members__.items()}
    return repr(value) if kind.__name__ == 'type' else value


# Functions have no attributes, so they are stored separately.

_beside = {}
"""By the `id` of a function, the function and its attributes: Monty has one hash for all closures of a function."""


def _parts(function): return _beside[id(function)][1] if id(function) in _beside else {}


def beside(function, name):
    if name == '__name__':
        return name_of(function)
    parts = _parts(function)
    if name not in parts:
        if name == '__doc__':
            return None
        raise AttributeError(f"'function' object has no attribute '{name}'")
    return parts[name]


_values = {}
"""Methods that scripts read as values: by the `id` of their object and the name, the object and the method."""
_MAX_VALUES = 10_000


def as_value(obj, name):
    """`obj.name` as a value: a method equals itself when it is read again, and has a name."""
    method = getattr(obj, name)
    if type(method).__name__ != 'function' or repr(method) != '<bound method>':
        return method
    owner, value = _values.get((id(obj), name), (None, None))
    if owner is not obj:
        value = lambda *args, **kwargs: method(*args, **kwargs)
        set_beside(value, '__name__', name)
        if len(_values) == _MAX_VALUES:
            for _, old in _values.values():
                _beside.pop(id(old))
            _values.clear()
        _values[(id(obj), name)] = obj, value
    return value


def set_beside(function, name, value): _beside.setdefault(id(function), (function, {}))[1][name] = value


def with_part(function, name, value):
    set_beside(function, name, value)
    return function


def documented(text): return lambda function: with_part(function, '__doc__', text)


def carried_over(wrapper, wrapped):
    """Do what `functools.wraps` does."""
    if not hasattr(wrapped, '__name__') and type(wrapped).__name__ not in _NAMED:
        return wrapper
    keep = set_beside if type(wrapper).__name__ in ('function', 'type', '_lru_cache_wrapper') else setattr
    for name, value in {'__doc__': getattr(wrapped, '__doc__', None), **_parts(wrapped), '__name__': name_of(wrapped)}.items():
        keep(wrapper, name, value)
    return wrapper


def kept(decorator):
    """Make a decorator of Monty keep the name and attributes of the function."""
    return lambda function: carried_over(decorator(function), function)


_NAMED = ('function', 'builtin_function_or_method', 'type', '_lru_cache_wrapper')


def name_of(obj, known=None):
    """`obj.__name__`; `known` is the name with which a method was read from its object."""
    kind = type(obj).__name__
    if '__name__' in _parts(obj):
        return _parts(obj)['__name__']
    shown = repr(obj) if kind != 'type' or not hasattr(obj, '__name__') else ''
    if kind == 'function' and shown == '<bound method>':
        if known is not None:
            return known
        raise NotImplementedError('a method that getattr returned has no __name__ here')
    if isinstance(obj, (Static, OfClass)):
        return name_of(obj.function)
    if not shown or kind not in ('type', 'function', 'builtin_function_or_method', 'coroutine'):
        found = obj.__name__
    else:
        # "<class 'ValueError'>", "<function 'f' at 0xc>", "<function sqrt at 0xc>", "<built-in function len>"
        found = shown.split("'")[1] if "'" in shown else shown.removeprefix('<built-in ').split()[1].rstrip('>')
        found = found.split('.')[-1]
    # `_fractions__Fraction` is the name of a polyfill.
    return found.split('__', 1)[1] if found.startswith('_') and '__' in found.strip('_') else found

