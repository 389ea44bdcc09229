"""What the tests about saved functions may ask for."""

from tests.toolscript.every_store import make

__all__ = ['make']
