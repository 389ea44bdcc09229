"""Bytes, made of numbers."""

import binascii


def bytes_of(source=b'', *rest):
    if rest or isinstance(source, (str, bytes, int)):
        return bytes(source, *rest)
    source = list(source)
    if any([not 0 <= byte < 256 for byte in source]):
        raise ValueError('bytes must be in range(0, 256)')
    return binascii.unhexlify(''.join([f'{byte:02x}' for byte in source]))
