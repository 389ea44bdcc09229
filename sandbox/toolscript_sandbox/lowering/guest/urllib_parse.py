"""Quoting, splitting and joining of URLs."""

import binascii

_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~'

_PARSED = ['scheme', 'netloc', 'path', 'params', 'query', 'fragment']
_WITH_PARAMS = [
    '',
    'ftp',
    'hdl',
    'prospero',
    'http',
    'https',
    'shttp',
    'rtsp',
    'rtsps',
    'rtspu',
    'sip',
    'sips',
    'mms',
    'sftp',
    'tel',
]
_SPLIT = ['scheme', 'netloc', 'path', 'query', 'fragment']


class ParseResult:
    """The parts of a URL."""

    def __init__(self, names, parts):
        self._fields = tuple(names)
        self._parts = tuple(parts)
        for name, part in zip(names, parts):
            setattr(self, name, part)
        user, at, host = self.netloc.rpartition('@')
        self.username, _, self.password = user.partition(':') if at else (None, '', None)
        name, _, port = host.partition(':')
        self.hostname = name.lower() or None
        self.port = int(port) if port else None

    def __iter__(self):
        return iter(self._parts)

    def __getitem__(self, place):
        return self._parts[place]

    def __eq__(self, other):
        return self._parts == tuple(other)

    def __repr__(self):
        shown = ', '.join([f'{name}={part!r}' for name, part in zip(self._fields, self._parts)])
        return f'{"ParseResult" if len(self._parts) == 6 else "SplitResult"}({shown})'

    def _replace(self, **changes):
        return ParseResult(self._fields, [changes.get(name, part) for name, part in zip(self._fields, self._parts)])

    def _asdict(self):
        return dict(zip(self._fields, self._parts))

    def geturl(self):
        return urlunparse(self) if len(self._parts) == 6 else urlunsplit(self)


def quote(string, safe='/', encoding=None, errors=None):
    data = string if isinstance(string, bytes) else string.encode()
    kept = _SAFE + safe
    return ''.join([chr(byte) if byte < 128 and chr(byte) in kept else f'%{byte:02X}' for byte in data])


def quote_plus(string, safe='', encoding=None, errors=None):
    return quote(string, safe + ' ').replace(' ', '+')


def unquote(string, encoding='utf-8', errors='replace'):
    first, *rest = string.split('%')
    data = [first.encode()]
    for part in rest:
        digits = part[:2]
        if len(digits) == 2 and all([digit in '0123456789abcdefABCDEF' for digit in digits]):
            data.append(binascii.unhexlify(digits) + part[2:].encode())
        else:
            data.append(('%' + part).encode())
    return b''.join(data).decode('utf-8', 'replace')


def unquote_plus(string, encoding='utf-8', errors='replace'):
    return unquote(string.replace('+', ' '))


def urlencode(query, doseq=False, safe='', encoding=None, errors=None, quote_via=None):
    pairs = query.items() if isinstance(query, dict) else query
    via = quote_plus if quote_via is None else quote_via
    parts = []
    for key, value in pairs:
        values = value if doseq and isinstance(value, (list, tuple)) else [value]
        name = via(key if isinstance(key, bytes) else str(key), safe)
        parts.extend([f'{name}={via(item if isinstance(item, bytes) else str(item), safe)}' for item in values])
    return '&'.join(parts)


def urlsplit(url, scheme='', allow_fragments=True):
    rest, netloc, query, fragment = url, '', '', ''
    head, colon, tail = rest.partition(':')
    if colon and head and head[0].isalpha() and all([c.isalnum() or c in '+-.' for c in head]):
        scheme, rest = head.lower(), tail
    if rest.startswith('//'):
        rest = rest[2:]
        end = min([place for place in [rest.find(mark) for mark in '/?#'] if place >= 0], default=len(rest))
        netloc, rest = rest[:end], rest[end:]
    if allow_fragments:
        rest, _, fragment = rest.partition('#')
    rest, _, query = rest.partition('?')
    return ParseResult(_SPLIT, [scheme, netloc, rest, query, fragment])


def urlparse(url, scheme='', allow_fragments=True):
    parts = urlsplit(url, scheme, allow_fragments)
    path, params = parts.path, ''
    if parts.scheme in _WITH_PARAMS and ';' in path:
        place = path.find(';', path.rfind('/') + 1)
        if place >= 0:
            path, params = path[:place], path[place + 1 :]
    return ParseResult(_PARSED, [parts.scheme, parts.netloc, path, params, parts.query, parts.fragment])


def urlunsplit(components):
    scheme, netloc, path, query, fragment = components
    if netloc and path and not path.startswith('/'):
        path = '/' + path
    url = f'//{netloc}{path}' if netloc else path
    url = f'{scheme}:{url}' if scheme else url
    url = f'{url}?{query}' if query else url
    return f'{url}#{fragment}' if fragment else url


def urlunparse(components):
    scheme, netloc, path, params, query, fragment = components
    return urlunsplit((scheme, netloc, f'{path};{params}' if params else path, query, fragment))


def urljoin(base, url, allow_fragments=True):
    if not base or not url:
        return url or base
    root, new = urlsplit(base), urlsplit(url)
    if new.scheme and new.scheme != root.scheme:
        return url
    if new.netloc:
        return urlunsplit((root.scheme, new.netloc, new.path, new.query, new.fragment))
    if not new.path:
        return urlunsplit((root.scheme, root.netloc, root.path, new.query or root.query, new.fragment))
    path = new.path if new.path.startswith('/') else root.path.rpartition('/')[0] + '/' + new.path
    parts = []
    steps = path.split('/')
    for place, step in enumerate(steps):
        if step == '..':
            if len(parts) > 1:
                parts.pop()
        elif step != '.':
            parts.append(step)
        if step in ('.', '..') and place == len(steps) - 1:
            parts.append('')
    return urlunsplit((root.scheme, root.netloc, '/'.join(parts), new.query, new.fragment))


def parse_qsl(qs, keep_blank_values=False, **options):
    pairs = []
    for part in qs.split('&'):
        name, _, value = part.partition('=')
        if part and (value or keep_blank_values):
            pairs.append((unquote_plus(name), unquote_plus(value)))
    return pairs


def parse_qs(qs, keep_blank_values=False, **options):
    result = {}
    for name, value in parse_qsl(qs, keep_blank_values):
        result.setdefault(name, []).append(value)
    return result
