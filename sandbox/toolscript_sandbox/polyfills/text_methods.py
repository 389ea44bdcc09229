"""Methods of texts and bytes that Monty's types lack, or that mean something else there, the object coming first."""

from .byte_values import bytes_of


def _within(obj, start, end):
    """Whether a place between the two can hold an empty text: Monty does not ask."""
    size = len(obj)
    first = 0 if start is None else start if start >= 0 else max(0, start + size)
    last = size if end is None else min(end, size) if end >= 0 else max(0, end + size)
    return first <= last


def find_between(obj, sub, start=None, end=None):
    return obj.find(sub, start, end) if _may_hold(obj, sub, start, end) else -1


def rfind_between(obj, sub, start=None, end=None):
    return obj.rfind(sub, start, end) if _may_hold(obj, sub, start, end) else -1


def count_between(obj, sub, start=None, end=None):
    if start is None and end is None:
        return obj.count(sub)
    return obj.count(sub, start, end) if _may_hold(obj, sub, start, end) else 0


def startswith_between(obj, prefix, start=None, end=None):
    return _may_hold(obj, prefix, start, end) and obj.startswith(prefix, start, end)


def endswith_between(obj, suffix, start=None, end=None):
    return _may_hold(obj, suffix, start, end) and obj.endswith(suffix, start, end)


def index_between(obj, sub, start=None, end=None):
    if _may_hold(obj, sub, start, end):
        if start is None:
            return obj.index(sub)
        return obj.index(sub, start) if end is None else obj.index(sub, start, end)
    raise ValueError('substring not found' if isinstance(obj, str) else 'subsection not found')


def rindex_between(obj, sub, start=None, end=None):
    if _may_hold(obj, sub, start, end):
        return obj.rindex(sub, start, end)
    raise ValueError('substring not found' if isinstance(obj, str) else 'subsection not found')


def _may_hold(obj, sub, start, end):
    if not isinstance(obj, (str, bytes)):
        return True
    return not isinstance(sub, (str, bytes, tuple)) or _within(obj, start, end)


def encode(obj, encoding='utf-8', errors='strict'):
    """To encodings of which Monty knows nothing: Latin-1, and UTF-8 with a mark before it."""
    if not isinstance(obj, str) or _is_native(encoding):
        return obj.encode(encoding, errors)
    if 'sig' in encoding:
        return b'\xef\xbb\xbf' + obj.encode('utf-8', errors)
    values = []
    for place, character in enumerate(obj):
        if ord(character) < 256:
            values.append(ord(character))
        elif errors == 'strict':
            raise UnicodeEncodeError(_unknown_character(obj, place))
        elif errors == 'replace':
            values.append(63)
        elif errors == 'xmlcharrefreplace':
            values.extend(list(f'&#{ord(character)};'.encode()))
        elif errors == 'backslashreplace':
            code = ord(character)
            values.extend(list((f'\\u{code:04x}' if code < 65536 else f'\\U{code:08x}').encode()))
        elif errors != 'ignore':
            raise LookupError(f'unknown error handler name {errors!r}')
    return bytes_of(values)


_LATIN = ['utf-8-sig', 'latin-1', 'latin1', 'iso-8859-1', 'iso8859-1', 'l1', 'latin']


def _is_native(encoding):
    return not isinstance(encoding, str) or encoding.lower().replace('_', '-') not in _LATIN


def _unknown_character(text, place):
    end = place + 1
    while end < len(text) and ord(text[end]) > 255:
        end += 1
    if end > place + 1:
        return f"'latin-1' codec can't encode characters in position {place}-{end - 1}: ordinal not in range(256)"
    code = ord(text[place])
    shown = f'\\u{code:04x}' if code < 65536 else f'\\U{code:08x}'
    return f"'latin-1' codec can't encode character '{shown}' in position {place}: ordinal not in range(256)"


def decode(obj, encoding='utf-8', errors='strict'):
    if not isinstance(obj, bytes) or _is_native(encoding):
        return obj.decode(encoding, errors)
    if 'sig' in encoding:
        return obj.removeprefix(b'\xef\xbb\xbf').decode('utf-8', errors)
    return ''.join([chr(byte) for byte in obj])


def translate(obj, table, delete=None):
    if isinstance(obj, bytes):
        if table is not None and len(table) != 256:
            raise ValueError('translation table must be 256 characters long')
        gone = list(delete or b'')
        return bytes_of([byte if table is None else table[byte] for byte in obj if byte not in gone])
    if delete is not None:
        raise TypeError('str.translate() takes exactly one argument (2 given)')
    return ''.join([_translated(character, table) for character in obj])


def _translated(character, table):
    new = table.get(ord(character), character)
    return '' if new is None else chr(new) if isinstance(new, int) else new


def format_map(obj, mapping):
    return obj.format(**mapping)


def maketrans(obj, x, y=None, z=None):
    if y is None:
        if any([isinstance(key, str) and len(key) != 1 for key in x]):
            raise ValueError('string keys in translate table must be of length 1')
        return {ord(key) if isinstance(key, str) else key: value for key, value in x.items()}
    if len(x) != len(y):
        raise ValueError('the first two maketrans arguments must have equal length')
    table = {ord(old): ord(new) for old, new in zip(x, y)}
    table.update({ord(character): None for character in z or ''})
    return table
