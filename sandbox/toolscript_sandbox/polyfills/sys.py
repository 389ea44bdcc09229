"""The version of Python that scripts see."""

from collections import namedtuple

version_info = namedtuple('version_info', ['major', 'minor', 'micro', 'releaselevel', 'serial'])(3, 11, 0, 'final', 0)
version = '3.11.0 (Monty)'
platform = 'linux'


def getrecursionlimit(): return 1000
def setrecursionlimit(limit, /): return None
