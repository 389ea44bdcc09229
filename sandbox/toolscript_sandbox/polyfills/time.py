"""Points in time as tuples of nine parts: Monty's have eleven."""

import time

from .date_methods import _StructTime


def gmtime(secs=None):
    return _StructTime(*tuple(time.gmtime() if secs is None else time.gmtime(secs))[:9])


def localtime(secs=None):
    return _StructTime(*tuple(time.localtime() if secs is None else time.localtime(secs))[:9])
