"""Regular expressions: Monty's engine for patterns that it reads as CPython does, CPython's own on the host for the others.

Monty's engine leaves out empty matches beside others, matches `$` and `\\Z` in another way before a last line break, has other
`\\w` and `\\s` beyond ASCII, reads `[[` and `&&` in its own way, and offers no flags by name, no positions and no
functions as replacements. `_Reader` accepts what it reads alike and refuses the rest. The host cannot be asked in key functions.
"""

import re

error = PatternError = re.error
NOFLAG, I, IGNORECASE, L, LOCALE, M, MULTILINE, S, DOTALL, U, UNICODE, X, VERBOSE, A, ASCII = 0, 2, 2, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64, 256, 256
_NAMES = [(2, 'IGNORECASE'), (8, 'MULTILINE'), (16, 'DOTALL'), (64, 'VERBOSE'), (256, 'ASCII')]
_compiled = {}


class _Reader:
    """Whether Monty's engine reads a pattern alike: `ok`; `ascii` where that is so for texts of ASCII only, `end` where a last
    line break in the text matters."""

    def __init__(self, text):
        self.text, self.at, self.groups, self.names, self.closing = text, 0, 0, {}, []
        self.ascii, self.end, self.ok = not text.isascii(), False, True
        self.may_be_empty = self._alternatives()
        self.ok = self.ok and self.at == len(text)

    def _peek(self, size=1):
        return self.text[self.at : self.at + size]

    def _alternatives(self):
        """Reads up to a closing parenthesis. Whether the pattern may match nothing."""
        empty = self._sequence()
        while self.ok and self._peek() == '|':
            self.at += 1
            empty = self._sequence() or empty
        return empty

    def _sequence(self):
        empty = True
        while self.ok and self.at < len(self.text) and self._peek() not in '|)':
            before = self.groups
            width = self._atom()
            if self._peek() and self._peek() in '*+?{':
                low = self._least()
                # Empty rounds, and what groups hold after the last round, differ.
                self.ok = self.ok and width == 1 and self.groups == before
                width = width if low else 0
            empty = empty and width != 1
        return empty

    def _least(self):
        """Reads a quantifier. The least number of rounds."""
        char, low = self._peek(), 0
        self.at += 1
        if char == '{':
            stop = self.text.find('}', self.at)
            bounds = self.text[self.at : stop].split(',') if stop > 0 else ['x']
            if len(bounds) > 2 or not all([bound.isdigit() and len(bound) < 4 for bound in bounds]) or int(bounds[0]) > int(bounds[-1]):
                self.ok = False
                return 0
            self.at, low = stop + 1, int(bounds[0])
        elif char == '+':
            low = 1
        if self._peek() == '?':
            self.at += 1
        if self._peek() and self._peek() in '*+?{':
            self.ok = False
        return low

    def _atom(self):
        """Reads one. 1 where it takes characters, 0 where it may take none, -1 where it is an anchor."""
        char = self._peek()
        self.at += 1
        if char == '(':
            return self._group()
        if char == '[':
            return self._set()
        if char == '\\':
            return self._escape('dDwWsSbAtnrfv')
        if char == '$':
            self.end = True
        elif char in '*+?{}':
            self.ok = False
        return -1 if char in '^$' else 1

    def _escape(self, letters):
        char = self._peek()
        self.at += 1
        if not char or char.isalnum() and char not in letters or char == '_' or not char.isascii():
            self.ok = False
        if char and char in 'dDwWsSb':
            self.ascii = True
        return -1 if char and char in 'bA' else 1

    def _set(self):
        if self._peek() == '^':
            self.at += 1
        first = True
        while self.ok and (first or self._peek() != ']'):
            char, first = self._peek(), False
            self.at += 1
            if char == '\\':
                self._escape('dDwWsStnrfv')
            elif not char or char in '[]' or char in '&~|-' and self._peek() == char:
                self.ok = False
        self.at += 1
        return 1

    def _group(self):
        number = 0
        if self._peek(2) == '?:':
            self.at += 2
        elif self._peek(3) == '?P<':
            stop = self.text.find('>', self.at)
            name = self.text[self.at + 3 : stop] if stop > 0 else ''
            self.ok = self.ok and name.isascii() and name.replace('_', 'a').isalnum() and not name[0].isdigit() and name not in self.names
            self.at, self.groups, number = stop + 1, self.groups + 1, self.groups + 1
            self.names[name] = number
        elif self._peek() == '?':
            self.ok = False
            return 1
        else:
            self.groups, number = self.groups + 1, self.groups + 1
        empty = self._alternatives()
        self.ok = self.ok and self._peek() == ')'
        self.at += 1
        if number:
            self.closing.append(number)
        return 0 if empty else 1


