"""What Monty's `dataclasses` lacks."""

from dataclasses import MISSING as _MISSING

from .shown import repr_of

KW_ONLY = None
InitVar = None


class _None:
    pass


NONE = _None()


class _Field:
    def __init__(self, name, found, metadata):
        self.name, self.metadata = name, metadata
        self.default = _MISSING if found.default is NONE else found.default
        self.default_factory = getattr(found, 'default_factory', _MISSING)


def fields(class_or_instance):
    cls = class_or_instance if hasattr(class_or_instance, '__dataclass_fields__') else type(class_or_instance)
    found, told = cls.__dataclass_fields__, getattr(cls, '_metadata_', {})
    return tuple([_Field(name, found[name], told.get(name, {})) for name in found])


def is_dataclass(obj):
    return hasattr(obj, '__dataclass_fields__') or hasattr(type(obj), '__dataclass_fields__')


def asdict(obj, *, dict_factory=dict):
    return dict_factory([(field.name, _plain(getattr(obj, field.name), asdict)) for field in fields(obj)])


def astuple(obj, *, tuple_factory=tuple):
    return tuple_factory([_plain(getattr(obj, field.name), astuple) for field in fields(obj)])


def _plain(value, convert):
    if isinstance(value, dict):
        return {key: _plain(item, convert) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, convert) for item in value]
    if isinstance(value, tuple):
        return tuple([_plain(item, convert) for item in value])
    return convert(value) if hasattr(type(value), '__dataclass_fields__') else value


def replace(obj, **changes):
    unset = getattr(type(obj), '_unset_', ())
    for name in unset:
        if name in changes:
            raise ValueError(f'field {name} is declared with init=False, it cannot be specified with replace()')
    values = {field.name: getattr(obj, field.name) for field in fields(obj) if field.name not in unset}
    values.update(changes)
    return type(obj)(**values)


def furnish(cls, place, made, options, metadata):
    """Gives the class what a dataclass has, as its options say."""
    own = cls.__dataclass_fields__
    cls._metadata_ = {**getattr(cls, '_metadata_', {}), **metadata}
    names = list(own)
    cls._unset_ = [name for name in names if not options.get(name, {}).get('init', True)]
    cls._later_ = [name for name in cls._unset_ if _factory(own[name]) is None]
    if '__init__' in made:
        cls.__init__ = _start(cls, place, names, options)
    if 'object.__repr__' in made:
        cls.__repr__ = lambda self: f'<__main__.{place} object at {id(self):#x}>'
    if '__repr__' in made:
        cls.__repr__ = _repr(place, [name for name in names if options.get(name, {}).get('repr', True)])
        cls._shows_fields_ = True
    compared = [name for name in names if options.get(name, {}).get('compare', True)]
    if '__eq__' in made and len(compared) < len(names):
        cls.__eq__ = _equal(compared)
    hashed = [name for name in names if options.get(name, {}).get('hash', name in compared)]
    if '__hash__' in made and len(hashed) < len(names):
        cls.__hash__ = lambda self: hash(tuple([getattr(self, name) for name in hashed]))


def _start(cls, place, names, options):
    given = [name for name in names if name not in cls._unset_]
    only = [name for name in given if options.get(name, {}).get('kw_only', False)]
    places = [name for name in given if name not in only]
    needed = [name for name in given if not _has_default(cls.__dataclass_fields__[name])]

    def start(self, *args, **words):
        if len(args) > len(places):
            least = len([name for name in places if name in needed])
            count = f'{len(places) + 1}' if least == len(places) else f'from {least + 1} to {len(places) + 1}'
            noun = 'argument' if count == '1' else 'arguments'
            raise TypeError(f'{place}.__init__() takes {count} positional {noun} but {len(args) + 1} were given')
        values = dict(zip(places, args))
        for name, value in words.items():
            if name in values:
                raise TypeError(f"{place}.__init__() got multiple values for argument '{name}'")
            if name not in given:
                raise TypeError(f"{place}.__init__() got an unexpected keyword argument '{name}'")
            values[name] = value
        _refuse_missing(place, 'positional', [name for name in places if name in needed and name not in values])
        _refuse_missing(place, 'keyword-only', [name for name in only if name in needed and name not in values])
        for name in names:
            field = cls.__dataclass_fields__[name]
            if name in values:
                object.__setattr__(self, name, values[name])
            elif _factory(field) is not None:
                object.__setattr__(self, name, _factory(field)())
            elif name in given:
                object.__setattr__(self, name, field.default)
        if hasattr(self, '__post_init__'):
            self.__post_init__()

    return start


def _factory(field):
    found = getattr(field, 'default_factory', _MISSING)
    return None if found is _MISSING else found


def _has_default(field):
    return _factory(field) is not None or (field.default is not _MISSING and field.default is not NONE)


def _refuse_missing(place, kind, names):
    if names:
        shown = [f"'{name}'" for name in names]
        told = shown[0] if len(shown) == 1 else ' and '.join(shown) if len(shown) == 2 else _listed(shown)
        word = 'argument' if len(names) == 1 else 'arguments'
        raise TypeError(f'{place}.__init__() missing {len(names)} required {kind} {word}: {told}')


def _listed(shown):
    return f'{", ".join(shown[:-1])}, and {shown[-1]}'


_shown = []


def _repr(place, names):
    def shown(self):
        if any([self is one for one in _shown]):
            return '...'
        _shown.append(self)
        try:
            return f'{place}({", ".join([f"{name}={repr_of(getattr(self, name))}" for name in names])})'
        finally:
            _shown.pop()

    return shown


def _equal(names):
    def equal(self, other):
        if type(other) is not type(self):
            return NotImplemented
        mine, others = ([getattr(one, name) for name in names] for one in (self, other))
        return mine == others

    return equal
