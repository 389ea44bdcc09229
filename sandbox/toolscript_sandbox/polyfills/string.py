"""Names for letters, and templates, filled by CPython on the host."""

ascii_lowercase, ascii_uppercase = 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
ascii_letters, digits, octdigits, hexdigits = ascii_lowercase + ascii_uppercase, '0123456789', '01234567', '0123456789abcdefABCDEF'
punctuation, whitespace = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', ' \t\n\r\x0b\x0c'
printable = digits + ascii_letters + punctuation + whitespace


class Template:
    def __init__(self, template): self.template = template
    def substitute(self, mapping={}, /, **kws): return _host__('string.Template', self.template, _texts({**mapping, **kws}))
    def safe_substitute(self, mapping={}, /, **kws): return _host__('string.Template', self.template, _texts({**mapping, **kws}), True)


def _texts(values): return {name: str(value) for name, value in values.items()}
def capwords(s, sep=None): return _host__('string.capwords', s, sep)
