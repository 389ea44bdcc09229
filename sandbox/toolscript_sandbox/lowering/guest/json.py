"""Writing JSON of objects that it does not know."""

import json


def dumps(obj, *, default=None, cls=None, **options):
    return json.dumps(_plain(obj, default), **options)


def _plain(obj, default):
    if obj is None or isinstance(obj, (str, int, float)):
        return obj
    if isinstance(obj, dict):
        return {key: _plain(value, default) for key, value in obj.items()}
    if isinstance(obj, (list, tuple)):
        return [_plain(item, default) for item in obj]
    if default is None:
        raise TypeError(f'Object of type {type(obj).__name__} is not JSON serializable')
    return _plain(default(obj), default)
