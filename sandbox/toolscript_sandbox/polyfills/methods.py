"""Methods of builtin types that Monty lacks, named after the type; and methods of builtin types as values."""

import binascii
import math
from datetime import date, datetime, timedelta
from collections import namedtuple


def call(_obj, _name, *args, **kwargs):
    found = _METHODS.get(type(_obj).__name__, _NONE).get(_name)
    if found is not None and not hasattr(_obj, _name):
        return found(_obj, *args, **kwargs)
    if _name in _NATIVE and not hasattr(_obj, _name):
        return _NATIVE[_name](_obj, *args, **kwargs)
    return getattr(_obj, _name)(*args, **kwargs)


def bound(obj, name, kinds, function, get=getattr, *default):
    """Return a method as a value. `kinds` are the builtin types that have it; `get` is `getattr` for other types."""
    if not hasattr(obj, name) and (kinds == '*' or type(obj).__name__ in kinds.split()):
        return lambda *args, **kwargs: function(obj, *args, **kwargs)
    return get(obj, name, *default)


def bytes_of(source=b'', *rest, **words):
    """`bytes(...)` of any iterable of numbers."""
    if rest or words or isinstance(source, (str, bytes, int)):
        if words or rest:
            return encode(source, *rest, **words)
        return bytes(source)
    if hasattr(source, '__bytes__'):
        return source.__bytes__()
    source = list(source)
    if any([not 0 <= byte < 256 for byte in source]):
        raise ValueError('bytes must be in range(0, 256)')
    return binascii.unhexlify(''.join([f'{byte:02x}' for byte in source]))


def encode(text, encoding='utf-8', errors='strict'):
    return text.encode(encoding, errors) if _is_utf8(encoding) else _host__('codecs.convert', text, encoding, errors)


def decode(data, encoding='utf-8', errors='strict'):
    return data.decode(encoding, errors) if _is_utf8(encoding) else _host__('codecs.convert', data, encoding, errors)


def sought(data, part): return bytes_of([part]) if isinstance(data, bytes) and isinstance(part, int) else part


def _is_utf8(encoding): return encoding.lower().replace('_', '-') in ('utf-8', 'utf8', 'ascii')


def str_maketrans(x, y=None, z=''):
    if y is None:
        return {ord(key) if isinstance(key, str) else key: value for key, value in x.items()}
    if len(x) != len(y):
        raise ValueError('the first two maketrans arguments must have equal length')
    table = {ord(old): ord(new) for old, new in zip(x, y)}
    table.update({ord(character): None for character in z})
    return table


def _format_map(text, values):
    # `text.format(**values)` needs all keys in advance, and a defaultdict makes them when it is asked.
    fields = [part.partition('}')[0] for part in text.replace('{{', '').split('{')[1:]]
    names = [field.partition(':')[0].partition('!')[0].partition('.')[0].partition('[')[0] for field in fields]
    return text.format(**{name: values[name] for name in names})


def _translate(text, table): return ''.join([_translated(character, table) for character in text])


def _translated(character, table):
    try:
        new = table[ord(character)]
    except LookupError:
        return character
    return '' if new is None else chr(new) if isinstance(new, int) else new


def int_from_bytes(data, byteorder='big', *, signed=False):
    data = bytes_of(data)[:: _step(byteorder)]
    number = int(data.hex() or '0', 16)
    return number - 256 ** len(data) if signed and data and data[0] > 127 else number


def _to_bytes(number, length=1, byteorder='big', *, signed=False):
    limit, step = 256**length, _step(byteorder)
    if number < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    if not -limit <= 2 * number < limit if signed else number >= limit:
        raise OverflowError('int too big to convert')
    return binascii.unhexlify(f'{number % limit:0{2 * length}x}' if length else '')[::step]


def _step(byteorder):
    if byteorder not in ('big', 'little'):
        raise ValueError("byteorder must be either 'little' or 'big'")
    return 1 if byteorder == 'big' else -1


def _replaced(target, result):
    target.clear()
    target.update(result)


def _folded(combine):
    def folded(first, *others):
        found = first.copy()
        for other in others:
            found = combine(found, other)
        return found

    return folded


_union = _folded(lambda a, b: a.union(b))
_intersection = _folded(lambda a, b: a.intersection(b))
_difference = _folded(lambda a, b: a.difference(b))


def _update(first, *others):
    for other in others:
        first.update(other)


