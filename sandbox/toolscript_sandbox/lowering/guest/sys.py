"""The Python that scripts follow, of which Monty would say that it is a newer one."""

from collections import namedtuple

_version_info = namedtuple('version_info', ['major', 'minor', 'micro', 'releaselevel', 'serial'])
version_info = _version_info(3, 11, 0, 'final', 0)
version = '3.11.0 (Monty)'
