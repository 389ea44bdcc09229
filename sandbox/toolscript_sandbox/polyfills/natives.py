"""Builtins under names that no script binds: `max = 0` in a script must not reach what polyfills compute.

`linker.py` writes those that polyfills use; this file is for readers of imports.
"""

from builtins import *