def _toordinal(day): return (date(day.year, day.month, day.day) - date(1, 1, 1)).days + 1


_IsoDate = namedtuple('IsoCalendarDate', 'year week weekday')
struct_time = namedtuple('struct_time', 'tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst')


def _isocalendar(day):
    thursday = date(day.year, day.month, day.day) + timedelta(days=3 - day.weekday())
    return _IsoDate(thursday.year, (thursday - date(thursday.year, 1, 1)).days // 7 + 1, day.weekday() + 1)


def _timetuple(day):
    clock = (day.hour, day.minute, day.second) if isinstance(day, datetime) else (0, 0, 0)
    of_year = _toordinal(day) - _toordinal(date(day.year, 1, 1)) + 1
    return struct_time(day.year, day.month, day.day, *clock, day.weekday(), of_year, -1)


def _ctime(day): return f'{day:%a %b} {day.day:2d} {day:%H:%M:%S} {day.year:04d}'


def _popitem(found, last=True):
    if last:
        return found.popitem()
    key = next(iter(found), _NONE)
    if key is _NONE:
        raise KeyError('dictionary is empty')
    return (key, found.pop(key))


def _move_to_end(found, key, last=True):
    value = found.pop(key)
    items = [] if last else [(other, found.pop(other)) for other in list(found)]
    found[key] = value
    found.update(items)


def _indices(part, length):
    step = 1 if part.step is None else part.step
    low, high = (0, length) if step > 0 else (-1, length - 1)
    def end(place, missing): return missing if place is None else min(max(place + length if place < 0 else place, low), high)
    return (end(part.start, low if step > 0 else high), end(part.stop, high if step > 0 else low), step)


def _ratio(number):
    power = 0
    while number != math.floor(number):
        number, power = number * 2, power + 1
    return (int(number), 2**power)


_NONE = {}
_REAL = {'real': lambda n: +n, 'imag': lambda n: n * 0}
_PARTS = {'int': {**_REAL, 'numerator': lambda n: +n, 'denominator': lambda n: 1}, 'float': {**_REAL, 'imag': lambda x: 0.0}}


def part(obj, name, read=getattr):
    """`obj.real`, and the other parts of numbers."""
    found = _PARTS.get('int' if isinstance(obj, bool) else type(obj).__name__, _NONE).get(name)
    return read(obj, name) if found is None else found(obj)


_INT = {
    'bit_length': lambda n: len(bin(abs(n))) - 2 if n else 0,
    'bit_count': lambda n: bin(abs(n)).count('1'),
    'to_bytes': _to_bytes,
    'conjugate': lambda n: n,
    'as_integer_ratio': _ratio,
}
_SET = {
    'union': _union,
    'intersection': _intersection,
    'difference': _difference,
    'update': _update,
    'difference_update': lambda s, *others: _replaced(s, _difference(s, *others)),
    'intersection_update': lambda s, *others: _replaced(s, _intersection(s, *others)),
    'symmetric_difference_update': lambda s, other: _replaced(s, s.symmetric_difference(other)),
}
_DICT = {'popitem': _popitem, 'move_to_end': _move_to_end}
_VIEW = {'isdisjoint': lambda view, other: not any([item in view for item in other])}
_DATE = {'ctime': _ctime, 'toordinal': _toordinal, 'isocalendar': _isocalendar, 'timetuple': _timetuple}
_METHODS = {
    'str': {'format_map': _format_map, 'translate': _translate, 'encode': encode},
    'bytes': {'decode': decode},
    'int': _INT,
    'bool': _INT,
    'complex': {'conjugate': lambda z: complex(z.real, -z.imag)},
    'float': {'conjugate': lambda x: x, 'is_integer': lambda x: x - x == 0 and x == math.floor(x), 'as_integer_ratio': _ratio},
    'set': _SET,
    'frozenset': _SET,
    'dict': _DICT,
    'defaultdict': _DICT,
    'Counter': _DICT,
    'slice': {'indices': _indices},
    'dict_items': _VIEW,
    'dict_keys': _VIEW,
    'date': _DATE,
    'datetime': _DATE,
}
_NATIVE = {
    'isdisjoint': lambda s, other: s.isdisjoint(other),
    'popitem': lambda d: d.popitem(),
    'update': lambda d, *args, **kwargs: d.update(*args, **kwargs),
}
