"""CPython's own functions, on the host."""

from math import e, inf, nan, pi, tau

infj, nanj = complex(0.0, inf), complex(0.0, nan)


def acos(z): return _host__('cmath.acos', z)
def acosh(z): return _host__('cmath.acosh', z)
def asin(z): return _host__('cmath.asin', z)
def asinh(z): return _host__('cmath.asinh', z)
def atan(z): return _host__('cmath.atan', z)
def atanh(z): return _host__('cmath.atanh', z)
def cos(z): return _host__('cmath.cos', z)
def cosh(z): return _host__('cmath.cosh', z)
def exp(z): return _host__('cmath.exp', z)
def isfinite(z): return _host__('cmath.isfinite', z)
def isinf(z): return _host__('cmath.isinf', z)
def isnan(z): return _host__('cmath.isnan', z)
def log10(z): return _host__('cmath.log10', z)
def phase(z): return _host__('cmath.phase', z)
def polar(z): return _host__('cmath.polar', z)
def sin(z): return _host__('cmath.sin', z)
def sinh(z): return _host__('cmath.sinh', z)
def sqrt(z): return _host__('cmath.sqrt', z)
def tan(z): return _host__('cmath.tan', z)
def tanh(z): return _host__('cmath.tanh', z)
def isclose(a, b, **tolerances): return _host__('cmath.isclose', a, b, **tolerances)
def log(z, *base): return _host__('cmath.log', z, *base)
def rect(r, phi): return _host__('cmath.rect', r, phi)
