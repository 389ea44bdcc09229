r"""Regular expressions as Python has them.

Monty hands patterns to an engine of another family: there `$` never matches before a last line break and `\Z` does, empty matches
beside others are left out, `\w` takes combining marks, `\q` is no error, and flags, positions and half of what a match tells are
missing. So a pattern is read here. Where it can be said in that engine's words with the same meaning, it is (`_native`): that
is fast, and is so for most patterns. What is left (references, conditions, repeated parts that may be empty, all matches of a
pattern that may match nothing, letters of any case beyond ASCII, a start inside of the text) is matched here, step by step, as
CPython's own matcher goes about it.

Tried: rewriting only `$` and the empty matches, which leaves the rest different. Loading it takes some 7 ms,
once in a session that names `re`.
"""

import re
import unicodedata

error = re.error
NOFLAG = 0
I = IGNORECASE = 2
L = LOCALE = 4
M = MULTILINE = 8
S = DOTALL = 16
U = UNICODE = 32
X = VERBOSE = 64
A = ASCII = 256

_LETTERS = {'i': 2, 'L': 4, 'm': 8, 's': 16, 'u': 32, 'x': 64, 'a': 256}
_NAMES = [(2, 'IGNORECASE'), (8, 'MULTILINE'), (16, 'DOTALL'), (64, 'VERBOSE'), (256, 'ASCII')]
_ESCAPES = {'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\'}
_ALIKE = [
    'i\u0131',
    's\u017f',
    '\xb5\u03bc',
    '\u0345\u03b9\u1fbe',
    '\u0390\u1fd3',
    '\u03b0\u1fe3',
    '\u03b2\u03d0',
    '\u03b5\u03f5',
    '\u03b8\u03d1',
    '\u03ba\u03f0',
    '\u03c0\u03d6',
    '\u03c1\u03f1',
    '\u03c2\u03c3',
    '\u03c6\u03d5',
    '\u1e61\u1e9b',
    '\ufb05\ufb06',
    '\u0432\u1c80',
    '\u0434\u1c81',
    '\u043e\u1c82',
    '\u0441\u1c83',
    '\u0442\u1c84\u1c85',
    '\u044a\u1c86',
    '\u0463\u1c87',
    '\ua64b\u1c88',
]
_ENDLESS = 4294967295
_compiled = {}


def _fail(message, source, place):
    text = f'{message} at position {place}'
    if '\n' in source:
        line = source.count('\n', 0, place) + 1
        text = f'{text} (line {line}, column {place - source.rfind(chr(10), 0, place)})'
    raise re.error(text)


# Reading. A node is a tuple that begins with its kind; flags are worked in while reading.


class _Reader:
    def __init__(self, source, flags):
        self.source = source
        self.place = 0
        self.flags = flags
        self.groups = 0
        self.names = {}
        self.open = []
        self.widths = {}
        self.behind = None
        self.uneven = False

    def peek(self):
        return self.source[self.place] if self.place < len(self.source) else ''

    def ahead(self, text):
        return self.source[self.place : self.place + len(text)] == text

    def fail(self, message, place):
        _fail(message, self.source, place)

    def until(self, mark, what):
        end = self.source.find(mark, self.place)
        if self.place >= len(self.source):
            self.fail('missing ' + what, self.place)
        if end < 0:
            self.fail(f'missing {mark}, unterminated name', self.place)
        name = self.source[self.place : end]
        if not name:
            self.fail('missing ' + what, self.place)
        self.place = end + 1
        return name

    def alternatives(self, flags, nested):
        start = self.place
        parts = []
        while True:
            parts.append(self.sequence(flags, nested, nested == 0 and not parts))
            if self.peek() != '|':
                break
            self.place += 1
        return parts[0] if len(parts) == 1 else ('alt', parts)

    def sequence(self, flags, nested, first):
        items = []
        while self.place < len(self.source):
            here, char = self.place, self.source[self.place]
            if char in '|)':
                break
            self.place += 1
            verbose = flags & 64
            if verbose and char in ' \t\n\r\x0b\x0c':
                continue
            if verbose and char == '#':
                end = self.source.find('\n', self.place)
                self.place = len(self.source) if end < 0 else end + 1
                continue
            if char in '*+?{':
                item = self.repeated(items, char, here, flags)
                if item is not None:
                    items[-1] = item
                    continue
            if char == '\\':
                items.append(self.escape(flags, here))
            elif char == '[':
                items.append(self.set(flags, here))
            elif char == '.':
                items.append(('any', bool(flags & 16)))
            elif char == '^':
                items.append(('at', 'line start' if flags & 8 else 'start'))
            elif char == '$':
                items.append(('at', 'line end' if flags & 8 else 'last'))
            elif char == '(':
                flags, item = self.group(flags, here, nested, first and not items)
                if item is not None:
                    items.append(item)
            else:
                items.append(('char', char, flags & 2, flags & 256))
        return ('seq', items)

    def repeated(self, items, char, here, flags):
        low, high = {'*': (0, _ENDLESS), '+': (1, _ENDLESS), '?': (0, 1)}.get(char, (0, 0))
        if char == '{':
            if self.peek() == '}':
                return None
            place = self.place
            low_text = self.digits()
            high_text = low_text
            if self.peek() == ',':
                self.place += 1
                high_text = self.digits()
            if self.peek() != '}':
                self.place = place
                return None
            self.place += 1
            low = int(low_text) if low_text else 0
            high = int(high_text) if high_text else _ENDLESS
            if high < low:
                self.fail('min repeat greater than max repeat', here + 1)
        if not items or items[-1][0] == 'at':
            self.fail('nothing to repeat', here)
        if items[-1][0] == 'rep':
            self.fail('multiple repeat', here)
        mode = 'greedy'
        if self.peek() == '?':
            self.place += 1
            mode = 'lazy'
        elif self.peek() == '+':
            self.place += 1
            mode = 'possessive'
        return ('rep', low, high, mode, items[-1])

    def digits(self):
        start = self.place
        while self.peek() and self.peek() in '0123456789':
            self.place += 1
        return self.source[start : self.place]

    def hexadecimal(self, count, here, letter):
        start = self.place
        while self.place < start + count and self.peek() and self.peek() in '0123456789abcdefABCDEF':
            self.place += 1
        text = self.source[start : self.place]
        if len(text) < count:
            self.fail('incomplete escape \\' + letter + text, here)
        value = int(text, 16)
        if value > 0x10FFFF:
            self.fail('bad escape \\' + letter + text, here)
        return chr(value)

    def named_character(self, here):
        if self.peek() != '{':
            self.fail('missing {', self.place)
        self.place += 1
        name = self.until('}', 'character name')
        try:
            return unicodedata.lookup(name)
        except KeyError:
            self.fail(f'undefined character name {name!r}', here)

    def escaped_character(self, char, here):
        """The character that stands for itself in a set and outside, or None."""
        if char == 'x':
            return self.hexadecimal(2, here, 'x')
        if char == 'u':
            return self.hexadecimal(4, here, 'u')
        if char == 'U':
            return self.hexadecimal(8, here, 'U')
        if char == 'N':
            return self.named_character(here)
        return None

    def octal(self, text, here):
        value = int(text, 8)
        if value > 255:
            self.fail(f'octal escape value \\{text} outside of range 0-0o377', here)
        return chr(value)

    def escape(self, flags, here):
        if self.place >= len(self.source):
            self.fail('bad escape (end of pattern)', here)
        char = self.source[self.place]
        self.place += 1
        ascii = bool(flags & 256)
        if char in 'dDsSwW':
            return ('set', False, [('cat', char, ascii)], 0, ascii)
        if char in 'AZ':
            return ('at', 'start' if char == 'A' else 'end')
        if char in 'bB':
            return ('at', ('word' if char == 'b' else 'no word') + (' ascii' if ascii else ''))
        found = self.escaped_character(char, here)
        if found is not None:
            return ('char', found, flags & 2, flags & 256)
        if char == '0':
            text = char
            while len(text) < 3 and self.peek() and self.peek() in '01234567':
                text += self.peek()
                self.place += 1
            return ('char', self.octal(text, here), flags & 2, flags & 256)
        if char in '123456789':
            text = char
            if self.peek() and self.peek() in '0123456789':
                text += self.peek()
                self.place += 1
                if text[0] in '01234567' and text[1] in '01234567' and self.peek() and self.peek() in '01234567':
                    text += self.peek()
                    self.place += 1
                    return ('char', self.octal(text, here), flags & 2, flags & 256)
            return self.reference(int(text), flags, here)
        if char in _ESCAPES:
            return ('char', _ESCAPES[char], flags & 2, flags & 256)
        if char.isascii() and char.isalpha():
            self.fail('bad escape \\' + char, here)
        return ('char', char, flags & 2, flags & 256)

    def reference(self, group, flags, here):
        if group > self.groups:
            self.fail(f'invalid group reference {group}', here + 1)
        if group in self.open:
            self.fail('cannot refer to an open group', here)
        if self.behind is not None and group > self.behind:
            self.fail('cannot refer to group defined in the same lookbehind subpattern', self.place)
        return ('ref', group, flags & 2, flags & 256)

    def set(self, flags, here):
        negated = self.peek() == '^'
        if negated:
            self.place += 1
        items, first = [], True
        ascii = bool(flags & 256)
        while True:
            if self.place >= len(self.source):
                self.fail('unterminated character set', here)
            start = self.place
            if self.peek() == ']' and not first:
                self.place += 1
                break
            first = False
            low = self.member(ascii, here)
            if self.peek() != '-':
                items.append(low if isinstance(low, tuple) else ('range', low, low))
                continue
            self.place += 1
            if self.place >= len(self.source):
                self.fail('unterminated character set', here)
            if self.peek() == ']':
                self.place += 1
                items.append(low if isinstance(low, tuple) else ('range', low, low))
                items.append(('range', '-', '-'))
                break
            high = self.member(ascii, here)
            if isinstance(low, tuple) or isinstance(high, tuple) or high < low:
                self.fail('bad character range ' + self.source[start : self.place], start)
            items.append(('range', low, high))
        return ('set', negated, items, flags & 2, ascii)

    def member(self, ascii, outer):
        here = self.place
        char = self.source[here]
        self.place += 1
        if char != '\\':
            return char
        if self.place >= len(self.source):
            self.fail('bad escape (end of pattern)', here)
        char = self.source[self.place]
        self.place += 1
        if char in 'dDsSwW':
            return ('cat', char, ascii)
        found = self.escaped_character(char, here)
        if found is not None:
            return found
        if char in '01234567':
            text = char
            while len(text) < 3 and self.peek() and self.peek() in '01234567':
                text += self.peek()
                self.place += 1
            return self.octal(text, here)
        if char in _ESCAPES:
            return _ESCAPES[char]
        if char.isascii() and char.isalnum():
            self.fail('bad escape \\' + char, here)
        return char

    def group(self, flags, here, nested, first):
        inner, number, kind, name = flags, None, 'group', None
        if self.peek() == '?':
            self.place += 1
            if self.place >= len(self.source):
                self.fail('unexpected end of pattern', self.place)
            char = self.source[self.place]
            self.place += 1
            if char == 'P':
                name = self.special_name(flags)
                if isinstance(name, tuple):
                    return (flags, name)
                number = True
            elif char == ':':
                pass
            elif char == '#':
                end = self.source.find(')', self.place)
                if end < 0:
                    self.fail('missing ), unterminated comment', here)
                self.place = end + 1
                return (flags, None)
            elif char in '=!':
                kind = 'look'
                direction, negative = 1, char == '!'
            elif char == '<':
                mark = self.peek()
                if not mark:
                    self.fail('unexpected end of pattern', self.place)
                if mark not in '=!':
                    self.fail('unknown extension ?<' + mark, here + 1)
                self.place += 1
                kind = 'look'
                direction, negative = -1, mark == '!'
            elif char == '(':
                return (flags, self.condition(flags, nested))
            elif char == '>':
                kind = 'atomic'
            elif char in _LETTERS or char == '-':
                added, inner, whole = self.inline_flags(char, flags, here)
                if whole:
                    if not first or nested:
                        self.fail('global flags not at the start of the expression', here)
                    self.flags |= added
                    return (flags | added, None)
            else:
                self.fail('unknown extension ?' + char, here + 1)
        else:
            number = True
        if number:
            self.groups += 1
            number = self.groups
            if name is not None:
                if name in self.names:
                    self.fail(
                        f'redefinition of group name {name!r} as group {number}; was group {self.names[name]}',
                        self.place - len(name) - 1,
                    )
                self.names[name] = number
            self.open.append(number)
        outer = self.behind
        if kind == 'look' and direction < 0 and outer is None:
            self.behind = self.groups
        body = self.alternatives(inner, nested + 1)
        self.behind = outer
        if self.peek() != ')':
            self.fail('missing ), unterminated subpattern', here)
        self.place += 1
        if number:
            self.open.pop()
            self.widths[number] = _width(body, self.widths)
            return (flags, ('group', number, body))
        if kind == 'look':
            width = _width(body, self.widths)
            if width[0] != width[1] and direction < 0:
                # Said only of a pattern that has no other fault.
                self.uneven = True
            return (flags, ('look', direction, negative, body, width[0]))
        return (flags, ('atomic', body) if kind == 'atomic' else ('group', None, body))

    def special_name(self, flags):
        mark = self.peek()
        if mark == '<':
            self.place += 1
            name = self.until('>', 'group name')
            self.check_name(name, self.place - len(name) - 1)
            return name
        if mark == '=':
            self.place += 1
            start = self.place
            name = self.until(')', 'group name')
            self.check_name(name, start)
            if name not in self.names:
                self.fail(f'unknown group name {name!r}', start)
            if self.names[name] in self.open:
                self.fail('cannot refer to an open group', start)
            return ('ref', self.names[name], flags & 2, flags & 256)
        if not mark:
            self.fail('unexpected end of pattern', self.place)
        self.fail('unknown extension ?P' + mark, self.place - 2)

    def check_name(self, name, place):
        if not name.isidentifier():
            self.fail(f'bad character in group name {name!r}', place)

    def condition(self, flags, nested):
        start = self.place
        name = self.until(')', 'group name')
        if name.isdecimal() and name.isascii():
            number = int(name)
            if not number:
                self.fail('bad group number', start)
            if number >= 100 and number > self.groups:
                self.fail(f'invalid group reference {number}', start)
        else:
            self.check_name(name, start)
            if name not in self.names:
                self.fail(f'unknown group name {name!r}', start)
            number = self.names[name]
        if number > self.groups:
            self.later = (number, start)
        yes = self.sequence(flags, nested + 1, False)
        no = ('seq', [])
        if self.peek() == '|':
            self.place += 1
            no = self.sequence(flags, nested + 1, False)
            if self.peek() == '|':
                self.fail('conditional backref with more than two branches', self.place)
        if self.peek() != ')':
            self.fail('missing ), unterminated subpattern', start - 3)
        self.place += 1
        if number > self.groups:
            self.fail(f'invalid group reference {number}', start)
        return ('cond', number, yes, no)

    def inline_flags(self, char, flags, here):
        added, removed, off = 0, 0, char == '-'
        if not off:
            added = _LETTERS[char]
        while True:
            if self.place >= len(self.source):
                self.fail('missing -, : or )', self.place)
            char = self.source[self.place]
            self.place += 1
            if char in ':)':
                break
            if char == '-' and not off:
                off = True
            elif char in _LETTERS:
                if off:
                    removed |= _LETTERS[char]
                else:
                    added |= _LETTERS[char]
            else:
                self.fail('unknown flag' if char.isalpha() else 'missing -, : or )', self.place - 1)
        if char == ')':
            if off:
                self.fail('missing :', self.place - 1)
            return (added, flags, True)
        if added & 256:
            flags &= ~32
        if added & 32:
            flags &= ~256
        return (added, (flags | added) & ~removed, False)


def _width(node, widths):
    kind = node[0]
    if kind in ('char', 'any', 'set'):
        return (1, 1)
    if kind in ('at', 'look'):
        return (0, 0)
    if kind == 'seq':
        low = high = 0
        for part in node[1]:
            a, b = _width(part, widths)
            low, high = low + a, high + b
        return (low, min(high, _ENDLESS))
    if kind == 'alt':
        both = [_width(part, widths) for part in node[1]]
        return (min([a for a, _ in both]), max([b for _, b in both]))
    if kind == 'rep':
        a, b = _width(node[4], widths)
        return (a * node[1], min(b * node[2], _ENDLESS))
    if kind == 'group':
        return _width(node[2], widths)
    if kind == 'atomic':
        return _width(node[1], widths)
    if kind == 'cond':
        (a, b), (c, d) = _width(node[2], widths), _width(node[3], widths)
        return (min(a, c), max(b, d))
    return widths.get(node[1], (0, _ENDLESS))


# In the words of the other engine.


def _native(node, ascii_text):
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
        parts = [_native(part, ascii_text) for part in node[1]]
        if None in parts:
            return None
        return ''.join(parts) if kind == 'seq' else f'(?:{"|".join(parts)})'
    if kind == 'rep':
        return _native_repeated(node, ascii_text)
    if kind == 'group':
        body = _native(node[2], ascii_text)
        return None if body is None else f'({body})' if node[1] else f'(?:{body})'
    if kind == 'look':
        body = _native(node[3], ascii_text)
        head = {(1, False): '?=', (1, True): '?!', (-1, False): '?<=', (-1, True): '?<!'}[node[1], node[2]]
        return None if body is None else f'({head}{body})'
    if kind == 'atomic':
        body = _native(node[1], ascii_text)
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
    if high > 1000 and high != _ENDLESS or low > 1000:
        return None
    least, most = _width(part, {})
    if most == 0 or (high > 1 and least == 0):
        return None
    body = _native(part, ascii_text)
    if body is None:
        return None
    if (low, high) == (0, _ENDLESS):
        times = '*'
    elif (low, high) == (1, _ENDLESS):
        times = '+'
    elif (low, high) == (0, 1):
        times = '?'
    else:
        times = f'{{{low},{"" if high == _ENDLESS else high}}}'
    text = f'(?:{body}){times}'
    return f'(?>{text})' if mode == 'possessive' else text + '?' if mode == 'lazy' else text


# Step by step. A program is a list of instructions; what can be taken back lies on one stack.


def _program(node, out):
    kind = node[0]
    if kind in ('char', 'any', 'set', 'at', 'ref'):
        out.append(node)
    elif kind == 'seq':
        for part in node[1]:
            _program(part, out)
    elif kind == 'alt':
        jumps = []
        for number, part in enumerate(node[1]):
            if number + 1 < len(node[1]):
                split = len(out)
                out.append(None)
                _program(part, out)
                jumps.append(len(out))
                out.append(None)
                out[split] = ('split', split + 1, len(out))
            else:
                _program(part, out)
        for jump in jumps:
            out[jump] = ('jump', len(out))
    elif kind == 'rep':
        _program_repeated(node, out)
    elif kind == 'group':
        if node[1]:
            out.append(('save', 2 * node[1]))
        _program(node[2], out)
        if node[1]:
            out.append(('save', 2 * node[1] + 1))
    elif kind in ('look', 'atomic'):
        inner = []
        _program(node[3] if kind == 'look' else node[1], inner)
        inner.append(('match',))
        out.append(('look', node[1], node[2], inner, node[4]) if kind == 'look' else ('atomic', inner))
    elif kind == 'cond':
        place = len(out)
        out.append(None)
        _program(node[2], out)
        jump = len(out)
        out.append(None)
        out[place] = ('cond', node[1], place + 1, len(out))
        _program(node[3], out)
        out[jump] = ('jump', len(out))


def _program_repeated(node, out):
    _, low, high, mode, part = node
    if mode == 'possessive':
        inner = []
        _program(('rep', low, high, 'greedy', part), inner)
        inner.append(('match',))
        out.append(('atomic', inner))
    elif part[0] in ('char', 'any', 'set'):
        out.append(('run', part, low, high, mode == 'lazy'))
    else:
        slot = len(out)
        out.append(('enter', slot))
        loop = len(out)
        out.append(None)
        _program(part, out)
        out.append(('jump', loop))
        out[loop] = ('loop', slot, low, high, mode == 'lazy', loop + 1, len(out))


def _folded(char, ascii):
    if char.isascii():
        return char.lower()
    if ascii:
        return char
    if char == '\u0130':
        return 'i'
    low = char.lower()
    low = low if len(low) == 1 else char
    for alike in _ALIKE:
        if low in alike:
            return alike[0]
    return low


def _variants(char, ascii):
    if ascii and not char.isascii():
        return [char]
    fold = _folded(char, ascii)
    found = [char, fold]
    for alike in [] if ascii else _ALIKE:
        if fold in alike:
            found += list(alike)
    uppers = [one.upper() for one in found]
    return found + [one for one in uppers if len(one) == 1 and (one.isascii() or not ascii)]


def _is_word(char, ascii):
    return (char.isalnum() and (not ascii or char.isascii())) or char == '_'


def _in_class(char, letter, ascii):
    kind = letter.lower()
    if ascii and not char.isascii():
        found = False
    elif kind == 'd':
        found = char.isdecimal()
    elif kind == 's':
        found = char in ' \t\n\r\x0b\x0c' if ascii else char.isspace() or char in '\x1c\x1d\x1e\x1f'
    else:
        found = _is_word(char, ascii)
    return found if letter == kind else not found


def _in_items(char, items):
    for item in items:
        if _in_class(char, item[1], item[2]) if item[0] == 'cat' else item[1] <= char <= item[2]:
            return True
    return False


def _fits(node, char):
    kind = node[0]
    if kind == 'char':
        return char == node[1] or (bool(node[2]) and _folded(char, node[3]) == _folded(node[1], node[3]))
    if kind == 'any':
        return node[1] or char != '\n'
    _, negated, items, ignore, ascii = node
    found = _in_items(char, items)
    if not found and ignore:
        for other in _variants(char, ascii):
            if _in_items(other, items):
                found = True
                break
    return found != negated


def _stands(kind, text, place, end):
    if kind == 'start':
        return place == 0
    if kind == 'end':
        return place == end
    if kind == 'last':
        return place == end or (place == end - 1 and text[place] == '\n')
    if kind == 'line start':
        return place == 0 or text[place - 1] == '\n'
    if kind == 'line end':
        return place == end or text[place] == '\n'
    if end == 0:
        return False
    ascii = kind.endswith('ascii')
    before = place > 0 and _is_word(text[place - 1], ascii)
    after = place < end and _is_word(text[place], ascii)
    return (before != after) == kind.startswith('word')


def _run(program, text, place, end, caps, wanted=None, barred=-1):
    """The place behind a match that begins here, or -1. `caps` gets the groups; its first item is the last group closed."""
    stack, slots, at = [], {}, 0
    while True:
        step = program[at]
        kind = step[0]
        good = True
        if kind in ('char', 'any', 'set'):
            if place < end and _fits(step, text[place]):
                place += 1
                at += 1
            else:
                good = False
        elif kind == 'run':
            _, part, low, high, lazy = step
            limit = end if high == _ENDLESS else min(end, place + high)
            here = place
            if lazy:
                limit = min(limit, place + low)
            while here < limit and _fits(part, text[here]):
                here += 1
            if here < place + low:
                good = False
            else:
                if lazy:
                    stack.append(('more', at, here, end if high == _ENDLESS else min(end, place + high)))
                elif here > place + low:
                    stack.append(('less', at + 1, here - 1, place + low))
                place = here
                at += 1
        elif kind == 'save':
            stack.append(('undo', step[1], caps[step[1]], caps[0]))
            caps[step[1]] = place
            if step[1] % 2:
                caps[0] = step[1] // 2
            at += 1
        elif kind == 'split':
            stack.append(('go', step[2], place))
            at = step[1]
        elif kind == 'jump':
            at = step[1]
        elif kind == 'at':
            good = _stands(step[1], text, place, end)
            at += 1
        elif kind == 'enter':
            stack.append(('slot', step[1], slots.get(step[1])))
            slots[step[1]] = (-1, -1)
            at += 1
        elif kind == 'loop':
            _, slot, low, high, lazy, body, tail = step
            count, last = slots[slot]
            stack.append(('slot', slot, slots[slot]))
            count += 1
            if count < low:
                slots[slot] = (count, last)
                at = body
            elif count < high and place != last:
                if lazy:
                    stack.append(('again', slot, (count, place), body, place))
                    at = tail
                else:
                    stack.append(('leave', slot, (count, last), tail, place))
                    slots[slot] = (count, place)
                    at = body
            else:
                at = tail
        elif kind == 'ref':
            start, stop = caps[2 * step[1]], caps[2 * step[1] + 1]
            size = stop - start
            if start < 0 or stop < 0 or place + size > end:
                good = False
            else:
                said, here = text[start:stop], text[place : place + size]
                if said != here and step[2]:
                    said = [_folded(char, step[3]) for char in said]
                    here = [_folded(char, step[3]) for char in here]
                good = said == here
                place += size
                at += 1
        elif kind == 'look':
            _, direction, negative, inner, width = step
            start = place if direction > 0 else place - width
            kept = list(caps)
            found = start >= 0 and _run(inner, text, start, end, caps) >= 0
            if not found or negative:
                caps[:] = kept
            else:
                stack.append(('caps', kept))
            good = found != negative
            at += 1
        elif kind == 'atomic':
            kept = list(caps)
            found = _run(step[1], text, place, end, caps)
            if found < 0:
                caps[:] = kept
                good = False
            else:
                stack.append(('caps', kept))
                place = found
                at += 1
        elif kind == 'cond':
            at = step[2] if caps[2 * step[1] + 1] >= 0 and caps[2 * step[1]] >= 0 else step[3]
        elif (wanted is None or place == wanted) and place != barred:
            return place
        else:
            good = False
        if good:
            continue
        while True:
            if not stack:
                return -1
            back = stack.pop()
            kind = back[0]
            if kind == 'undo':
                caps[back[1]] = back[2]
                caps[0] = back[3]
            elif kind == 'slot':
                slots[back[1]] = back[2]
            elif kind == 'caps':
                caps[:] = back[1]
            elif kind == 'go':
                at, place = back[1], back[2]
                break
            elif kind == 'less':
                at, place = back[1], back[2]
                if place > back[3]:
                    stack.append(('less', at, place - 1, back[3]))
                break
            elif kind == 'more':
                if back[2] < back[3] and _fits(program[back[1]][1], text[back[2]]):
                    stack.append(('more', back[1], back[2] + 1, back[3]))
                    at, place = back[1] + 1, back[2] + 1
                    break
            else:
                slots[back[1]] = back[2]
                at, place = back[3], back[4]
                break


# What scripts see.


class Match:
    def __init__(self, pattern, text, spans, lastindex, pos, endpos):
        self.re = pattern
        self.string = text
        self.pos = pos
        self.endpos = endpos
        self.regs = spans
        self.lastindex = lastindex
        self.lastgroup = None
        for name, number in pattern.groupindex.items():
            if number == lastindex:
                self.lastgroup = name

    def _number(self, group):
        number = self.re.groupindex.get(group, -1) if isinstance(group, str) else group
        if not isinstance(number, int) or not 0 <= number <= self.re.groups:
            raise IndexError('no such group')
        return number

    def _text(self, number, default=None):
        start, end = self.regs[number]
        return default if start < 0 else self.string[start:end]

    def group(self, *groups):
        if not groups:
            return self._text(0)
        found = [self._text(self._number(group)) for group in groups]
        return found[0] if len(found) == 1 else tuple(found)

    def __getitem__(self, group):
        return self._text(self._number(group))

    def groups(self, default=None):
        return tuple([self._text(number, default) for number in range(1, self.re.groups + 1)])

    def groupdict(self, default=None):
        return {name: self._text(number, default) for name, number in self.re.groupindex.items()}

    def start(self, group=0):
        return self.regs[self._number(group)][0]

    def end(self, group=0):
        return self.regs[self._number(group)][1]

    def span(self, group=0):
        return self.regs[self._number(group)]

    def expand(self, template):
        return _filled(_template(self.re, template), self)

    def __copy__(self):
        return self

    def __repr__(self):
        return f'<re.Match object; span={self.regs[0]}, match={self._text(0)!r}>'


class Pattern:
    def __init__(self, source, flags):
        reader = _Reader(source, flags)
        tree = reader.alternatives(flags, 0)
        if reader.flags & 64 and not flags & 64:
            reader = _Reader(source, flags | 64)
            tree = reader.alternatives(flags | 64, 0)
        if reader.place < len(source):
            reader.fail('unbalanced parenthesis', reader.place)
        if reader.uneven:
            raise re.error('look-behind requires fixed-width pattern')
        if reader.flags & 256 and reader.flags & 32:
            raise ValueError('ASCII and UNICODE flags are incompatible')
        self.pattern = source
        self.flags = reader.flags if reader.flags & 256 else reader.flags | 32
        self.groups = reader.groups
        self.groupindex = reader.names
        self._tree = tree
        self._width = _width(tree, reader.widths)[0]
        self._steps = None
        self._natives = {}

    def _native(self, how, ascii_text):
        """The other engine's pattern for one way of asking, or None."""
        key = (how, ascii_text)
        if key not in self._natives:
            text = _native(self._tree, ascii_text)
            if text is not None:
                head, tail = {'search': ('', ''), 'match': ('\\A(?:', ')'), 'fullmatch': ('\\A(?:', ')\\z')}[how]
                try:
                    text = re.compile(head + text + tail)
                except re.error:
                    text = None
            self._natives[key] = text
        return self._natives[key]

    def _found(self, native, text, pos, endpos):
        spans = tuple([native.span(number) for number in range(self.groups + 1)])
        # The group that closed last: of those that end last, the outermost, which has the lowest number.
        last, end = None, -1
        for number in range(1, self.groups + 1):
            if spans[number][0] >= 0 and spans[number][1] > end:
                last, end = number, spans[number][1]
        if self.groups > 1 and last is not None:
            return self._exact(text, spans[0][0], pos, endpos, spans)
        return Match(self, text, spans, last, pos, endpos)

    def _exact(self, text, start, pos, endpos, spans):
        # Which group closed last is told by the order of the pattern's parentheses.
        closed = [number for number in _closing(self._tree, []) if spans[number][0] >= 0]
        return Match(self, text, spans, closed[-1] if closed else None, pos, endpos)

    def _from(self, text, start, pos, endpos, how, barred):
        """A match at or behind `start`, step by step."""
        if self._steps is None:
            steps = []
            _program(self._tree, steps)
            steps.append(('match',))
            self._steps = steps
        last = start if how != 'search' else endpos
        wanted = endpos if how == 'fullmatch' else None
        while start <= last:
            caps = [None, None] + [-1] * (2 * self.groups)
            end = _run(self._steps, text, start, endpos, caps, wanted, start if barred else -1)
            if end >= 0:
                spans = [(start, end)]
                for number in range(1, self.groups + 1):
                    a, b = caps[2 * number], caps[2 * number + 1]
                    spans.append((a, b) if a >= 0 and b >= 0 else (-1, -1))
                return Match(self, text, tuple(spans), caps[0], pos, endpos)
            start += 1
            barred = False
        return None

    def _one(self, text, pos, endpos, how):
        _check(text)
        size = len(text)
        pos = min(max(pos, 0), size)
        endpos = size if endpos is None else min(max(endpos, 0), size)
        if pos > endpos:
            return None
        if pos == 0:
            native = self._native(how, text.isascii())
            if native is not None:
                found = native.search(text if endpos == size else text[:endpos])
                return None if found is None else self._found(found, text, pos, endpos)
        return self._from(text, pos, pos, endpos, how, False)

    def match(self, string, pos=0, endpos=None):
        return self._one(string, pos, endpos, 'match')

    def fullmatch(self, string, pos=0, endpos=None):
        return self._one(string, pos, endpos, 'fullmatch')

    def search(self, string, pos=0, endpos=None):
        return self._one(string, pos, endpos, 'search')

    def _quick(self, text):
        """The other engine's pattern, where it finds all matches as they are found here."""
        return self._native('search', text.isascii()) if self._width else None

    def _all(self, text, pos=0, endpos=None, most=0):
        _check(text)
        size = len(text)
        pos = min(max(pos, 0), size)
        endpos = size if endpos is None else min(max(endpos, 0), size)
        native = self._quick(text) if pos == 0 else None
        if native is not None:
            found = native.finditer(text if endpos == size else text[:endpos])
            matches = [self._found(one, text, pos, endpos) for one in found]
            return matches[:most] if most else matches
        matches, start, barred = [], pos, False
        while start <= endpos and not (most and len(matches) >= most):
            one = self._from(text, start, pos, endpos, 'search', barred)
            if one is None:
                break
            matches.append(one)
            barred = one.end() == one.start()
            start = one.end()
        return matches

    def finditer(self, string, pos=0, endpos=None):
        return iter(self._all(string, pos, endpos))

    def findall(self, string, pos=0, endpos=None):
        if pos == 0 and endpos is None and isinstance(string, str):
            native = self._quick(string)
            if native is not None:
                return native.findall(string)
        found = self._all(string, pos, endpos)
        if self.groups == 0:
            return [one._text(0) for one in found]
        if self.groups == 1:
            return [one._text(1, '') for one in found]
        return [one.groups('') for one in found]

    def split(self, string, maxsplit=0):
        parts, last = [], 0
        for one in self._all(string, 0, None, maxsplit) if maxsplit >= 0 else []:
            parts.append(string[last : one.start()])
            parts += list(one.groups())
            last = one.end()
        return parts + [string[last:]]

    def subn(self, repl, string, count=0):
        template = _template(self, repl) if isinstance(repl, str) else None
        parts, last = [], 0
        found = self._all(string, 0, None, count) if count >= 0 else []
        for one in found:
            parts.append(string[last : one.start()])
            made = repl(one) if template is None else _filled(template, one)
            if made is not None:
                parts.append(made)
            last = one.end()
        return (''.join(parts) + string[last:], len(found))

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def __eq__(self, other):
        return isinstance(other, Pattern) and (self.pattern, self.flags) == (other.pattern, other.flags)

    def __hash__(self):
        return hash((self.pattern, self.flags))

    def __repr__(self):
        names = [f're.{name}' for flag, name in _NAMES if self.flags & flag]
        shown = repr(self.pattern)[:200]
        return f're.compile({shown}{", " if names else ""}{"|".join(names)})'


def _closing(node, found):
    kind = node[0]
    if kind in ('seq', 'alt'):
        for part in node[1]:
            _closing(part, found)
    elif kind == 'group':
        _closing(node[2], found)
        if node[1]:
            found.append(node[1])
    elif kind == 'rep':
        _closing(node[4], found)
    elif kind == 'look':
        _closing(node[3], found)
    elif kind == 'atomic':
        _closing(node[1], found)
    return found


def _check(text):
    if not isinstance(text, str):
        if isinstance(text, bytes):
            raise TypeError('cannot use a string pattern on a bytes-like object')
        raise TypeError(f'expected string or bytes-like object, got {type(text).__name__!r}')


def _template(pattern, source):
    """Texts and group numbers."""
    parts, text, place = [], '', 0
    while place < len(source):
        char = source[place]
        if char != '\\':
            text += char
            place += 1
            continue
        here = place
        place += 1
        if place >= len(source):
            _fail('bad escape (end of pattern)', source, here)
        char = source[place]
        place += 1
        group = None
        if char == 'g':
            if source[place : place + 1] != '<':
                _fail('missing <', source, place)
            end = source.find('>', place)
            name = source[place + 1 : end] if end >= 0 else source[place + 1 :]
            if not name:
                _fail('missing group name', source, place + 1)
            if end < 0:
                _fail('missing >, unterminated name', source, place + 1)
            if name.isdecimal() and name.isascii():
                group = int(name)
                if group > pattern.groups:
                    _fail(f'invalid group reference {group}', source, place + 1)
            else:
                if not name.isidentifier():
                    _fail(f'bad character in group name {name!r}', source, place + 1)
                if name not in pattern.groupindex:
                    raise IndexError(f'unknown group name {name!r}')
                group = pattern.groupindex[name]
            place = end + 1
        elif char == '0':
            digits = char
            while len(digits) < 3 and source[place : place + 1] and source[place] in '01234567':
                digits += source[place]
                place += 1
            text += chr(int(digits, 8) & 255)
        elif char in '123456789':
            digits = char
            if source[place : place + 1] and source[place] in '0123456789':
                digits += source[place]
                place += 1
                if (
                    char in '01234567'
                    and digits[1] in '01234567'
                    and source[place : place + 1]
                    and source[place] in '01234567'
                ):
                    digits += source[place]
                    place += 1
                    if int(digits, 8) > 255:
                        _fail(f'octal escape value \\{digits} outside of range 0-0o377', source, here)
                    text += chr(int(digits, 8))
                    continue
            group = int(digits)
            if group > pattern.groups:
                _fail(f'invalid group reference {group}', source, here + 1)
        elif char in _ESCAPES:
            text += _ESCAPES[char]
        elif char.isascii() and char.isalpha():
            _fail('bad escape \\' + char, source, here)
        else:
            text += '\\' + char
        if group is not None:
            parts += [text, group]
            text = ''
    return parts + [text]


def _filled(template, found):
    return ''.join([found._text(part, '') if isinstance(part, int) else part for part in template])


def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError('cannot process flags argument with a compiled pattern')
        return pattern
    if isinstance(pattern, bytes):
        raise TypeError('patterns of bytes are not to be had here: decode the bytes, and search the text')
    if not isinstance(pattern, str):
        raise TypeError('first argument must be string or compiled pattern')
    if flags & 4:
        raise ValueError('cannot use LOCALE flag with a str pattern')
    if flags & 256 and flags & 32:
        raise ValueError('ASCII and UNICODE flags are incompatible')
    key = (pattern, flags)
    if key not in _compiled:
        if len(_compiled) > 200:
            _compiled.clear()
        _compiled[key] = Pattern(pattern, flags)
    return _compiled[key]


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def escape(pattern):
    if not isinstance(pattern, str):
        raise TypeError('only text can be escaped here')
    special = '()[]{}?*+-|^$\\.&~# \t\n\r\x0b\x0c'
    return ''.join(['\\' + char if char in special else char for char in pattern])


def purge():
    _compiled.clear()