class Match:
    def __init__(self, pattern, string, pos, endpos, spans, lastindex):
        self.re, self.string, self.pos, self.endpos, self.regs, self.lastindex = pattern, string, pos, endpos, tuple(spans), lastindex
        self.lastgroup = ([name for name, number in pattern.groupindex.items() if number == lastindex] or [None])[0]

    def _number(self, group):
        number = self.re.groupindex.get(group, -1) if isinstance(group, str) else group
        if not isinstance(number, int) or not 0 <= number <= self.re.groups:
            raise IndexError('no such group')
        return number

    def _text(self, number, default=None):
        start, end = self.regs[number]
        return default if start < 0 else self.string[start:end]

    def group(self, *groups):
        found = [self._text(self._number(group)) for group in groups or [0]]
        return found[0] if len(found) == 1 else tuple(found)

    def __getitem__(self, group): return self._text(self._number(group))
    def groups(self, default=None): return tuple([self._text(number, default) for number in range(1, self.re.groups + 1)])
    def groupdict(self, default=None): return {name: self._text(number, default) for name, number in self.re.groupindex.items()}
    def start(self, group=0): return self.regs[self._number(group)][0]
    def end(self, group=0): return self.regs[self._number(group)][1]
    def span(self, group=0): return self.regs[self._number(group)]
    def expand(self, template): return _host__('re.expand', self.re.pattern, self.re._given, self.string, *self.regs[0], template)
    def __repr__(self): return f'<re.Match object; span={self.regs[0]}, match={self._text(0)!r}>'


