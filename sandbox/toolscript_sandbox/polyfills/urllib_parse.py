"""CPython's own functions, on the host; the parts of a URL as plain objects."""

_SPLIT = ['scheme', 'netloc', 'path', 'query', 'fragment']
_PARSE = ['scheme', 'netloc', 'path', 'params', 'query', 'fragment']


class _Parts:
    """Behaves like the named tuple, whose fields are `_fields`."""

    def __init__(self, name, fields, parts, back):
        self._name, self._fields, self._parts, self._back = name, fields, tuple(parts), back
        for field, part in zip(fields, self._parts):
            setattr(self, field, part)
        if 'netloc' in fields:
            self.username, self.password, self.hostname, port = _host__('urllib.parse.netloc', self.netloc)
            if not isinstance(port, str):
                self.port = port

    def geturl(self): return _host__(self._back, self._parts) if self._back else '#'.join([part for part in self._parts if part])
    def _asdict(self): return dict(zip(self._fields, self._parts))
    def _replace(self, **new): return _Parts(self._name, self._fields, {**self._asdict(), **new}.values(), self._back)
    def __iter__(self): return iter(self._parts)
    def __getitem__(self, place): return self._parts[place]
    def __len__(self): return len(self._parts)
    def __hash__(self): return hash(self._parts)
    def __eq__(self, other): return self._parts == (other._parts if isinstance(other, _Parts) else other)
    def __repr__(self): return f'{self._name}({", ".join([f"{name}={part!r}" for name, part in self._asdict().items()])})'


def urlsplit(url, scheme='', allow_fragments=True):
    return _Parts('SplitResult', _SPLIT, _host__('urllib.parse.urlsplit', url, scheme, allow_fragments), 'urllib.parse.urlunsplit')


def urlparse(url, scheme='', allow_fragments=True):
    return _Parts('ParseResult', _PARSE, _host__('urllib.parse.urlparse', url, scheme, allow_fragments), 'urllib.parse.urlunparse')


def SplitResult(*parts): return _Parts('SplitResult', _SPLIT, parts, 'urllib.parse.urlunsplit')
def ParseResult(*parts): return _Parts('ParseResult', _PARSE, parts, 'urllib.parse.urlunparse')
def urlunsplit(components): return _host__('urllib.parse.urlunsplit', list(components))
def urlunparse(components): return _host__('urllib.parse.urlunparse', list(components))
def urljoin(base, url, allow_fragments=True): return _host__('urllib.parse.urljoin', base, url, allow_fragments)
def urldefrag(url): return _Parts('DefragResult', ['url', 'fragment'], _host__('urllib.parse.urldefrag', url), None)
def parse_qs(qs, *args, **options): return _host__('urllib.parse.parse_qs', qs, *args, **options)
def parse_qsl(qs, *args, **options): return _host__('urllib.parse.parse_qsl', qs, *args, **options)
def quote(string, *args, **options): return _host__('urllib.parse.quote', string, *args, **options)
def quote_plus(string, *args, **options): return _host__('urllib.parse.quote_plus', string, *args, **options)
def quote_from_bytes(bs, safe='/'): return _host__('urllib.parse.quote_from_bytes', bs, safe)
def unquote(string, *args, **options): return _host__('urllib.parse.unquote', string, *args, **options)
def unquote_plus(string, *args, **options): return _host__('urllib.parse.unquote_plus', string, *args, **options)
def unquote_to_bytes(string): return _host__('urllib.parse.unquote_to_bytes', string)


def urlencode(query, *args, quote_via=quote_plus, **options):
    if quote_via is not quote_plus and quote_via is not quote:
        raise TypeError('quote_via is quote_plus or quote here')
    query = query if isinstance(query, (dict, str)) else list(query)
    return _host__('urllib.parse.urlencode', query, *args, plus=quote_via is quote_plus, **options)
