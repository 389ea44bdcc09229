"""`time.struct_time` with nine items, as in Python. Monty's has eleven."""

import time

from .methods import struct_time


def gmtime(seconds=None): return struct_time(*time.gmtime(seconds)[:9])


localtime = gmtime
