"""Random identifiers, and those of names."""

import hashlib
import random

# A separate source, so that the numbers of `random` do not change.
_source = random.Random()


class UUID:
    def __init__(self, hex=None, bytes=None, *, int=None, version=None):
        digits = bytes.hex() if bytes is not None else f'{int:032x}' if int is not None else hex
        digits = digits.removeprefix('urn:uuid:').strip('{}').replace('-', '')
        if len(digits) != 32:
            raise ValueError('badly formed hexadecimal UUID string')
        if version is not None:
            digits = f'{_number(digits) & ~(0xF << 76 | 3 << 62) | version << 76 | 2 << 62:032x}'
        self.int, self.hex = _number(digits), digits.lower()
        self.bytes = _of_digits(digits)

    def __str__(self): return '-'.join([self.hex[:8], self.hex[8:12], self.hex[12:16], self.hex[16:20], self.hex[20:]])
    def __repr__(self): return f"UUID('{self}')"
    def __eq__(self, other): return isinstance(other, UUID) and self.int == other.int
    def __hash__(self): return hash(self.int)
    def __lt__(self, other): return self.int < other.int if isinstance(other, UUID) else NotImplemented


def _number(digits): return int(digits, 16)
def _of_digits(digits): return bytes.fromhex(digits)
def _of_name(version, digest): return UUID(digest.hexdigest()[:32], version=version)
def uuid3(namespace, name): return _of_name(3, hashlib.md5(namespace.bytes + name.encode()))
def uuid4(): return UUID(int=_source.getrandbits(128), version=4)
def uuid5(namespace, name): return _of_name(5, hashlib.sha1(namespace.bytes + name.encode()))


NAMESPACE_DNS = UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_URL = UUID('6ba7b811-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_OID = UUID('6ba7b812-9dad-11d1-80b4-00c04fd430c8')
