"""Random tokens."""

import random


def token_hex(nbytes=32):
    return f'{random.getrandbits(8 * nbytes):0{2 * nbytes}x}'


def choice(sequence):
    return random.choice(sequence)


def randbelow(exclusive_upper_bound):
    return random.randrange(exclusive_upper_bound)
