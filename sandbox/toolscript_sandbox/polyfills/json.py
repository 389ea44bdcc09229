"""JSON of objects that it does not know, to and from what can be written and read, and the start of a text."""

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


def dump(obj, fp, **options):
    fp.write(dumps(obj, **options))


def load(fp, **options):
    return loads(fp.read(), **options)


class JSONDecoder:
    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None):
        self._options = {'object_hook': object_hook}
        if parse_float is not None:
            self._options['parse_float'] = parse_float
        if parse_int is not None:
            self._options['parse_int'] = parse_int

    def decode(self, s):
        return loads(s, **self._options)

    def raw_decode(self, s, idx=0):
        if idx < 0:
            raise ValueError('idx cannot be negative')
        starts = s[idx : idx + 1].strip() != ''
        end = _end(s, idx) if starts else idx
        # What comes before keeps its length, for the place that an error tells.
        return self.decode(' ' * idx + s[idx:end]), end


def _end(s, start):
    """Behind the value that begins there."""
    depth, place, quoted = 0, start, False
    while place < len(s):
        char = s[place]
        if quoted:
            place += 1 if char == '\\' else 0
            quoted = char != '"'
        elif depth == 0 and place > start and (char in ' \t\r\n,:]}[{"' or s[start] in '"[{'):
            return place
        elif char == '"':
            quoted = True
        elif char in '[{':
            depth += 1
        elif char in ']}':
            depth -= 1
        place += 1
    return len(s)


def _plain(obj, default):
    if obj is None or isinstance(obj, (str, int, float)):
        return obj
    # What inherits from a list or a dict is asked for what it holds, as they are.
    kept = getattr(obj, '__kept__', None)
    if isinstance(obj, dict) or isinstance(kept, dict):
        return {_key(key): _plain(value, default) for key, value in obj.items()}
    if isinstance(obj, (list, tuple)) or isinstance(kept, list) or hasattr(type(obj), '_is_record'):
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
