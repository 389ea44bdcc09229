"""Regular expressions: Monty's engine for patterns that it interprets like CPython, and CPython on the host for others.

Monty's engine omits empty matches next to others, matches `$` and `\\Z` differently before a final line break, has other
`\\w` and `\\s` outside ASCII, interprets `[[` and `&&` differently, and has no flags by name, no positions and no
functions as replacements. `_Reader` accepts the patterns that both interpret alike. Key functions cannot call the host.
"""

import re

error = ValueError
NOFLAG, I, IGNORECASE, L, LOCALE, M, MULTILINE, S, DOTALL, U, UNICODE, X, VERBOSE, A, ASCII = 0, 2, 2, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64, 256, 256
_compiled = {}
# The texts in which both engines have the same letters, digits and blanks, without superscripts, fractions and odd blanks.
_LATIN = re.compile('[\\x00-\\x1b -\\x7f\\xa0-\\xb1\\xb4-\\xb8\\xba\\xbb\\xbf-\u02af\u0370-\u0481\u048a-\u052f\u2010-\u203e\u20a0-\u20bf\u2190-\u21ff]*')
# The syntax that both engines interpret alike: escapes, sets, groups, repeats, and single characters.
_ESCAPES = r'\\[wWdDsSAbtnrfv]|\\[^A-Za-z0-9_]'
_SETS = r'\[\^?(?:\\[wWdDsStnrfv]|\\[^A-Za-z0-9_]|[^\\\[\]])+\]'
_TOKEN = re.compile(_ESCAPES + '|' + _SETS + r'|\((?:\?:|\?P<[A-Za-z_][A-Za-z0-9_]*>)?|[*+?]\??|\{[0-9]{1,3}(?:,[0-9]{0,3})?\}\??|[^\\\[\]{}*+?]')


class _Reader:
    """Decides if both engines read a pattern alike (`ok`): with `ascii` only in texts of `_LATIN`, with `end` only without a final line break."""

    def __init__(self, text):
        self.names, self.closing, self.ok = {}, [], False
        self.ascii = not text.isascii() or any([kind in text for kind in _ASCII])
        self.end = '$' in text
        # The parts that consume characters, to find those that may match nothing; the starts of open groups: place, number.
        self._bare, self._opened, self.groups = [], [], 0
        at, last = 0, None
        for token in _TOKEN.finditer(text):
            last = self._read(token.group(), last) if token.start() == at else False
            if last is False:
                return
            at = token.end()
        self.ok = at == len(text) and not self._opened
        if self.ok:
            self.may_be_empty = self._may_be_empty(0)

    def _may_be_empty(self, place): return re.compile(''.join(self._bare[place:])).fullmatch('') is not None

    def _read(self, part, last):
        """Return what a repeat may follow now: 'one' or 'group', or None; False if the engines differ in this part."""
        char = part[0]
        if char in '*+?{':
            low, _, high = part.strip('{}?').partition(',')
            # The engines differ in empty repetitions, and in the contents of groups after the last repetition.
            if last != 'one' and (last is None or part != '?') or char == '{' and high and int(low) > int(high):
                return False
        elif char == '(':
            name, before = part[4:-1], self.groups
            self.groups += part != '(?:'
            if name in self.names:
                return False
            if name:
                self.names[name] = self.groups
            self._opened.append((len(self._bare), before, self.groups if self.groups > before else None))
            part = '(?:'
        elif part in ('^', '$', '\\A', '\\b', '|'):
            self._bare += ['|'] if part == '|' else []
            return None
        self._bare.append(part)
        if char == ')':
            place, before, number = self._opened.pop()
            self.closing += [number] if number else []
            return None if self._may_be_empty(place) else 'group' if self.groups > before else 'one'
        if char in '(*+?{':
            return None
        return False if char == '[' and any([twice in part for twice in ('--', '&&', '~~', '||')]) else 'one'


_ASCII = ['\\w', '\\W', '\\d', '\\D', '\\s', '\\S', '\\b']


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
    def __repr__(self): return f'<re.Match object; span={self.regs[0]}, match={self._text(0)!r}>'


class Pattern:
    def __init__(self, pattern, flags):
        self.pattern, self._given, self._native = pattern, flags, None
        if isinstance(pattern, str) and not flags & ~58:
            kind = {'(?i)': 2, '(?m)': 8, '(?s)': 16}.get(pattern[:4], 0)
            try:
                self._reader = _Reader(pattern[4:] if kind else pattern)
                if self._reader.ok:
                    self._native = re.compile(pattern[4:] if kind else pattern, (flags | kind) & 26)
                    self.flags, self.groups, self.groupindex = flags | kind | 32, self._reader.groups, self._reader.names
            except Exception:
                # Monty's engine refuses large patterns, such as `[\w.-]{1,255}`.
                self._native = None
        if self._native is None:
            self.flags, self.groups, self.groupindex = _host__('re.compile', pattern, flags)

    def _alike(self, string, pos, endpos):
        """Return whether Monty's engine finds the same in this text."""
        if self._native is None or pos or endpos is not None or not isinstance(string, str):
            return False
        if self.flags & 2 and not string.isascii() or (self.flags & 2 or self._reader.ascii) and not _LATIN.fullmatch(string):
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
        found = self._asked(method, string, *_bounds(string, pos, endpos))
        return None if found is None else Match(self, string, *_bounds(string, pos, endpos), *found)

    def _asked(self, method, *args): return _host__('re.method', self.pattern, self._given, method, *args)
    def search(self, string, pos=0, endpos=None): return self._one('search', string, pos, endpos)
    def match(self, string, pos=0, endpos=None): return self._one('match', string, pos, endpos)
    def fullmatch(self, string, pos=0, endpos=None): return self._one('fullmatch', string, pos, endpos)

    def _all(self, string, pos=0, endpos=None):
        if self._alike(string, pos, endpos) and not self._reader.may_be_empty:
            return [self._of_native(found, string) for found in self._native.finditer(string)]
        bounds = _bounds(string, pos, endpos)
        return [Match(self, string, *bounds, *found) for found in self._asked('finditer', string, *bounds)]

    def finditer(self, string, pos=0, endpos=None): return iter(self._all(string, pos, endpos))

    def findall(self, string, pos=0, endpos=None):
        every = self._all(string, pos, endpos)
        if self.groups == 0:
            return [found._text(0) for found in every]
        return [found._text(1, string[:0]) if self.groups == 1 else found.groups(string[:0]) for found in every]

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
            return self._asked('subn', repl, string, count)
        parts, last = [], 0
        found = self._all(string) if count >= 0 else []
        found = found[:count] if count else found
        for one in found:
            made = repl if isinstance(repl, str) else repl(one)
            parts += [string[last : one.start()], string[:0] if made is None else made]
            last = one.end()
        return string[:0].join(parts + [string[last:]]), len(found)

    def sub(self, repl, string, count=0): return self.subn(repl, string, count)[0]


def _bounds(string, pos, endpos):
    if not isinstance(string, (str, bytes)):
        raise TypeError(f"expected string or bytes-like object, got '{type(string).__name__}'")
    size = len(string)
    return max(0, min(pos, size)), size if endpos is None else max(0, min(endpos, size))


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
