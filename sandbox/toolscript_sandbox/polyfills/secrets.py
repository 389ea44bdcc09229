"""Secrets by the chance of the script, which is frozen: they are none."""

import base64
import random


def token_hex(nbytes=32):
    return random.randbytes(nbytes).hex()


def token_bytes(nbytes=32):
    return random.randbytes(nbytes)


def choice(sequence):
    return random.choice(sequence)


def randbelow(exclusive_upper_bound):
    return random.randrange(exclusive_upper_bound)


def token_urlsafe(nbytes=32):
    return base64.urlsafe_b64encode(random.randbytes(nbytes)).decode().rstrip('=')
