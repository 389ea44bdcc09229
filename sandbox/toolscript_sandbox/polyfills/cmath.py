"""Constants. The functions are CPython's own, on the host."""

from math import e, inf, nan, pi, tau
