"""Random tokens. What is drawn here leaves the numbers of `random` as they are."""

import base64
import random

_source = random.Random()


def token_bytes(nbytes=None): return _source.randbytes(32 if nbytes is None else nbytes)
def token_hex(nbytes=None): return token_bytes(nbytes).hex()
def token_urlsafe(nbytes=None): return base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b'=').decode()
def choice(sequence): return _source.choice(sequence)
def randbelow(exclusive_upper_bound): return _source.randrange(exclusive_upper_bound)
def randbits(k): return _source.getrandbits(k)
