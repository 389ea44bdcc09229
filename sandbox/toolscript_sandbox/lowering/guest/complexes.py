"""Complex numbers beside real ones, which Python 3.11 makes complex first: that tells in the signs of zeros."""


def plus(a, b):
    return complex(a) + b if type(b) is complex and type(a) in _REAL else a + complex(b) if _is_mixed(a, b) else a + b


def minus(a, b):
    return complex(a) - b if type(b) is complex and type(a) in _REAL else a - complex(b) if _is_mixed(a, b) else a - b


def times(a, b):
    return complex(a) * b if type(b) is complex and type(a) in _REAL else a * complex(b) if _is_mixed(a, b) else a * b


def over(a, b):
    return complex(a) / b if type(b) is complex and type(a) in _REAL else a / complex(b) if _is_mixed(a, b) else a / b


def _is_mixed(a, b):
    return type(a) is complex and type(b) in _REAL


_REAL = (int, float, bool)
