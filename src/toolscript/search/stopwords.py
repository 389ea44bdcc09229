"""Words that say nothing about a tool."""

from __future__ import annotations

_WORDS = """
a an and are as at be by for from has have i in is it its me my of on or that the this to was with you your
"""

STOP_WORDS = frozenset(_WORDS.split())
