res = []
for ch in 'abc': res += ch
out: list[str] = []
out += 'xy'
out += f'{1}2'
class A:
    def __init__(self): self.parts = []
    def add(self, t): self.parts += t; return self
def f(acc=[], s='ab'): acc += s; return acc
def g(xs: list, ys): xs += ys; return xs
a, b = [], 0
a += 'q'; b += 5
n = [0] * 2
n += b'ab'
try: res += 5
except TypeError as e: print(e)
def gen(): yield 1; yield 2
res += gen()
s = 'x'; s += 'y'
print(res, out, A().add('hi').add((1,)).parts, f(), f(), g([1], 'zz'), a, b, n, s)
# ---
import heapq
def nth(n, primes):
    u = [1]
    def gen(p):
        for x in u: yield x * p
    m = heapq.merge(*map(gen, primes))
    while len(u) < n:
        x = next(m)
        if x != u[-1]: u.append(x)
    return u[-1]
import itertools
m = heapq.merge(itertools.count(0, 2), itertools.count(1, 2)); print(nth(100, [2, 7, 13, 19]), [next(m) for _ in range(5)], list(heapq.merge([3, 1], [2], reverse=True)), list(heapq.merge('aC', 'Bd', key=str.lower)), list(heapq.merge()), type(m).__name__)
class T:
    def __init__(s, p): s.p = p
    def __lt__(s, o): return s.p < o.p
print([t.p for t in heapq.merge([T(1), T(4)], [T(2)])])
# ---
x = [1]
def h(data):
    total = 0
    for d in data: total += d
    y = list(data); y += tuple(data); z = y; z += 'k'
    return total, y
print(h([1, 2]), x)
# ---
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
class Temp:
    def __init__(self, c): self.c = c
    @property
    def f(self): return self.c * 9 / 5 + 32
    @f.setter
    def f(self, v): self.c = (v - 32) * 5 / 9
    @f.deleter
    def f(self):
        print('deleted'); self.c = None
    @property
    def g(self): return 1
class Sub(Temp): pass
t = Temp(100); print(t.f); t.f = 32; print(t.c); del t.f; print(t.c)
s = Sub(1); del s.f; print(s.c)
try: del t.g
except AttributeError as e: print(e)
# ---
class MinStack:
    def __init__(self): self.s = []
    def push(self, x): self.s.append((x, min(x, self.s[-1][1] if self.s else x)))
    def pop(self): return self.s.pop()[0]
    top = property(lambda self: self.s[-1][0])
    min = property(lambda self: self.s[-1][1])
s = MinStack()
for x in (3, 1, 2): s.push(x)
print(s.top, s.min, s.pop(), s.pop(), s.min)
# ---
from functools import singledispatch
from typing import Union, Optional
from collections import Counter, namedtuple, OrderedDict
import numbers
@singledispatch
def show(x): return 'other'
@show.register(int | float)
def _(x): return 'num'
@show.register
def _(x: str | bytes): return 'text'
@show.register
def _(x: Union[list, tuple]): return 'seq'
@show.register(dict)
def _(x): return 'dict'
@show.register(numbers.Number)
def _(x): return 'number'
@show.register
def _(x: Optional[set]): return 'set?'
print(show(1), show(1.5), show('a'), show(b''), show([1]), show((1,)), show(None), show(Counter()), show(namedtuple('P', 'x')(1)), show(2j), show(True), show(frozenset()), show(OrderedDict(a=1)), show({1}))
# ---
# until 3.11
from pprint import pprint, pformat
from collections import Counter, defaultdict, OrderedDict, deque, ChainMap
from dataclasses import dataclass, field
from types import SimpleNamespace
d = defaultdict(list)
for i in range(6): d[f'some rather long key {i}'].append({'value': i, 'name': 'x' * i})
pprint(d); pprint(Counter('the quick brown fox jumps over the lazy dog and then some more'))
@dataclass
class Rec:
    identifier: int
    description: str
    tags: list[str] = field(default_factory=list)
    secret: str = field(default='zz', repr=False)
