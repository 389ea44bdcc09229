"""What Python makes of heirs of tuples and dicts; the rest of the module is the host's."""


class _Parts:
    """The parts of a URL, which are also those of a tuple."""

    def __init__(self, kind, names, parts):
        self._kind, self._fields, self._parts = kind, names, tuple(parts)
        for name, part in zip(names, parts):
            setattr(self, name, part)

    def __iter__(self):
        return iter(self._parts)

    def __getitem__(self, place):
        return self._parts[place]

    def __len__(self):
        return len(self._parts)

    def __eq__(self, other):
        return self._parts == (other._parts if hasattr(other, '_parts') else other)

    def __hash__(self):
        return hash(self._parts)

    def __repr__(self):
        return f'{self._kind}({", ".join([f"{name}={part!r}" for name, part in zip(self._fields, self._parts)])})'

    def _asdict(self):
        return dict(zip(self._fields, self._parts))

    def _changed(self, changes):
        unknown = [name for name in changes if name not in self._fields]
        if unknown:
            raise ValueError(f'Got unexpected field names: {unknown!r}')
        return [changes.get(name, part) for name, part in zip(self._fields, self._parts)]

    def _settle(self):
        user, at, place = self.netloc.rpartition('@')
        self.username, colon, password = user.partition(':')
        self.password = password if colon else None
        if not at:
            self.username = None
        _, bracket, inner = place.partition('[')
        if bracket:
            host, _, rest = inner.partition(']')
            port = rest.partition(':')[2]
        else:
            host, _, port = place.partition(':')
        name, percent, zone = host.partition('%')
        self.hostname = name.lower() + percent + zone if host else None
        self._port = port or None


class SplitResult(_Parts):
    def __init__(self, scheme, netloc, path, query, fragment):
        names = ('scheme', 'netloc', 'path', 'query', 'fragment')
        _Parts.__init__(self, 'SplitResult', names, [scheme, netloc, path, query, fragment])
        self._settle()

    @property
    def port(self):
        return _port_of(self._port)

    def geturl(self):
        return urlunsplit(self)

    def _replace(self, **changes):
        return SplitResult(*self._changed(changes))


class ParseResult(_Parts):
    def __init__(self, scheme, netloc, path, params, query, fragment):
        names = ('scheme', 'netloc', 'path', 'params', 'query', 'fragment')
        _Parts.__init__(self, 'ParseResult', names, [scheme, netloc, path, params, query, fragment])
        self._settle()

    @property
    def port(self):
        return _port_of(self._port)

    def geturl(self):
        return urlunparse(self)

    def _replace(self, **changes):
        return ParseResult(*self._changed(changes))


class DefragResult(_Parts):
    def __init__(self, url, fragment):
        _Parts.__init__(self, 'DefragResult', ('url', 'fragment'), [url, fragment])

    def geturl(self):
        return self.url + '#' + self.fragment if self.fragment else self.url

    def _replace(self, **changes):
        return DefragResult(*self._changed(changes))


class _AsciiRuns:
    def split(self, string):
        runs = [[]]
        for character in string:
            if (character < '\x80') == (len(runs) % 2 == 1):
                runs.append([])
            runs[-1].append(character)
        return [''.join(run) for run in (runs if len(runs) % 2 else [*runs, []])]


# What a pattern would do, without the engine for patterns.
_asciire = _AsciiRuns()


def _generate_unquoted_parts(string, encoding, errors):
    # From Python 3.12 on, `unquote` asks for them.
    for place, run in enumerate(_asciire.split(string)):
        yield unquote_to_bytes(run).decode(encoding, errors) if place % 2 else run


def _port_of(port):
    if port is None:
        return None
    if not (port.isdigit() and port.isascii()):
        raise ValueError(f'Port could not be cast to integer value as {port!r}')
    number = int(port)
    if not 0 <= number <= 65535:
        raise ValueError('Port out of range 0-65535')
    return number


def _byte_quoter_factory(safe):
    kept = frozenset(_ALWAYS_SAFE).union(frozenset(safe))
    return lambda byte: chr(byte) if byte in kept else f'%{byte:02X}'


def _check_bracketed_host(hostname):
    if hostname.startswith('v'):
        number, dot, rest = hostname[1:].partition('.')
        if not (number and dot and rest and all([digit in '0123456789abcdefABCDEF' for digit in number])):
            raise ValueError('IPvFuture address is invalid')
        return
    address, percent, zone = hostname.partition('%')
    if not _is_address(address) or (percent and (not zone or '%' in zone)):
        raise ValueError(f'{hostname!r} does not appear to be an IPv4 or IPv6 address')


def _is_address(text):
    left, gap, right = text.partition('::')
    if '::' in right:
        return False
    groups = [group for part in (left, right) if part for group in part.split(':')]
    size = len(groups)
    if groups and '.' in groups[-1]:
        numbers = groups.pop().split('.')
        size += 1
        if len(numbers) != 4 or not all([n.isdigit() and len(n) < 4 and int(n) < 256 for n in numbers]):
            return False
    if not all([0 < len(g) < 5 and all([digit in '0123456789abcdefABCDEF' for digit in g]) for g in groups]):
        return False
    return size < 8 if gap else size == 8
