"""Methods of bytes that take a byte as a number, which Monty's do not."""

from .byte_values import bytes_of


def _byte(obj, sub):
    return bytes_of([sub]) if isinstance(obj, bytes) and isinstance(sub, int) else sub


def find(obj, sub):
    return obj.find(_byte(obj, sub))


def rfind(obj, sub):
    return obj.rfind(_byte(obj, sub))


def index(obj, sub):
    return obj.index(_byte(obj, sub))


def rindex(obj, sub):
    return obj.rindex(_byte(obj, sub))


def count(obj, sub):
    return obj.count(_byte(obj, sub))


def code_of(obj, /):
    if not isinstance(obj, bytes):
        return ord(obj)
    if len(obj) != 1:
        raise TypeError(f'ord() expected a character, but string of length {len(obj)} found')
    return obj[0]
