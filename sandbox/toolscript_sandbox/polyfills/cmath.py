"""Complex functions, as far as scripts use them."""

import math

pi, e, tau, inf, nan = math.pi, math.e, math.tau, math.inf, math.nan


def phase(z):
    z = complex(z)
    return math.atan2(z.imag, z.real)


def polar(z):
    return (abs(complex(z)), phase(z))


def rect(r, phi):
    return complex(r * math.cos(phi), r * math.sin(phi))


def exp(z):
    z = complex(z)
    return rect(math.exp(z.real), z.imag)


def sqrt(z):
    z = complex(z)
    if z.imag == 0:
        return complex(math.sqrt(z.real), z.imag) if z.real >= 0 else complex(0.0, math.copysign(math.sqrt(-z.real), z.imag))
    size = abs(z)
    real = math.sqrt((size + abs(z.real)) / 2)
    imag = abs(z.imag) / (2 * real)
    return complex(real, math.copysign(imag, z.imag)) if z.real >= 0 else complex(imag, math.copysign(real, z.imag))


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)