@dataclass
class Own:
    a: str
    def __repr__(self): return f'Own<{self.a}>' * 30
pprint([Rec(i, 'a fairly long description of this record ' * 1, ['one', 'two']) for i in range(3)])
pprint(Rec(1, 'short')); pprint(Own('x')); pprint({'r': Rec(2, 'a fairly long description of this record', list('abcdefghijklmnop'))}, width=60, indent=2)
pprint(deque(range(40))); pprint(deque(range(40), maxlen=50)); pprint(OrderedDict((f'key number {i}', i) for i in range(8))); pprint(OrderedDict(b=1, a=2))
pprint(b'abc' * 40); pprint([b'abcd' * 30]); pprint(SimpleNamespace(alpha='a' * 30, beta='b' * 30, gamma=1))
pprint(ChainMap({'a' * 20: 1, 'b' * 20: 2}, {'c' * 30: 3, 'd' * 20: 4})); pprint(list(range(60)), compact=True); pprint([list(range(5)), ['a' * 20] * 5], compact=True, width=40)
pprint({'a': [1, {'b': [2, {'c': 3}]}], 't': (1, (2, (3,)))}, depth=2); print(pformat([1, [2, [3, [4]]]], depth=3)); pprint({'a' * 30: {'b' * 30: {'c' * 30: 1}}}, depth=2, width=40)
pprint({3, 1, 2}); pprint([{1, 2}, frozenset([3])]); pprint({'z': 1, 'a': [1] * 40}, sort_dicts=False); pprint('word ' * 40); pprint([['text ' * 20], {'k': 'text ' * 20}])
# ---
d = {}
list(map(d.__setitem__, 'abc', range(3)))
f = d.__setitem__
f('z', 9)
g = lambda k, v: d.__setitem__(k, v)
g('q', 1)
[d.__setitem__(k, 0) for k in 'xy']
d.__delitem__('x')
print(d, d.__getitem__('a'), d.__contains__('z'), d.__len__(), 'a'.__eq__('a'), (5).__lt__(6), [1].__contains__(1), d.__iter__ is not None)
# ---
from functools import reduce
print(reduce(int.__add__, [1, 2, 3]), list(map(int.__mul__, [1, 2], [3, 4])), list(map(str.__len__, ['a', 'bb'])), (3).__add__(4), (2).__pow__(3), 'a'.__add__('b'), (7).__floordiv__(2), (7).__mod__(4), (-3).__abs__(), (3).__neg__(), 'x'.__mul__(3), [1, 2].__getitem__(0), {'a': 1}.__getitem__('a'), reduce(list.__add__, [[1], [2]]), max([1, 2], key=int.__neg__), sorted(['bb', 'a'], key=str.__len__), list(filter((5).__gt__, [3, 7])), list(map('abc'.__contains__, 'ax')), (2).__str__(), (2.5).__repr__(), (3).__bool__(), (3).__int__(), (3.7).__int__(), (2).__float__(), 'a'.__hash__() == hash('a'), (1).__rsub__(5))
# ---
print(str(b'\xe9', 'latin-1'), bytes('é', 'latin-1'), str(b'x', encoding='ISO-8859-1'))
# ---
class Box:
    def __init__(self, v): self.v = v
    def __add__(self, o): return Box(self.v + o.v)
    def __repr__(self): return f'Box({self.v})'
class Big(Box):
    def __repr__(self): return 'Big' + super().__repr__()
