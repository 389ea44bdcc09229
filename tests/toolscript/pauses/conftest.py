"""What the tests about pauses may ask for."""

from tests.toolscript.every_store import make

__all__ = ['make']
