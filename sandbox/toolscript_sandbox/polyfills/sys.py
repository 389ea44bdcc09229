"""The streams, and the version of Python that scripts see."""

import sys
from collections import namedtuple

from .natives import print as _print


class Stream:
    def __init__(self, native):
        self._native, self._targets = native, []

    def write(self, text):
        if self._targets:
            return self._targets[-1].write(text)
        _print(text + '', end='', file=self._native)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self): return None
    def isatty(self): return False


stdout, stderr = Stream(sys.stdout), Stream(sys.stderr)

version_info = namedtuple('version_info', ['major', 'minor', 'micro', 'releaselevel', 'serial'])(3, 11, 0, 'final', 0)
version = '3.11.0 (Monty)'
platform = 'linux'


def getrecursionlimit(): return 1000
def setrecursionlimit(limit, /): return None
