"""Regular expressions: Monty's engine for patterns that it reads as CPython does, CPython's own on the host for the others.

Monty's engine leaves out empty matches beside others, matches `$` and `\\Z` in another way before a last line break, has other
`\\w` and `\\s` beyond ASCII, reads `[[` and `&&` in its own way, and offers no flags by name, no positions and no
functions as replacements. `_Reader` accepts what it reads alike and refuses the rest. The host cannot be asked in key functions.
"""

import re

error = PatternError = ValueError
NOFLAG, I, IGNORECASE, L, LOCALE, M, MULTILINE, S, DOTALL, U, UNICODE, X, VERBOSE, A, ASCII = 0, 2, 2, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64, 256, 256
_NAMES = [(2, 'IGNORECASE'), (8, 'MULTILINE'), (16, 'DOTALL'), (64, 'VERBOSE'), (256, 'ASCII')]
_compiled = {}
# What both engines read alike: escapes, sets, groups, repeats, and single characters.
_ESCAPES = r'\\[wWdDsSAbtnrfv]|\\[^A-Za-z0-9_]'
_SETS = r'\[\^?(?:\\[wWdDsStnrfv]|\\[^A-Za-z0-9_]|[^\\\[\]])+\]'
_TOKEN = re.compile(_ESCAPES + '|' + _SETS + r'|\((?:\?:|\?P<[A-Za-z_][A-Za-z0-9_]*>)?|[*+?]\??|\{[0-9]{1,3}(?:,[0-9]{0,3})?\}\??|[^\\\[\]{}*+?]')


class _Open:
    """A group that is being read, or the whole pattern."""

    def __init__(self, number, groups):
        self.number, self.groups = number, groups
        # Whether a branch so far may match nothing, and whether this one may.
        self.a_branch_may, self.may_be_empty = False, True


class _Reader:
    """Whether Monty's engine reads a pattern alike: `ok`. `ascii`: only in texts of ASCII; `end`: only where no line break ends the text."""

    def __init__(self, text):
        self.groups, self.names, self.closing = 0, {}, []
        self.ascii, self.end, self.may_be_empty = not text.isascii(), False, True
        self._opened = [_Open(0, 0)]
        # Of the last part, which a repeat may follow: whether it takes characters for sure, groups and emptiness before it.
        self._last = None
        at = 0
        for token in _TOKEN.finditer(text):
            if token.start() != at or not self._reads(token.group()):
                break
            at = token.end()
        self.ok = at == len(text) and len(self._opened) == 1
        if self.ok:
            self.may_be_empty = self._opened[0].a_branch_may or self._opened[0].may_be_empty

    def _reads(self, part):
        """Whether the part is read alike here."""
        inner, last, char = self._opened[-1], self._last, part[0]
        self._last = None
        if char in '*+?{':
            return self._repeats(part, last, inner)
        if char == '(':
            name = part[4:-1] if part[-1] == '>' else None
            if name in self.names:
                return False
            self._opened.append(_Open(0 if part == '(?:' else self.groups + 1, self.groups))
            self.groups += part != '(?:'
            if name:
                self.names[name] = self.groups
        elif char == '|':
            inner.a_branch_may, inner.may_be_empty = inner.a_branch_may or inner.may_be_empty, True
        elif char == ')':
            if len(self._opened) == 1:
                return False
            self._opened.pop()
            if inner.number:
                self.closing.append(inner.number)
            self._took(not (inner.a_branch_may or inner.may_be_empty), inner.groups)
        else:
            self.end = self.end or char == '$'
            self.ascii = self.ascii or char in '\\[' and any([kind in part for kind in ('\\w', '\\W', '\\d', '\\D', '\\s', '\\S', '\\b')])
            self._took(part not in ('^', '$', '\\A', '\\b'), self.groups)
        return char != '[' or not any([twice in part for twice in ('--', '&&', '~~', '||')])

    def _took(self, characters, groups):
        outer = self._opened[-1]
        self._last = (characters, groups, outer.may_be_empty)
        outer.may_be_empty = outer.may_be_empty and not characters

    def _repeats(self, part, last, inner):
        # Empty rounds, and what groups hold after the last round, differ.
        if last is None or not last[0] or last[1] != self.groups and part != '?':
            return False
        low, _, high = part.strip('{}?').partition(',')
        if part[0] in '*?' or part[0] == '{' and int(low) == 0:
            inner.may_be_empty = last[2]
        return part[0] != '{' or not high or int(low) <= int(high)


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
            kind = {'(?i)': 2, '(?m)': 8, '(?s)': 16}.get(pattern[:4], 0)
            self._reader = _Reader(pattern[4:] if kind else pattern)
            if self._reader.ok:
                flags |= kind
                self._native = re.compile(pattern[4:] if kind else pattern, flags & 26)
                self.flags, self.groups, self.groupindex = flags | 32, self._reader.groups, self._reader.names
        if self._native is None:
            self.flags, self.groups, self.groupindex = _host__('re.compile', pattern, flags)

    def _alike(self, string, pos, endpos):
        """Whether Monty's engine finds the same in this text."""
        if self._native is None or pos or endpos is not None or not isinstance(string, str):
            return False
        narrow = self._reader.ascii or self.flags & 2
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
