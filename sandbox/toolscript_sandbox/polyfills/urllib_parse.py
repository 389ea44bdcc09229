"""The parts of a URL as plain objects, which CPython on the host splits and joins."""

_SPLIT = ['scheme', 'netloc', 'path', 'query', 'fragment']
_PARSE = ['scheme', 'netloc', 'path', 'params', 'query', 'fragment']


class _Parts:
    """Behaves like the named tuple with the fields in `_fields`."""

    def __init__(self, name, fields, parts):
        self._name, self._fields, self._parts = name, fields, tuple(parts)
        for field, part in zip(fields, self._parts):
            setattr(self, field, part)
        self.username, self.password, self.hostname, port = _host__('urllib.parse.netloc', self.netloc)
        if not isinstance(port, str):
            self.port = port

    def geturl(self): return _host__(f'urllib.parse.url{"unsplit" if self._fields is _SPLIT else "unparse"}', self._parts)
    def _asdict(self): return dict(zip(self._fields, self._parts))
    def _replace(self, **new): return _Parts(self._name, self._fields, {**self._asdict(), **new}.values())
    def __iter__(self): return iter(self._parts)
    def __getitem__(self, place): return self._parts[place]
    def __len__(self): return len(self._parts)
    def __hash__(self): return hash(self._parts)
    def __eq__(self, other): return self._parts == (other._parts if isinstance(other, _Parts) else other)
    def __repr__(self): return f'{self._name}({", ".join([f"{name}={part!r}" for name, part in self._asdict().items()])})'


def urlsplit(url, scheme='', allow_fragments=True):
    return _Parts('SplitResult', _SPLIT, _host__('urllib.parse.urlsplit', url, scheme, allow_fragments))


def urlparse(url, scheme='', allow_fragments=True):
    return _Parts('ParseResult', _PARSE, _host__('urllib.parse.urlparse', url, scheme, allow_fragments))


def urlunsplit(components): return _host__('urllib.parse.urlunsplit', list(components))
def urlunparse(components): return _host__('urllib.parse.urlunparse', list(components))


def urlencode(query, *args, quote_via=None, **options):
    # `quote` and `quote_plus` differ in how they encode a space.
    plus = quote_via is None or quote_via(' ') == '+'
    query = query if isinstance(query, (dict, str)) else list(query)
    return _host__('urllib.parse.urlencode', query, *args, plus=plus, **options)
