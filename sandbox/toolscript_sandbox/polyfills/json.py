"""JSON of objects that Monty's `json` does not know, and objects made of what is read."""

import json
from json import JSONDecodeError

from .enum import plain as _member
from .exceptions import caught, raised


def loads(s, *, object_hook=None, object_pairs_hook=None, strict=True, **options):
    if object_pairs_hook is not None or not strict:
        if options:
            raise TypeError(f'json.loads takes no {", ".join(options)} here beside object_pairs_hook or strict')
        return _hooked(_pairs(s, strict), object_pairs_hook or (lambda pairs: (object_hook or dict)(dict(pairs))))
    found = json.loads(s, **options)
    return found if object_hook is None else _hooked(found, lambda pairs: object_hook(dict(pairs)))


def located(s, **options):
    """`loads` of a script that looks at errors: CPython says where and in which words."""
    try:
        return loads(s, **options)
    except JSONDecodeError:
        return _pairs(s, options.get('strict', True))


def _pairs(s, strict):
    try:
        return _host__('json.pairs', s, strict)
    except ValueError as error:
        found = caught(JSONDecodeError(str(error)))
        found.doc = s if isinstance(s, str) else s.decode()
        raise raised(found)


def _hooked(value, hook):
    # Inner objects come first, in the order in which they are read.
    if isinstance(value, (dict, tuple)):
        pairs = value.items() if isinstance(value, dict) else value
        return hook([(key, _hooked(item, hook)) for key, item in pairs])
    return [_hooked(item, hook) for item in value] if isinstance(value, list) else value


class JSONEncoder:
    def __init__(self, *, default=None, **options):
        self._options = options
        if default is not None:
            self.default = default

    def default(self, o): raise TypeError(f'Object of type {type(o).__name__} is not JSON serializable')
    def encode(self, o): return dumps(o, default=self.default, **self._options)


JSONEncoder._own_ = {'__init__': JSONEncoder.__init__, 'default': JSONEncoder.default, 'encode': JSONEncoder.encode}
JSONEncoder._mro_, JSONEncoder._below_, JSONEncoder._is_abc_ = (JSONEncoder,), [], False


def dumps(obj, *, default=None, cls=None, check_circular=True, **options):
    if cls is not None:
        return cls(default=default, **options).encode(obj)
    return json.dumps(_plain(obj, default), **options)


def dump(obj, fp, **options): fp.write(dumps(obj, **options))
def load(fp, **options): return loads(fp.read(), **options)


def _plain(obj, default):
    if obj is None or isinstance(obj, (str, int, float)):
        return obj
    if isinstance(obj, dict):
        return {_member(key): _plain(value, default) for key, value in obj.items()}
    if isinstance(obj, (list, tuple)):
        return [_plain(item, default) for item in obj]
    value = _member(obj)
    if value is not obj:
        return _plain(value, default)
    if default is None:
        raise TypeError(f'Object of type {type(obj).__name__} is not JSON serializable')
    return _plain(default(obj), default)
