"""Random identifiers."""

import random


class UUID:
    def __init__(self, hex):
        digits = str(hex).replace('urn:uuid:', '').strip('{}').replace('-', '').lower()
        if len(digits) != 32 or any([digit not in '0123456789abcdef' for digit in digits]):
            raise ValueError('badly formed hexadecimal UUID string')
        self.hex = digits
        self.int = int(digits, 16)

    def __str__(self):
        h = self.hex
        return f'{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}'

    def __repr__(self):
        return f"UUID('{self}')"

    def __eq__(self, other):
        return isinstance(other, UUID) and self.hex == other.hex


def uuid4():
    bits = random.getrandbits(128)
    bits = bits & ~(0xF << 76) | (4 << 76)
    bits = bits & ~(0x3 << 62) | (2 << 62)
    return UUID(f'{bits:032x}')


def uuid1(node=None, clock_seq=None):
    return uuid4()
