"""Constants. The functions run in CPython on the host."""

from math import e, inf, nan, pi, tau