class Pattern:
    def __init__(self, pattern, flags):
        self.pattern, self._given, self._native = pattern, flags, None
        if isinstance(pattern, str) and not flags & ~58:
            self._reader = _Reader(pattern)
            if self._reader.ok:
                self._native = re.compile(pattern, flags & 26)
                self.flags, self.groups, self.groupindex = flags | 32, self._reader.groups, self._reader.names
        if self._native is None:
            self.flags, self.groups, self.groupindex = _host__('re.compile', pattern, flags)

    def _alike(self, string, pos, endpos):
        """Whether Monty's engine finds the same in this text."""
        if self._native is None or pos or endpos is not None or not isinstance(string, str):
            return False
        narrow = self._reader.ascii or self._given & 2
        if narrow and (not string.isascii() or any([char in string for char in '\x1c\x1d\x1e\x1f'])):
            return False
        return not (self._reader.end and string.endswith('\n'))

    def _of_native(self, found, string):
        spans = [found.span(number) for number in range(self.groups + 1)]
        closed = [number for number in self._reader.closing if spans[number][0] >= 0]
        return Match(self, string, 0, len(string), spans, closed[-1] if closed else None)

    def _one(self, method, string, pos, endpos):
        if self._alike(string, pos, endpos):
            native = self._native
            found = native.search(string) if method == 'search' else native.match(string) if method == 'match' else native.fullmatch(string)
            return None if found is None else self._of_native(found, string)
        size = len(string)
        pos, endpos = max(0, min(pos, size)), size if endpos is None else max(0, min(endpos, size))
        found = _host__('re.method', self.pattern, self._given, method, string, pos, endpos)
        return None if found is None else Match(self, string, pos, endpos, *found)

    def search(self, string, pos=0, endpos=None): return self._one('search', string, pos, endpos)
    def match(self, string, pos=0, endpos=None): return self._one('match', string, pos, endpos)
    def fullmatch(self, string, pos=0, endpos=None): return self._one('fullmatch', string, pos, endpos)

    def _all(self, string, pos=0, endpos=None):
        if self._alike(string, pos, endpos) and not self._reader.may_be_empty:
            return [self._of_native(found, string) for found in self._native.finditer(string)]
        size = len(string)
        pos, endpos = max(0, min(pos, size)), size if endpos is None else max(0, min(endpos, size))
        return [Match(self, string, pos, endpos, *found) for found in _host__('re.method', self.pattern, self._given, 'finditer', string, pos, endpos)]

    def finditer(self, string, pos=0, endpos=None): return iter(self._all(string, pos, endpos))

    def findall(self, string, pos=0, endpos=None):
        if self.groups == 0:
            return [found._text(0) for found in self._all(string, pos, endpos)]
        empty = string[:0]
        return [found._text(1, empty) if self.groups == 1 else found.groups(empty) for found in self._all(string, pos, endpos)]

    def split(self, string, maxsplit=0):
        parts, last = [], 0
        found = self._all(string) if maxsplit >= 0 else []
        for one in found[:maxsplit] if maxsplit else found:
            parts.append(string[last : one.start()])
            parts += list(one.groups())
            last = one.end()
        return parts + [string[last:]]

    def subn(self, repl, string, count=0):
        if isinstance(repl, bytes) or isinstance(repl, str) and '\\' in repl:
            return _host__('re.method', self.pattern, self._given, 'subn', repl, string, count)
        parts, last = [], 0
        found = self._all(string) if count >= 0 else []
        found = found[:count] if count else found
        for one in found:
            made = repl if isinstance(repl, str) else repl(one)
            parts += [string[last : one.start()], string[:0] if made is None else made]
            last = one.end()
        return string[:0].join(parts + [string[last:]]), len(found)

    def sub(self, repl, string, count=0): return self.subn(repl, string, count)[0]
    def __eq__(self, other): return isinstance(other, Pattern) and (self.pattern, self.flags) == (other.pattern, other.flags)
    def __hash__(self): return hash((self.pattern, self.flags))

    def __repr__(self):
        names = [f're.{name}' for flag, name in _NAMES if self.flags & flag]
        return f're.compile({self.pattern!r}{", " if names else ""}{"|".join(names)})'


def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError('cannot process flags argument with a compiled pattern')
        return pattern
    if not isinstance(pattern, (str, bytes)):
        raise TypeError('first argument must be string or compiled pattern')
    key = (pattern, flags)
    if key not in _compiled:
        if len(_compiled) > 100:
            _compiled.clear()
        _compiled[key] = Pattern(pattern, flags)
    return _compiled[key]


def search(pattern, string, flags=0): return compile(pattern, flags).search(string)
def match(pattern, string, flags=0): return compile(pattern, flags).match(string)
def fullmatch(pattern, string, flags=0): return compile(pattern, flags).fullmatch(string)
def finditer(pattern, string, flags=0): return compile(pattern, flags).finditer(string)
def findall(pattern, string, flags=0): return compile(pattern, flags).findall(string)
def split(pattern, string, maxsplit=0, flags=0): return compile(pattern, flags).split(string, maxsplit)
def sub(pattern, repl, string, count=0, flags=0): return compile(pattern, flags).sub(repl, string, count)
def subn(pattern, repl, string, count=0, flags=0): return compile(pattern, flags).subn(repl, string, count)
def escape(pattern): return _host__('re.escape', pattern)
def purge(): _compiled.clear()
