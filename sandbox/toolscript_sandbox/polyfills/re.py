r"""Regular expressions as Python has them.

Monty hands patterns to an engine of another family: there `$` never matches before a last line break and `\Z` does, empty matches
beside others are left out, `\w` takes combining marks, `\q` is no error, and flags, positions and half of what a match tells are
missing. So a pattern is read here (`pattern_reading`). Where it can be said in that engine's words with the same meaning, it is
(`pattern_translation`): that is fast, and is so for most patterns. What is left (references, conditions, repeated parts that may be empty, all matches of a
pattern that may match nothing, letters of any case beyond ASCII, a start inside of the text) is matched here, step by step, as
CPython's own matcher goes about it (`pattern_programs`, `pattern_steps`).

Tried: rewriting only `$` and the empty matches, which leaves the rest different. Loading it takes some 7 ms,
once in a session that names `re`.
"""

import re

from .pattern_programs import program_of
from .pattern_reading import Reader
from .pattern_steps import run
from .pattern_templates import filled, template_of
from .pattern_translation import translated
from .pattern_widths import width_of

error = re.error
NOFLAG = 0
I = IGNORECASE = 2
L = LOCALE = 4
M = MULTILINE = 8
S = DOTALL = 16
U = UNICODE = 32
X = VERBOSE = 64
A = ASCII = 256
_NAMES = [(2, 'IGNORECASE'), (8, 'MULTILINE'), (16, 'DOTALL'), (64, 'VERBOSE'), (256, 'ASCII')]
_compiled = {}


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
        return filled(template_of(self.re, template), self)

    def __copy__(self):
        return self

    def __repr__(self):
        return f'<re.Match object; span={self.regs[0]}, match={self._text(0)!r}>'


class Pattern:
    def __init__(self, source, flags):
        reader = Reader(source, flags)
        tree = reader.alternatives(flags, 0)
        if reader.flags != flags:
            # What stands in front as `(?i)` is said of the whole pattern.
            flags = reader.flags
            reader = Reader(source, flags)
            tree = reader.alternatives(flags, 0)
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
        self._width = width_of(tree, reader.widths)[0]
        self._steps = None
        self._natives = {}

    def _native(self, how, ascii_text):
        """The other engine's pattern for one way of asking, or None."""
        key = (how, ascii_text)
        if key not in self._natives:
            text = translated(self._tree, ascii_text)
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
            self._steps = program_of(self._tree)
        last = start if how != 'search' else endpos
        wanted = endpos if how == 'fullmatch' else None
        while start <= last:
            caps = [None, None] + [-1] * (2 * self.groups)
            end = run(self._steps, text, start, endpos, caps, wanted, start if barred else -1)
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
        template = template_of(self, repl) if isinstance(repl, str) else None
        parts, last = [], 0
        found = self._all(string, 0, None, count) if count >= 0 else []
        for one in found:
            parts.append(string[last : one.start()])
            made = repl(one) if template is None else filled(template, one)
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
