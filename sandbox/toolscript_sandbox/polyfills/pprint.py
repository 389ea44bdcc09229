"""Pretty printing, which runs in CPython on the host. CPython gets objects of scripts as texts."""

from collections import Counter, defaultdict, deque

_KINDS = {'Counter': Counter, 'defaultdict': defaultdict, 'dict': dict, 'list': list, 'tuple': tuple, 'set': set, 'frozenset': frozenset, 'deque': deque}
_PLAIN = 'NoneType bool int float complex str bytes Decimal date datetime time timedelta'.split()


def pformat(object, *args, **options): return _host__('pprint.pformat', _described(object, {}), *args, **options)


def pprint(object, stream=None, *args, **options):
    text = pformat(object, *args, **options)
    print(text) if stream is None else stream.write(f'{text}\n')


def pp(object, *args, sort_dicts=False, **options): pprint(object, *args, sort_dicts=sort_dicts, **options)


def _described(value, known):
    """Return a list with the kind of an object or container and what it consists of, or the value itself.

    `known` has the lists by the ids of what they describe: one for a value that is held many times, or by itself.
    """
    name = type(value).__name__
    if name in _PLAIN and type(getattr(value, 'tzinfo', None)).__name__ in ('NoneType', 'timezone'):
        return value
    if id(value) not in known:
        known[id(value)] = []
        known[id(value)].extend(_parts(value, name, known))
    return known[id(value)]


def _parts(value, name, known):
    kinds = [] if hasattr(value, '_fields') else [kind for kind, one in _KINDS.items() if isinstance(value, one)]
    if not kinds:
        names = [field for field, one in _fields(value) if getattr(one, 'repr', True)]
        is_generated = names and repr(value) == f'{name}({", ".join([f"{field}={getattr(value, field)!r}" for field in names])})'
        parts = [_described(getattr(value, field), known) for field in names] if is_generated else []
        return ['dataclass', name, names, parts] if is_generated else ['object', repr(value)]
    if isinstance(value, dict):
        factory = repr(value.default_factory) if kinds[0] == 'defaultdict' else None
        keys, values = [_described(key, known) for key in value], [_described(item, known) for item in value.values()]
        return [kinds[0], keys, values, factory]
    return [kinds[0], [_described(item, known) for item in value], value.maxlen if kinds[0] == 'deque' else None]


def _fields(value):
    kind = type(value)
    return getattr(kind, '_fields_', getattr(kind, '__dataclass_fields__', {})).items()
