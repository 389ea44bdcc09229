"""Identifiers: random ones, and those made of names."""

import hashlib
import random

from .byte_values import bytes_of

# What is drawn here leaves the numbers of `random` as they are.
_source = random.Random()

_NUMBER = int
_SIZES = [
    (4, 'time_low'),
    (2, 'time_mid'),
    (2, 'time_hi_version'),
    (1, 'clock_seq_hi_variant'),
    (1, 'clock_seq_low'),
    (6, 'node'),
]

RESERVED_NCS = 'reserved for NCS compatibility'
RFC_4122 = 'specified in RFC 4122'
RESERVED_MICROSOFT = 'reserved for Microsoft compatibility'
RESERVED_FUTURE = 'reserved for future definition'


class UUID:
    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=None):
        if [hex, bytes, bytes_le, fields, int].count(None) != 4:
            raise TypeError('one of the hex, bytes, bytes_le, fields, or int arguments must be given')
        if hex is not None:
            digits = hex.replace('urn:', '').replace('uuid:', '').strip('{}').replace('-', '')
            if len(digits) != 32:
                raise ValueError('badly formed hexadecimal UUID string')
            number = _NUMBER(digits, 16)
        elif fields is not None:
            number = _of_fields(fields)
        elif int is not None:
            if not 0 <= int < 1 << 128:
                raise ValueError('int is out of range (need a 128-bit value)')
            number = int
        else:
            given = bytes if bytes_le is None else bytes_le
            if len(given) != 16:
                raise ValueError(f'{"bytes" if bytes_le is None else "bytes_le"} is not a 16-char string')
            places = list(given)
            number = _of_bytes(places if bytes_le is None else _turned(places))
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError('illegal version number')
            number = number & ~(0xC000 << 48) | 0x8000 << 48
            number = number & ~(0xF000 << 64) | version << 76
        self.int = number
        self.hex = f'{number:032x}'
        self.urn = f'urn:uuid:{self}'
        places = [_NUMBER(self.hex[place : place + 2], 16) for place in range(0, 32, 2)]
        self.bytes, self.bytes_le = bytes_of(places), bytes_of(_turned(places))
        parts, first = [], 0
        for size, name in _SIZES:
            part = _of_bytes(places[first : first + size])
            setattr(self, name, part)
            parts.append(part)
            first += size
        self.fields = tuple(parts)
        self.time = (self.time_hi_version & 0x0FFF) << 48 | self.time_mid << 32 | self.time_low
        self.clock_seq = (self.clock_seq_hi_variant & 0x3F) << 8 | self.clock_seq_low
        bits = number >> 61 & 7
        self.variant = (
            RESERVED_NCS if bits < 4 else RFC_4122 if bits < 6 else RESERVED_MICROSOFT if bits == 6 else RESERVED_FUTURE
        )
        self.version = number >> 76 & 0xF if self.variant == RFC_4122 else None

    def __str__(self):
        h = self.hex
        return f'{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}'

    def __repr__(self):
        return f"UUID('{self}')"

    def __eq__(self, other):
        return isinstance(other, UUID) and self.int == other.int

    def __hash__(self):
        return hash(self.int)

    def __int__(self):
        return self.int

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __gt__(self, other):
        return self.int > other.int if isinstance(other, UUID) else NotImplemented

    def __le__(self, other):
        return self.int <= other.int if isinstance(other, UUID) else NotImplemented

    def __ge__(self, other):
        return self.int >= other.int if isinstance(other, UUID) else NotImplemented


def _of_bytes(places):
    number = 0
    for place in places:
        number = number * 256 + place
    return number


def _turned(places):
    return [*places[3::-1], *places[5:3:-1], *places[7:5:-1], *places[8:]]


def _of_fields(fields):
    if len(fields) != 6:
        raise ValueError('fields is not a 6-tuple')
    number = 0
    for place, (value, (size, _)) in enumerate(zip(fields, _SIZES)):
        if not 0 <= value < 256**size:
            raise ValueError(f'field {place + 1} out of range (need a {8 * size}-bit value)')
        number = number << 8 * size | value
    return number


NAMESPACE_DNS = UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_URL = UUID('6ba7b811-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_OID = UUID('6ba7b812-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_X500 = UUID('6ba7b814-9dad-11d1-80b4-00c04fd430c8')


def uuid4():
    return UUID(int=_source.getrandbits(128), version=4)


def uuid1(node=None, clock_seq=None):
    return UUID(int=_source.getrandbits(128), version=1)


def uuid3(namespace, name):
    return UUID(bytes=hashlib.md5(namespace.bytes + name.encode()).digest(), version=3)


def uuid5(namespace, name):
    return UUID(bytes=hashlib.sha1(namespace.bytes + name.encode()).digest()[:16], version=5)
