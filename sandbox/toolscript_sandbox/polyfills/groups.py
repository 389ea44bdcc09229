"""Groups of exceptions, and what `except*` makes of them."""

from .error_kinds import caught, is_a
from .errors import Error, derived, own, raised


class BaseExceptionGroup:
    def __init__(self, message, exceptions):
        if not isinstance(message, str):
            raise TypeError(f'BaseExceptionGroup.__new__() argument 1 must be str, not {type(message).__name__}')
        if not isinstance(exceptions, (list, tuple)):
            raise TypeError('second argument (exceptions) must be a sequence')
        if not exceptions:
            raise ValueError('second argument (exceptions) must be a non-empty sequence')
        parts = [own(part) for part in exceptions]
        for place, part in enumerate(parts):
            if not is_a(part, BaseException):
                raise ValueError(f'Item {place} of second argument (exceptions) is not an exception')
            if type(self) is ExceptionGroup and not is_a(part, Exception):
                raise TypeError('Cannot nest BaseExceptions in an ExceptionGroup')
        Error.__init__(self, message, parts if isinstance(exceptions, list) else tuple(parts))
        self.message, self.exceptions = message, tuple(parts)

    def __str__(self):
        count = len(self.exceptions)
        return f'{self.message} ({count} sub-exception{"" if count == 1 else "s"})'

    def _told(self):
        # What is told where nobody handles it: what the group holds too, as Python's report has it.
        return '\n'.join([str(self), *[f'  {line}' for part in self.exceptions for line in _lines(part)]])

    def derive(self, excs):
        return group_of(self.message, excs)

    def subgroup(self, condition):
        return _chosen(self, _test(condition))

    def split(self, condition):
        test = _test(condition)
        return _chosen(self, test), _chosen(self, lambda part: not test(part), leaves=True, but=test)


def _lines(error):
    told = f'{error._told()}' if hasattr(error, '_told') else str(error)
    first, *rest = told.split('\n')
    name = type(error)._named if error._lineage else error._kind_name
    return [f'{name}: {first}' if first else name, *rest]


class ExceptionGroup:
    pass


derived(BaseExceptionGroup, BaseException, [], 'BaseExceptionGroup')
derived(ExceptionGroup, BaseExceptionGroup, ['derive', 'subgroup', 'split', '_told'], 'ExceptionGroup')
ExceptionGroup._kind = Exception


def group_of(message, exceptions):
    every = all([is_a(part, Exception) for part in exceptions])
    return ExceptionGroup(message, exceptions) if every else BaseExceptionGroup(message, exceptions)


def _test(condition):
    if type(condition).__name__ == 'function':
        return condition
    return lambda part: is_a(part, condition)


def _is_group(error):
    return hasattr(error, '_lineage') and BaseExceptionGroup in error._lineage


def _chosen(group, test, leaves=False, but=None):
    # The part of a group that passes: as a whole, or what is left of it; with `leaves`, whole ones that pass `but` go.
    if not leaves and test(group):
        return group
    if leaves and but(group):
        return None
    kept = []
    for part in group.exceptions:
        if _is_group(part):
            part = _chosen(part, test, leaves, but)
        elif not test(part):
            part = None
        if part is not None:
            kept.append(part)
    return _derived_from(group, kept) if kept else None


def _derived_from(group, parts):
    made = group.derive(parts)
    made.__cause__ = group.__cause__
    made._split_from = _origin(group)
    if hasattr(group, '__notes__'):
        made.__notes__ = list(group.__notes__)
    return made


def _origin(group):
    return group._split_from if hasattr(group, '_split_from') else group


class Star:
    """What several `except*` leave of an exception."""

    def __init__(self, error):
        self._error, self._known = error, own(error)
        self._is_group = _is_group(self._known)
        self._rest = self._known
        self._raised, self._again, self._is_bare = [], [], False
        self.taken = None

    def takes(self, kinds):
        for kind in kinds if isinstance(kinds, tuple) else (kinds,):
            if hasattr(kind, '_lineage') and BaseExceptionGroup in kind._lineage:
                raise TypeError('catching ExceptionGroup with except* is not allowed. Use except instead.')
        if self._rest is None:
            return False
        caught(self._known, kinds)  # For what is no exception at all.
        if self._is_group:
            self.taken, self._rest = self._rest.split(kinds)
            return self.taken is not None
        if not is_a(self._known, kinds):
            return False
        self.taken, self._rest = group_of('', (self._known,)), None
        return True

    def again(self):
        # A bare `raise` goes back into the group; `raise e` is a new one.
        self._is_bare = True
        return raised(self.taken)

    def failed(self, error):
        known = own(error)
        (self._again if self._is_bare and known is self.taken else self._raised).append(known)
        self._is_bare = False

    def ends(self):
        if not self._is_group:
            if self._rest is not None:
                return False
            self._let(self._raised + self._again)
            return True
        again = self._again if self._rest is None else [*self._again, self._rest]
        left = self._projected(again)
        self._let([*self._raised, *([] if left is None else [left])])
        return True

    def _projected(self, groups):
        if not groups:
            return None
        leaves = [leaf for group in groups for leaf in _leaves(group)]
        return _chosen(self._known, lambda part: any([part is leaf for leaf in leaves]))

    def _let(self, errors):
        if len(errors) == 1:
            raise raised(errors[0])
        if errors:
            raise raised(group_of('', errors))


def _leaves(group):
    if not _is_group(group):
        return [group]
    return [leaf for part in group.exceptions for leaf in _leaves(part)]
