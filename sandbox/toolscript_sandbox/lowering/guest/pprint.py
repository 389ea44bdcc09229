"""Printing of nested values, laid out as Python does it."""


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    if depth is not None or compact or underscore_numbers:
        raise NotImplementedError('depth, compact and underscore_numbers are not to be had here: leave them out')
    return _Layout(indent, width, sort_dicts).text(object, 0, 0, 1)


def pprint(object, stream=None, indent=1, width=80, depth=None, **options):
    if stream is not None:
        stream.write(pformat(object, indent, width, depth, **options) + '\n')
    else:
        print(pformat(object, indent, width, depth, **options))


def pp(object, stream=None, indent=1, width=80, depth=None, **options):
    pprint(object, stream, indent, width, depth, **{'sort_dicts': False, **options})


def saferepr(object):
    return _Layout(1, 80, True).flat(object)


def _ordered(values):
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda value: (str(type(value)), repr(value)))


class _Layout:
    def __init__(self, step, width, sort):
        self.step, self.width, self.sort = step, width, sort

    def items(self, obj):
        if not self.sort:
            return list(obj.items())
        return [(key, obj[key]) for key in _ordered(list(obj))]

    def flat(self, obj):
        kind = type(obj)
        if kind is dict:
            return '{' + ', '.join([f'{self.flat(key)}: {self.flat(value)}' for key, value in self.items(obj)]) + '}'
        if kind is list:
            return '[' + ', '.join([self.flat(item) for item in obj]) + ']'
        if kind is tuple:
            return '(' + ', '.join([self.flat(item) for item in obj]) + (',)' if len(obj) == 1 else ')')
        return repr(obj)

    def text(self, obj, indent, after, level):
        flat, kind = self.flat(obj), type(obj)
        if len(flat) <= self.width - indent - after:
            return flat
        gap = ' ' * (self.step - 1)
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
        return self.words(obj, indent, after, level) if kind is str and obj else flat

    def pairs(self, items, indent, after, level):
        indent += self.step
        parts = []
        for place, (key, value) in enumerate(items):
            name = self.flat(key)
            last = place == len(items) - 1
            parts.append(f'{name}: ' + self.text(value, indent + len(name) + 2, after if last else 1, level + 1))
        return (',\n' + ' ' * indent).join(parts)

    def values(self, values, indent, after, level):
        indent += self.step
        last = len(values) - 1
        parts = [
            self.text(value, indent, after if place == last else 1, level + 1) for place, value in enumerate(values)
        ]
        return (',\n' + ' ' * indent).join(parts)

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
