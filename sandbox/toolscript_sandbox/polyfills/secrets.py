"""Secrets by the chance of the script, which is frozen: they are none."""

import random


def token_hex(nbytes=32):
    return random.randbytes(nbytes).hex()


def token_bytes(nbytes=32):
    return random.randbytes(nbytes)


def choice(sequence):
    return random.choice(sequence)


def randbelow(exclusive_upper_bound):
    return random.randrange(exclusive_upper_bound)
