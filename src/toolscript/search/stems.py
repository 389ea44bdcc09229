"""A light English stemmer."""

from __future__ import annotations


def stem(word: str) -> str:
    """`word` without its ending."""
    if len(word) < 4 or not word.isalpha():
        return word
    return word.rstrip('s')
