"""Printing of nested values, laid out as Python does it."""

from .own_names import own_name
from .shown import is_data, is_ordered, repr_of
from .types import variables

_BRACKETS = {dict: '{...}', list: '[...]', tuple: '(...)'}
_PART = 4


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    if underscore_numbers:
        raise NotImplementedError('underscore_numbers is not to be had here: leave it out')
    return _Layout(indent, width, sort_dicts, depth, compact).text(object, 0, 0, 1)


def pprint(object, stream=None, indent=1, width=80, depth=None, **options):
    if stream is not None:
        stream.write(pformat(object, indent, width, depth, **options) + '\n')
    else:
        print(pformat(object, indent, width, depth, **options))


def pp(object, stream=None, indent=1, width=80, depth=None, **options):
    pprint(object, stream, indent, width, depth, **{'sort_dicts': False, **options})


def saferepr(object):
    return _Layout(1, 80, True).flat(object)


def _shown_fields(obj):
    names = list(type(obj).__dataclass_fields__)
    shown = repr_of(obj)
    # Those with `field(repr=False)` are left out.
    return [name for name in names if f'{name}={repr_of(getattr(obj, name))}' in shown]


def _ordered(values):
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda value: (str(type(value)), repr(value)))


class _Layout:
    def __init__(self, step, width, sort, depth=None, compact=False):
        self.step, self.width, self.sort = step, width, sort
        self.depth, self.compact = depth, compact

    def items(self, obj):
        if not self.sort or is_ordered(obj):
            return list(obj.items())
        return [(key, obj[key]) for key in _ordered(list(obj))]

    def flat(self, obj, level=0):
        kind = type(obj)
        if kind in _BRACKETS and obj and self.depth is not None and level >= self.depth and not is_ordered(obj):
            return _BRACKETS[kind]
        if kind is dict and not is_ordered(obj):
            pairs = [f'{self.flat(key, level + 1)}: {self.flat(value, level + 1)}' for key, value in self.items(obj)]
            return '{' + ', '.join(pairs) + '}'
        if kind is list:
            return '[' + ', '.join([self.flat(item, level + 1) for item in obj]) + ']'
        if kind is tuple:
            items = ', '.join([self.flat(item, level + 1) for item in obj])
            return f'({items},)' if len(obj) == 1 else f'({items})'
        return repr_of(obj)

    def text(self, obj, indent, after, level):
        flat, kind = self.flat(obj, level - 1), type(obj)
        if len(flat) <= self.width - indent - after:
            return flat
        gap = ' ' * (self.step - 1)
        if is_ordered(obj) and obj:
            return 'OrderedDict(' + self.text(list(obj.items()), indent + 12, after + 1, level + 1) + ')'
        if kind is dict and obj:
            return '{' + gap + self.pairs(self.items(obj), indent, after + 1, level) + '}'
        if kind is list and obj:
            return '[' + gap + self.values(obj, indent, after + 1, level) + ']'
        if kind is tuple and obj:
            end = ',)' if len(obj) == 1 else ')'
            return '(' + gap + self.values(obj, indent, after + len(end), level) + end
        if kind is set and obj:
            return '{' + gap + self.values(_ordered(list(obj)), indent, after + 1, level) + '}'
        if kind is frozenset and obj:
            return 'frozenset({' + gap + self.values(_ordered(list(obj)), indent + 10, after + 2, level) + '})'
        if kind is str and obj:
            return self.words(obj, indent, after, level)
        if kind is bytes and len(obj) > _PART:
            return self.bytes(obj, indent, after, level)
        return self.named(obj, kind.__name__, indent, after, level) or flat

    def named(self, obj, name, indent, after, level):
        """Of what shows its class before what it holds."""
        gap = ' ' * (self.step - 1)
        if is_data(type(obj)) or hasattr(type(obj), '_shows_fields_'):
            return self.attributes(name, [(key, getattr(obj, key)) for key in _shown_fields(obj)], indent, after, level)
        if hasattr(type(obj), '_is_namespace_'):
            return self.attributes('namespace', list(variables(obj).items()), indent, after, level)
        inside, pad = indent + len(own_name(name)) + 1, ' ' * (indent + len(own_name(name)) + 1)
        if name == 'defaultdict' and obj:
            pairs = self.pairs(self.items(obj), inside, after + 2, level)
            return f'defaultdict({repr_of(obj.default_factory)},\n{pad}' + '{' + gap + pairs + '})'
        if name == 'Counter' and obj:
            return 'Counter({' + gap + self.pairs(obj.most_common(), inside, after + 2, level) + '})'
        if name == 'deque' and obj and obj.maxlen is None:
            return 'deque([' + gap + self.values(obj, inside, after + 2, level) + '])'
        if name == 'deque' and obj:
            return 'deque([' + gap + self.values(obj, inside, 2, level) + f'],\n{pad}maxlen={obj.maxlen})'
        if own_name(name) == 'ChainMap':
            last = len(obj.maps) - 1
            maps = [
                self.text(one, inside, after + 1 if place == last else 1, level + 1)
                for place, one in enumerate(obj.maps)
            ]
            return 'ChainMap(' + f',\n{pad}'.join(maps) + ')'
        return None

    def attributes(self, name, items, indent, after, level):
        indent, parts = indent + len(name) + 1, []
        for place, (key, value) in enumerate(items):
            last = place == len(items) - 1
            parts.append(f'{key}=' + self.text(value, indent + len(key) + 1, after if last else 1, level + 1))
        return f'{name}(' + (',\n' + ' ' * indent).join(parts) + ')'

    def pairs(self, items, indent, after, level):
        indent += self.step
        parts = []
        for place, (key, value) in enumerate(items):
            name = self.flat(key, level)
            last = place == len(items) - 1
            parts.append(f'{name}: ' + self.text(value, indent + len(name) + 2, after if last else 1, level + 1))
        return (',\n' + ' ' * indent).join(parts)

    def values(self, values, indent, after, level):
        indent += self.step
        last, between = len(values) - 1, ',\n' + ' ' * indent
        found, sign, room = '', '', self.width - indent + 1
        whole = room
        for place, value in enumerate(values):
            if place == last:
                room, whole = room - after, whole - after
            if self.compact:
                flat = self.flat(value, level)
                if room < len(flat) + 2:
                    room, sign = whole, between if sign else ''
                if room >= len(flat) + 2:
                    room -= len(flat) + 2
                    found, sign = found + sign + flat, ', '
                    continue
            found += sign + self.text(value, indent, after if place == last else 1, level + 1)
            sign = between
        return found

    def bytes(self, obj, indent, after, level):
        if level == 1:
            indent, after = indent + 1, after + 1
        room, chunks, current = self.width - indent, [], b''
        for start in range(0, len(obj), _PART):
            part = obj[start : start + _PART]
            if start == len(obj) // _PART * _PART:
                room -= after
            if len(repr(current + part)) > room:
                if current:
                    chunks.append(repr(current))
                current = part
            else:
                current += part
        text = ('\n' + ' ' * indent).join([*chunks, repr(current)] if current else chunks)
        return f'({text})' if level == 1 else text

    def words(self, obj, indent, after, level):
        if level == 1:
            indent, after = indent + 1, after + 1
        room, chunks = self.width - indent, []
        lines = obj.splitlines(True)
        for number, line in enumerate(lines):
            last = number == len(lines) - 1
            if len(repr(line)) <= room - (after if last else 0):
                chunks.append(repr(line))
                continue
            parts, current = _words(line), ''
            for place, part in enumerate(parts):
                ends = last and place == len(parts) - 1
                if len(repr(current + part)) > room - (after if ends else 0):
                    if current:
                        chunks.append(repr(current))
                    current = part
                else:
                    current += part
            if current:
                chunks.append(repr(current))
        if len(chunks) == 1:
            return repr(lines[-1])
        text = ('\n' + ' ' * indent).join(chunks)
        return f'({text})' if level == 1 else text


def _words(line):
    """The words of a line, each with the space behind it."""
    parts, part = [], ''
    for char in line:
        if part and part[-1].isspace() and not char.isspace():
            parts.append(part)
            part = ''
        part += char
    return parts + [part] if part else parts
