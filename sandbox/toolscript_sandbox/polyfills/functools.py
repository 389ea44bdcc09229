"""What Monty's `functools` lacks."""

from .classes import carried_over, own


def wraps(wrapped, assigned=(), updated=()): return lambda wrapper: carried_over(wrapper, wrapped)
def update_wrapper(wrapper, wrapped, assigned=(), updated=()): return carried_over(wrapper, wrapped)


def cmp_to_key(mycmp): return lambda obj: _Compared(mycmp, obj)


class _Compared:
    def __init__(self, compare, obj): self._compare, self.obj = compare, obj
    def __lt__(self, other): return self._compare(self.obj, other.obj) < 0
    def __gt__(self, other): return self._compare(self.obj, other.obj) > 0
    def __eq__(self, other): return self._compare(self.obj, other.obj) == 0


def total_ordering(cls):
    """Add the missing comparisons to a class, based on the first of these that it has."""
    roots = [name for name in ('__lt__', '__le__', '__gt__', '__ge__') if hasattr(cls, name)]
    if not roots:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    for name in ('__lt__', '__le__', '__gt__', '__ge__'):
        if name not in roots:
            own(cls, name, _compared_by(roots[0], name))
    return cls


def _compared_by(root, name):
    def compared(self, other):
        answer = getattr(type(self), root)(self, other)
        if answer is NotImplemented:
            return answer
        # `a >= b` is `not a < b`: the opposite comparison includes equality if this one does not.
        turned = root[2] != name[2]
        includes_equal = (root[3] == 'e') != turned
        answer = not answer if turned else answer
        if includes_equal == (name[3] == 'e'):
            return answer
        return (answer and self != other) if includes_equal else (answer or self == other)

    return compared
