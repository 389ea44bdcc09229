"""A pattern in the words of the other engine, where they mean the same there."""

from .pattern_widths import ENDLESS, width_of


def translated(node, ascii_text):
    """The text of a pattern that means there what the node means here, or None."""
    kind = node[0]
    if kind == 'char':
        if node[2] and node[1].lower() != node[1].upper():
            if not (ascii_text and node[1].isascii()):
                return None
            return f'[{_native_char(node[1].lower())}{_native_char(node[1].upper())}]'
        return _native_char(node[1])
    if kind == 'any':
        return '(?s:.)' if node[1] else '[^\\n]'
    if kind == 'set':
        return _native_set(node, ascii_text)
    if kind == 'at':
        return _native_place(node[1], ascii_text)
    if kind in ('seq', 'alt'):
        parts = [translated(part, ascii_text) for part in node[1]]
        if None in parts:
            return None
        return ''.join(parts) if kind == 'seq' else f'(?:{"|".join(parts)})'
    if kind == 'rep':
        return _native_repeated(node, ascii_text)
    if kind == 'group':
        body = translated(node[2], ascii_text)
        return None if body is None else f'({body})' if node[1] else f'(?:{body})'
    if kind == 'look':
        body = translated(node[3], ascii_text)
        head = {(1, False): '?=', (1, True): '?!', (-1, False): '?<=', (-1, True): '?<!'}[node[1], node[2]]
        return None if body is None else f'({head}{body})'
    if kind == 'atomic':
        body = translated(node[1], ascii_text)
        return None if body is None else f'(?>{body})'
    return None


def _native_char(char):
    if char == '_' or (char.isascii() and char.isalnum()):
        return char
    return f'\\x{{{ord(char):x}}}'


_CLASSES = {
    'd': ('0-9', '\\p{Nd}'),
    'w': ('0-9A-Za-z_', '\\p{L}\\p{N}_'),
    's': ('\\x{9}-\\x{d}\\x{1c}-\\x{20}', '\\s\\x{1c}-\\x{1f}'),
}
_SPACES = '\\x{9}-\\x{d}\\x{20}'


def _native_class(item, ascii_text):
    char, ascii = item[1].lower(), item[2]
    if char == 's' and ascii:
        inside = _SPACES
    else:
        inside = _CLASSES[char][0 if ascii or ascii_text else 1]
    return inside if item[1] == char else f'[^{inside}]'


def _native_set(node, ascii_text):
    _, negated, items, ignore, _ = node
    if ignore and not ascii_text:
        return None
    parts = []
    for item in items:
        if item[0] == 'cat':
            parts.append(_native_class(item, ascii_text))
        elif ignore:
            if not item[2].isascii():
                return None
            codes = [ord(item[1]), ord(item[2])]
            parts += _cased_range(codes[0], codes[1])
        else:
            parts.append(f'{_native_char(item[1])}-{_native_char(item[2])}')
    return f'[{"^" if negated else ""}{"".join(parts)}]'


def _cased_range(low, high):
    parts = [f'\\x{{{low:x}}}-\\x{{{high:x}}}']
    for first, last, shift in ((65, 90, 32), (97, 122, -32)):
        start, end = max(low, first), min(high, last)
        if start <= end:
            parts.append(f'\\x{{{start + shift:x}}}-\\x{{{end + shift:x}}}')
    return parts


def _native_place(kind, ascii_text):
    simple = {'start': '\\A', 'end': '\\z', 'line start': '(?m:^)', 'line end': '(?m:$)', 'last': '(?=\\x{a}?\\z)'}
    if kind in simple:
        return simple[kind]
    word = '[0-9A-Za-z_]' if ascii_text or kind.endswith('ascii') else '[\\p{L}\\p{N}_]'
    if kind.startswith('word'):
        return f'(?:(?<={word})(?!{word})|(?<!{word})(?={word}))'
    return f'(?:(?<={word})(?={word})|(?<!{word})(?!{word})(?:(?=[\\s\\S])|(?<=[\\s\\S])))'


def _native_repeated(node, ascii_text):
    _, low, high, mode, part = node
    if high > 1000 and high != ENDLESS or low > 1000:
        return None
    least, most = width_of(part, {})
    if most == 0 or (high > 1 and least == 0):
        return None
    body = translated(part, ascii_text)
    if body is None:
        return None
    if (low, high) == (0, ENDLESS):
        times = '*'
    elif (low, high) == (1, ENDLESS):
        times = '+'
    elif (low, high) == (0, 1):
        times = '?'
    else:
        times = f'{{{low},{"" if high == ENDLESS else high}}}'
    text = f'(?:{body}){times}'
    return f'(?>{text})' if mode == 'possessive' else text + '?' if mode == 'lazy' else text
