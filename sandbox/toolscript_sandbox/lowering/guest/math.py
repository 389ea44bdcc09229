"""What Monty's `math` rounds otherwise than the C library that Python stands on."""

import math


def atanh(x, /):
    size = abs(x)
    if not 2**-28 <= size < 1:
        return math.atanh(x)
    if size < 0.5:
        found = 0.5 * math.log1p(size + size + (size + size) * size / (1 - size))
    else:
        found = 0.5 * math.log1p((size + size) / (1 - size))
    return math.copysign(found, x)
