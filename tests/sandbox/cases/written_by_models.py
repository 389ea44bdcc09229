class P:
    def __init__(self): self._x = 1
    def getx(self): return self._x
    def setx(self, v): self._x = v
    x = property(getx, setx, doc='the x')
    y = property(lambda self: self._x * 2)
    z = property(fget=getx, fset=lambda self, v: setattr(self, '_x', -v))
class Q(P):
    def getx(self): return 99
p = P(); p.x = 5; p.x += 1; print(p.x, p.y); p.z = 3; print(p.x, p.z, Q().x, Q().y)
try: p.y = 1
except AttributeError as e: print(e)
# ---
from functools import reduce
print(reduce(int.__add__, [1, 2, 3]), list(map(int.__mul__, [1, 2], [3, 4])), list(map(str.__len__, ['a', 'bb'])), (3).__add__(4), (2).__pow__(3), 'a'.__add__('b'), (7).__floordiv__(2), (7).__mod__(4), (-3).__abs__(), (3).__neg__(), 'x'.__mul__(3), [1, 2].__getitem__(0), {'a': 1}.__getitem__('a'), reduce(list.__add__, [[1], [2]]), max([1, 2], key=int.__neg__), sorted(['bb', 'a'], key=str.__len__), list(filter((5).__gt__, [3, 7])), list(map('abc'.__contains__, 'ax')), (2).__str__(), (2.5).__repr__(), (3).__bool__(), (3).__int__(), (3.7).__int__(), (2).__float__(), 'a'.__hash__() == hash('a'), (1).__rsub__(5))  ### There is no int.__add__ here
# ---
class Seq:
    def __init__(self, xs): self.xs = xs
    def __len__(self): return len(self.xs)
    def __getitem__(self, i):
        if isinstance(i, slice):
            return [self.xs[k] for k in range(*i.indices(len(self)))]
        if i < 0: i += len(self)
        if not 0 <= i < len(self): raise IndexError('out')
        return self.xs[i]
s = Seq([1, 2, 3, 4]); print(s[1:3], s[::-1], s[-1], list(s), s[:], slice(1, None, 2).indices(10), slice(3).stop, slice(1, 2) == slice(1, 2), repr(slice(1, 5)))
# ---
import logging
log = logging.getLogger('app')
log.debug('not shown'); log.info('nor this'); logging.getLogger().setLevel(logging.ERROR); log.warning('nor this')
print(log.isEnabledFor(logging.ERROR), logging.getLogger('app') is log, logging.getLevelName(20))  ### There is no logging.getLevelName here
# ---
try:
    import pickle
    ok = True
except ImportError:
    ok = False
print(ok)
# ---
import struct  ### There is no module struct here
# ---
import threading  ### There is no module threading here
from nosuch import thing
# ---
from array import nosuch  ### There is no module array here
# ---
import logging
log = logging.getLogger('x')
print(logging.log(msg='not shown', level=1), log.debug(msg='nor this'), log.log(level=5, msg='nor %s' % 'that'))
