"""Writing JSON of objects that it does not know."""

import json


def loads(s, *, object_hook=None, **options):
    found = json.loads(s, **options)
    return found if object_hook is None else _hooked(found, object_hook)


def _hooked(value, hook):
    # The inner objects come first, as they are read.
    if isinstance(value, dict):
        return hook({key: _hooked(item, hook) for key, item in value.items()})
    return [_hooked(item, hook) for item in value] if isinstance(value, list) else value


def dumps(obj, *, default=None, **options):
    return json.dumps(_plain(obj, default), **options)


def _plain(obj, default):
    if obj is None or isinstance(obj, (str, int, float)):
        return obj
    if isinstance(obj, dict):
        return {_key(key): _plain(value, default) for key, value in obj.items()}
    if isinstance(obj, (list, tuple)) or hasattr(type(obj), '_is_record'):
        return [_plain(item, default) for item in obj]
    if _is_data(obj):
        return obj._value_
    if default is None:
        raise TypeError(f'Object of type {type(obj).__name__} is not JSON serializable')
    return _plain(default(obj), default)


def _key(key):
    return key._value_ if _is_data(key) else key


def _is_data(obj):
    # Members of enumerations that are texts or numbers.
    return getattr(type(obj), '_is_data', False)
