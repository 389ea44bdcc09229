"""Random tokens."""

import base64
import random

# What is drawn here leaves the numbers of `random` as they are.
_source = random.Random()


def token_hex(nbytes=None):
    return token_bytes(nbytes).hex()


def choice(sequence):
    return _source.choice(sequence)


def randbelow(exclusive_upper_bound):
    return _source.randrange(exclusive_upper_bound)


def randbits(k):
    return _source.getrandbits(k)


def token_bytes(nbytes=None):
    return _source.randbytes(32 if nbytes is None else nbytes)


def token_urlsafe(nbytes=None):
    return base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b'=').decode()


def compare_digest(a, b):
    if type(a) is not type(b) or not isinstance(a, (str, bytes)):
        raise TypeError(f'unsupported operand types(s): {type(a).__name__!r} and {type(b).__name__!r}')
    return a == b
