"""What Monty's `dataclasses` lacks: inherited fields, most options, and the functions."""

from dataclasses import MISSING as _MISSING
from dataclasses import dataclass as _native
from dataclasses import field as _native_field

from .classes import own
from .comparisons import at_least, at_most, greater, less


class Field:
    def __init__(self, default, default_factory, options):
        self.name, self.type, self.default, self.default_factory = None, None, default, default_factory
        self.init, self.repr, self.compare = [options.get(name, True) for name in ('init', 'repr', 'compare')]
        self.kw_only, self.metadata = options.get('kw_only'), options.get('metadata') or {}
        self.hash = self.compare if options.get('hash') is None else options['hash']

    def has_default(self): return self.default is not _MISSING or self.default_factory is not _MISSING


def field(*, default=_MISSING, default_factory=_MISSING, **options): return Field(default, default_factory, options)


def dataclass(cls=None, /, **options):
    return (lambda cls: _furnished(cls, options)) if cls is None else _furnished(cls, options)


def _furnished(cls, options):
    found = {}
    for base in getattr(cls, '_mro_', (cls,))[:0:-1]:
        found.update(_all_of(base) if hasattr(base, '__dataclass_fields__') else {})
    for name, annotation in getattr(cls, '__annotations__', {}).items():
        if annotation.strip('\'"').startswith(('ClassVar', 'typing.ClassVar')):
            continue
        one = found[name] = _own_field(cls, name)
        one.name, one.type = name, annotation
        one.kw_only = options.get('kw_only', False) if one.kw_only is None else one.kw_only
    _check_order(found)
    return _with_methods(cls, found, options)


def _own_field(cls, name):
    value = cls._own_.get(name, _MISSING) if hasattr(cls, '_own_') else getattr(cls, name, _MISSING)
    if isinstance(value, Field):
        return value
    if type(value).__name__ == 'Field':
        return Field(value.default, value.default_factory, {})
    if isinstance(value, (list, dict, set)):
        raise ValueError(f'mutable default {type(value)} for field {name} is not allowed: use default_factory')
    return Field(value, _MISSING, {})


def _check_order(found):
    seen = False
    for name, one in found.items():
        if one.init and not one.kw_only:
            if seen and not one.has_default():
                raise TypeError(f"non-default argument '{name}' follows default argument")
            seen = seen or one.has_default()


def _with_methods(cls, found, options):
    own_names = tuple(cls._own_) if hasattr(cls, '_own_') else [name for name in _WRITTEN if hasattr(cls, name)]
    for name, one in found.items():
        if one.default_factory is not _MISSING:
            setattr(cls, name, _native_field(default_factory=one.default_factory))
        else:
            # Otherwise a field without a default could come after one with a default.
            setattr(cls, name, None if one.default is _MISSING or one.default_factory is not _MISSING else one.default)
    _native(cls, **{name: options[name] for name in ('frozen', 'eq') if name in options})
    own(cls, '_fields_', found)
    own(cls, '__dataclass_fields__', cls.__dataclass_fields__)
    for name, one in found.items():
        if one.default is not _MISSING:
            own(cls, name, one.default)
    compared, methods = [name for name, one in found.items() if one.compare], {}
    if options.get('init', True):
        methods['__init__'] = _start(cls, found)
    if options.get('repr', True):
        methods['__repr__'] = _repr([name for name, one in found.items() if one.repr])
    if options.get('eq', True):
        methods['__eq__'] = _ordering(compared, lambda a, b: a == b)
        hashed = [name for name, one in found.items() if one.hash]
        by_value = lambda self: hash(tuple([getattr(self, name) for name in hashed]))
        methods['__hash__'] = by_value if options.get('frozen') or options.get('unsafe_hash') else None
    if options.get('order'):
        for name, compare in _ORDER.items():
            if name in own_names:
                raise TypeError(f'Cannot overwrite attribute {name} in class {cls.__name__}. Consider using functools.total_ordering')
            methods[name] = _ordering(compared, compare)
    methods['__match_args__'] = tuple([name for name, one in found.items() if one.init and not one.kw_only])
    for name, method in methods.items():
        if name not in own_names or (name == '__hash__' and cls.__hash__ is None):
            own(cls, name, method)
    return cls


def _start(cls, found):
    given = [name for name, one in found.items() if one.init]
    places = [name for name in given if not found[name].kw_only]

    def start(self, /, *args, **words):
        values = {**dict(zip(places, args)), **words}
        wrong = [name for name in words if name not in given or name in places[: len(args)]]
        missing = [name for name in given if name not in values and not found[name].has_default()]
        if wrong or missing or len(args) > len(places):
            problem = f'missing arguments: {missing}' if missing else f'wrong arguments: {wrong or args[len(places) :]}'
            raise TypeError(f'{cls.__name__}.__init__() got {problem}; it takes {given}')
        for name, one in found.items():
            if name not in values and one.has_default():
                values[name] = one.default if one.default_factory is _MISSING else one.default_factory()
            if name in values:
                object.__setattr__(self, name, values[name])
        if hasattr(self, '__post_init__'):
            self.__post_init__()

    return start


_shown = []


def _repr(names):
    def shown(self):
        if any([self is one for one in _shown]):
            return '...'
        _shown.append(self)
        try:
            return f'{type(self).__name__}({", ".join([f"{name}={getattr(self, name)!r}" for name in names])})'
        finally:
            _shown.pop()

    return shown


def _ordering(names, compare):
    def asked(self, other):
        if type(other) is not type(self):
            return NotImplemented
        mine, others = [tuple([getattr(one, name) for name in names]) for one in (self, other)]
        return compare(mine, others)

    return asked


_ORDER = {'__lt__': less, '__le__': at_most, '__gt__': greater, '__ge__': at_least}
_WRITTEN = ['__init__', '__repr__', '__eq__', '__hash__', '__match_args__', *_ORDER]


def _all_of(cls):
    if hasattr(cls, '_fields_'):
        return cls._fields_
    found = {}
    for name, one in cls.__dataclass_fields__.items():
        found[name] = Field(one.default, one.default_factory, {})
        found[name].name, found[name].type = name, one.type
    return found


def fields(class_or_instance):
    cls = class_or_instance if type(class_or_instance).__name__ == 'type' else type(class_or_instance)
    if not hasattr(cls, '__dataclass_fields__'):
        raise TypeError('must be called with a dataclass type or instance')
    return tuple(_all_of(cls).values())


def asdict(obj, *, dict_factory=dict):
    return dict_factory([(one.name, _plain(getattr(obj, one.name), asdict, dict_factory)) for one in fields(obj)])


def astuple(obj, *, tuple_factory=tuple):
    return tuple_factory([_plain(getattr(obj, one.name), astuple, tuple_factory) for one in fields(obj)])


def _plain(value, convert, factory):
    if isinstance(value, dict):
        return {_plain(key, convert, factory): _plain(item, convert, factory) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, convert, factory) for item in value]
    if isinstance(value, tuple):
        items = [_plain(item, convert, factory) for item in value]
        return type(value)(*items) if hasattr(value, '_fields') else tuple(items)
    if not hasattr(type(value), '__dataclass_fields__'):
        return value
    return asdict(value, dict_factory=factory) if convert is asdict else astuple(value, tuple_factory=factory)


def replace(obj, /, **changes):
    values = {}
    for one in _all_of(type(obj)).values():
        if not one.init:
            if one.name in changes:
                raise ValueError(f'field {one.name} is declared with init=False, it cannot be specified with replace()')
        else:
            values[one.name] = getattr(obj, one.name)
    return type(obj)(**{**values, **changes})
