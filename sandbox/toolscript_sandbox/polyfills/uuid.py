"""Identifiers: random ones from the script's own chance, and those made of names."""

import hashlib
import random

# What is drawn here leaves the numbers of `random` as they are.
_source = random.Random()
_NUMBER = int
_FIELDS = [('time_low', 8), ('time_mid', 4), ('time_hi_version', 4), ('clock_seq_hi_variant', 2), ('clock_seq_low', 2), ('node', 12)]
RESERVED_NCS, RFC_4122 = 'reserved for NCS compatibility', 'specified in RFC 4122'
RESERVED_MICROSOFT, RESERVED_FUTURE = 'reserved for Microsoft compatibility', 'reserved for future definition'
_VARIANTS = [RESERVED_NCS] * 4 + [RFC_4122] * 2 + [RESERVED_MICROSOFT, RESERVED_FUTURE]


class UUID:
    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=None):
        if [hex, bytes, bytes_le, fields, int].count(None) != 4:
            raise TypeError('one of the hex, bytes, bytes_le, fields, or int arguments must be given')
        if hex is not None:
            digits = hex.replace('urn:', '').replace('uuid:', '').strip('{}').replace('-', '')
            if len(digits) != 32:
                raise ValueError('badly formed hexadecimal UUID string')
            int = _NUMBER(digits, 16)
        elif fields is not None:
            if len(fields) != 6:
                raise ValueError('fields is not a 6-tuple')
            int = _NUMBER(''.join([_digits(value, place) for place, value in enumerate(fields)]), 16)
        elif int is None:
            if len(bytes or bytes_le) != 16:
                raise ValueError(f'{"bytes_le" if bytes is None else "bytes"} is not a 16-char string')
            int = _NUMBER(bytes.hex() if bytes is not None else _turned(bytes_le.hex()), 16)
        if not 0 <= int < 1 << 128:
            raise ValueError('int is out of range (need a 128-bit value)')
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError('illegal version number')
            int = int & ~(0xC000 << 48) | 0x8000 << 48
            int = int & ~(0xF000 << 64) | version << 76
        self.int, self.hex = int, f'{int:032x}'
        self.urn = f'urn:uuid:{self}'
        self.bytes, self.bytes_le = _bytes(self.hex), _bytes(_turned(self.hex))
        first, parts = 0, []
        for name, size in _FIELDS:
            parts.append(_NUMBER(self.hex[first : first + size], 16))
            setattr(self, name, parts[-1])
            first += size
        self.fields = tuple(parts)
        self.time = (self.time_hi_version & 0x0FFF) << 48 | self.time_mid << 32 | self.time_low
        self.clock_seq = (self.clock_seq_hi_variant & 0x3F) << 8 | self.clock_seq_low
        self.variant = _VARIANTS[int >> 61 & 7]
        self.version = int >> 76 & 0xF if self.variant == RFC_4122 else None

    def __str__(self): return '-'.join([self.hex[:8], self.hex[8:12], self.hex[12:16], self.hex[16:20], self.hex[20:]])
    def __repr__(self): return f"UUID('{self}')"
    def __eq__(self, other): return isinstance(other, UUID) and self.int == other.int
    def __hash__(self): return hash(self.int)
    def __int__(self): return self.int
    def __lt__(self, other): return self.int < other.int if isinstance(other, UUID) else NotImplemented
    def __gt__(self, other): return self.int > other.int if isinstance(other, UUID) else NotImplemented
    def __le__(self, other): return self.int <= other.int if isinstance(other, UUID) else NotImplemented
    def __ge__(self, other): return self.int >= other.int if isinstance(other, UUID) else NotImplemented


def _digits(value, place):
    size = _FIELDS[place][1]
    if not 0 <= value < 16**size:
        raise ValueError(f'field {place + 1} out of range (need a {4 * size}-bit value)')
    return f'{value:x}'.zfill(size)


def _turned(digits):
    pairs = [digits[place : place + 2] for place in range(0, 32, 2)]
    return ''.join(pairs[3::-1] + pairs[5:3:-1] + pairs[7:5:-1] + pairs[8:])


def _bytes(digits): return bytes.fromhex(digits)


NAMESPACE_DNS = UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_URL = UUID('6ba7b811-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_OID = UUID('6ba7b812-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_X500 = UUID('6ba7b814-9dad-11d1-80b4-00c04fd430c8')


def uuid1(node=None, clock_seq=None): return UUID(int=_source.getrandbits(128), version=1)
def uuid3(namespace, name): return UUID(bytes=hashlib.md5(namespace.bytes + name.encode()).digest(), version=3)
def uuid4(): return UUID(int=_source.getrandbits(128), version=4)
def uuid5(namespace, name): return UUID(bytes=hashlib.sha1(namespace.bytes + name.encode()).digest()[:16], version=5)
