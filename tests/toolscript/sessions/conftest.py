"""Fixtures for the tests about saved functions."""

from tests.toolscript.every_store import make

__all__ = ['make']
