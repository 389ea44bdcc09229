"""Builtins under names that no script binds, so that `max = 0` in a script does not affect polyfills.

`linker.py` generates the definitions that polyfills use; this file is only for readers of imports.
"""

from builtins import *
