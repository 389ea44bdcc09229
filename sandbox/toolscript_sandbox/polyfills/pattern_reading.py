"""A pattern, read: a tree of tuples, each of which begins with its kind. Flags are worked in while reading."""

import re
import unicodedata

from .pattern_widths import ENDLESS, width_of

LETTERS = {'i': 2, 'L': 4, 'm': 8, 's': 16, 'u': 32, 'x': 64, 'a': 256}
ESCAPES = {'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\'}


def fail(message, source, place):
    text = f'{message} at position {place}'
    if '\n' in source:
        line = source.count('\n', 0, place) + 1
        text = f'{text} (line {line}, column {place - source.rfind(chr(10), 0, place)})'
    raise re.error(text)


class Reader:
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
        fail(message, self.source, place)

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
        low, high = {'*': (0, ENDLESS), '+': (1, ENDLESS), '?': (0, 1)}.get(char, (0, 0))
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
            high = int(high_text) if high_text else ENDLESS
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
        if char in ESCAPES:
            return ('char', ESCAPES[char], flags & 2, flags & 256)
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
        if char in ESCAPES:
            return ESCAPES[char]
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
            elif char in LETTERS or char == '-':
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
            self.widths[number] = width_of(body, self.widths)
            return (flags, ('group', number, body))
        if kind == 'look':
            width = width_of(body, self.widths)
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
            added = LETTERS[char]
        while True:
            if self.place >= len(self.source):
                self.fail('missing -, : or )', self.place)
            char = self.source[self.place]
            self.place += 1
            if char in ':)':
                break
            if char == '-' and not off:
                off = True
            elif char in LETTERS:
                if off:
                    removed |= LETTERS[char]
                else:
                    added |= LETTERS[char]
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
