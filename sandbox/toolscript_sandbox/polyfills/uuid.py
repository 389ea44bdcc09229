"""Identifiers: those drawn by chance, and those made of names."""

import hashlib
import random

# What is drawn here leaves the numbers of `random` as they are.
_source = random.Random()
_NUMBER = int


class UUID:
    def __init__(self, hex=None, bytes=None, *, int=None, version=None):
        if [hex, bytes, int].count(None) != 2:
            raise TypeError('one of the hex, bytes, bytes_le, fields, or int arguments must be given')
        digits = bytes.hex() if bytes is not None else f'{int:032x}' if int is not None else hex
        digits = digits.replace('urn:', '').replace('uuid:', '').strip('{}').replace('-', '')
        if len(digits) != 32:
            raise ValueError('badly formed hexadecimal UUID string')
        number = _NUMBER(digits, 16)
        if version is not None:
            number = number & ~(0xC000 << 48) | 0x8000 << 48
            number = number & ~(0xF000 << 64) | version << 76
        self.int, self.hex = number, f'{number:032x}'
        self.urn = f'urn:uuid:{self}'
        self.bytes = _of_digits(self.hex)
        self.version = number >> 76 & 0xF if number >> 62 & 3 == 2 else None

    def __str__(self): return '-'.join([self.hex[:8], self.hex[8:12], self.hex[12:16], self.hex[16:20], self.hex[20:]])
    def __repr__(self): return f"UUID('{self}')"
    def __eq__(self, other): return isinstance(other, UUID) and self.int == other.int
    def __hash__(self): return hash(self.int)
    def __int__(self): return self.int
    def __lt__(self, other): return self.int < other.int if isinstance(other, UUID) else NotImplemented
    def __gt__(self, other): return self.int > other.int if isinstance(other, UUID) else NotImplemented


def _of_digits(digits): return bytes.fromhex(digits)


NAMESPACE_DNS = UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_URL = UUID('6ba7b811-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_OID = UUID('6ba7b812-9dad-11d1-80b4-00c04fd430c8')


def uuid4(): return UUID(int=_source.getrandbits(128), version=4)
def uuid3(namespace, name): return UUID(bytes=hashlib.md5(namespace.bytes + name.encode()).digest(), version=3)
def uuid5(namespace, name): return UUID(bytes=hashlib.sha1(namespace.bytes + name.encode()).digest()[:16], version=5)