print(Box(1).__add__(Box(2)), Big(3), Big(3).__repr__(), (1).__add__(1.5), (1).__lt__('a'), 'a'.__eq__(1), {1}.__or__({2}), Box.__add__(Box(1), Box(1)), list(map(Box.__repr__, [Box(5)])))
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
import shlex
print(shlex.split('a "b c" --d=e\\ f'), shlex.quote("it's"), shlex.join(['a b', 'c']))
l = shlex.shlex('a = "b"', posix=True); l.whitespace_split = False; print(list(l), l.punctuation_chars)
# ---
import logging
log = logging.getLogger('app')
log.debug('not shown'); log.info('nor this'); logging.getLogger().setLevel(logging.ERROR); log.warning('nor this')
print(log.isEnabledFor(logging.ERROR), logging.getLogger('app') is log, logging.getLevelName(20))
# ---
from queue import Queue, LifoQueue, PriorityQueue, Empty, Full, SimpleQueue
import queue
q = Queue()
for i in range(3): q.put(i)
print(q.qsize(), q.get(), q.get_nowait(), q.empty(), list(q.queue))
pq = PriorityQueue()
for item in [(3, 'c'), (1, 'a'), (2, 'b')]: pq.put(item)
out = []
while not pq.empty(): out.append(pq.get()[1])
s = LifoQueue(maxsize=2); s.put('x'); s.put_nowait('y')
print(out, s.full(), s.get(), s.qsize())
try: q.get(); q.get(block=False)
except Empty as e: print('empty', type(e).__name__)
try: s.put('z'); s.put('w', timeout=0.001)
except queue.Full: print('full')
q.task_done(); q.task_done(); q.task_done(); q.join()
try: q.task_done()
except ValueError as e: print(e)
sq = SimpleQueue(); sq.put(1); print(sq.get(), sq.empty())
# ---
from dataclasses import dataclass, field
from queue import PriorityQueue
from typing import Any
@dataclass(order=True)
class Item:
    priority: int
    item: Any = field(compare=False)
class Job:
    def __init__(self, p): self.p = p
    def __lt__(self, o): return self.p < o.p
q: PriorityQueue[Item] = PriorityQueue()
q.put(Item(2, {'a': 1})); q.put(Item(1, [2])); print(q.get().item, q.get())
j = PriorityQueue()
for p in (3, 1, 2): j.put(Job(p))
print([j.get().p for _ in range(3)])
def bfs(g, s):
    import queue
    seen, q, order = {s}, queue.Queue(), []
    q.put(s)
    while not q.empty():
        u = q.get(); order.append(u)
        for v in g[u]:
            if v not in seen: seen.add(v); q.put(v)
    return order
print(bfs({1: [2, 3], 2: [4], 3: [4], 4: []}, 1))
# ---
U = int | str
print(issubclass(bool, U), issubclass(float, int | str), issubclass(int, (str, int | float)), issubclass(list, U), issubclass(str, U), type(U).__name__ != 'type')
# ---
from collections import deque
def partition(pred, items):
    no, yes = deque(), deque()
    add_no, add_yes = no.append, yes.append
    for x in items: (add_yes if pred(x) else add_no)(x)
    return list(no), list(yes)
make = lambda: [].append
print(partition(lambda x: x % 2, range(6)), make()(3))
# ---
import threading, math
import struct
from array import array
from collections import UserDict, Counter
from multiprocessing import Pool
from typing import (
    List,
    get_type_hints,
)
def positive_count(nums: List[int]):
    import inspect
    return sum(1 for n in nums if n > 0)
print(positive_count([1, -1]), Counter('a'), math.pi)
# ---
try:
    import pickle
    ok = True
except ImportError:
    ok = False
print(ok)
# ---
import struct  ### There is no module struct here
print(struct.calcsize("i"))
# ---
import threading  ### There is no module threading here
from array import array
from nosuch import thing  ### There is no module nosuch here
def f(): return threading.active_count()
# ---
from array import nosuch  ### There is no module array here
print(1)
# ---
import array
x = 'array'
print(globals()[x] is not None)  ### A list of all names cannot be had here
# ---
class A:
    def __getattr__(self, n): return n
print(A().foo, list(map(str.strip, [' a'])), [f(' x') for f in (str.strip, str.upper)])
# ---
import logging
log = logging.getLogger('x')
print(logging.log(msg='not shown', level=1), log.debug(msg='nor this'), log.log(level=5, msg='nor %s' % 'that'))
