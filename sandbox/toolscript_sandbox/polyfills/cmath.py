"""Functions of complex numbers."""

import math

pi = math.pi
e = math.e
tau = math.tau
inf = math.inf
nan = math.nan


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


def log(z, base=None):
    value = complex(math.log(abs(complex(z))), phase(z))
    return value if base is None else value / log(base)


def log10(z):
    return log(z) / math.log(10)


def sqrt(z):
    z = complex(z)
    size = abs(z)
    real = math.sqrt((size + z.real) / 2)
    imag = math.sqrt((size - z.real) / 2)
    return complex(real, imag if z.imag >= 0 else -imag)


def sin(z):
    z = complex(z)
    return complex(math.sin(z.real) * math.cosh(z.imag), math.cos(z.real) * math.sinh(z.imag))


def cos(z):
    z = complex(z)
    return complex(math.cos(z.real) * math.cosh(z.imag), -math.sin(z.real) * math.sinh(z.imag))


def tan(z):
    return sin(z) / cos(z)


def isnan(z):
    z = complex(z)
    return math.isnan(z.real) or math.isnan(z.imag)


def isinf(z):
    z = complex(z)
    return math.isinf(z.real) or math.isinf(z.imag)


def isfinite(z):
    return not isnan(z) and not isinf(z)


def isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)
