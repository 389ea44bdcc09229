# A class that inherits has what its base has, and says more with super.
class A:
    kinds = []
    def __init__(self, x): self.x = x
    def f(self): return 'A' + self.g()
    def g(self): return 'a'
    def __repr__(self): return f'{type(self).__name__}({self.x})'
class B(A):
    def __init__(self, x, y=2):
        super().__init__(x)
        self.y = y
    def g(self): return 'b' + super().g()
class C(B):
    def g(self): return 'c' + super().g()
B(1).kinds.append(3)
[A(1), B(1), C(1)], A(1).f(), B(1).f(), C(1).f(), C(1).y, C.kinds
# ---
class A:
    x = 1
class B(A): pass
A.x = 2
B.x
# ---
class A:
    count = 0
    def __init__(self): A.count += 1
class B(A): pass
A(); B()
A.count
# ---
class A:
    count = 0
    def __init__(self): type(self).count += 1
class B(A): pass
A(); B()
A.count, B.count
# ---
class A:
    x = 1
class B(A): pass
setattr(A, 'x', 2)
B.x
# ---
class A: pass
class B: pass
class C(A, B): pass
isinstance(C(), B), issubclass(C, A)
# ---
class A:
    __slots__ = ('a',)
A().__slots__
# ---
class A:
    def __bool__(self): return False
1 if A() else 2
# ---
class A:
    def __iadd__(self, other): return 5
a = A()
a += 1
a
# ---
class D:
    def __get__(self, owner, kind): return 5  ### __get__ is not asked for here
class A:
    x = D()
A().x
# ---
class A:
    def __init_subclass__(cls): print(cls.__name__)
class B(A): pass
# ---
class M(type):  ### cannot inherit from type here
    pass
class A(metaclass=M): pass  ### Metaclasses
A()
# ---
class A(set): pass  ### cannot inherit from set here
A()
# ---
class A:
    class B: pass
A.B().__class__.__name__
# ---
class A:
    xs = []
    for i in range(3): xs.append(i)  ### Compute before the class
A.xs
# ---
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    def twice(self): return 2 * self.area()
class Square(Shape):
    def __init__(self, a): self.a = a
    def area(self): return self.a ** 2
Square(3).twice()
# ---
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
class Named(Shape):
    name = 'n'
print(1)
try:
    Named()
except TypeError:
    print('abstract')
# ---
class A:
    def __init__(self): self.__x = 1
    def x(self): return self.__x
class B(A):
    def __init__(self):
        super().__init__()
        self.__x = 2
B().x()
# ---
class A: pass
class B(A): pass
for kind in (A, B):
    print(isinstance(B(), kind))
# ---
class A: pass
class B(A): pass
match B():
    case A():
        print('A')
# ---
from functools import lru_cache
class A:
    @lru_cache
    def f(self): print('f'); return 1
a = A()
a.f() + a.f()
# ---
class A:
    def __call__(self): return 1
callable(A())
# ---
from dataclasses import dataclass
@dataclass(weakref_slot=True)  ### dataclass has no weakref_slot here
class A:
    a: int
A(a=1)
# ---
from dataclasses import dataclass, field
@dataclass
class A:
    a: int
    b: int = field(default=1, doc='x')  ### field has no doc here
A(1)
# ---
from dataclasses import dataclass
@dataclass
class A:
    a: int
    b: int = 1
@dataclass
class B(A):
    a: int = 2
B(b=1)
# ---
from dataclasses import dataclass
@dataclass
class A:
    a: int
class B(A):  ### write @dataclass above it too
    b: int = 2
B(1)
# ---
from typing import NamedTuple
class P(NamedTuple):
    x: int
    def double(self): return self.x * 2
P(1).double()
# ---
# prop by type
class A:
    def __init__(self): self.area = 3
class B:
    def __init__(self): self._a = 5
    @property
    def area(self): return self._a
    @area.setter
    def area(self, v):
        if v < 0: raise ValueError('neg')
        self._a = v
class C(B):
    @property
    def name(self): return 'c' + str(super().area)
print(A().area, B().area, C().area, C().name)
b = C()
b.area = 7
b.area += (3)
print(b.area, (b).area, [x.area for x in (A(), b)], f'{b.area}')
try: b.area = -1
except ValueError as e: print(e)
try: b.name = 3
except AttributeError as e: print(e)
a = A()
a.area = 9; a.area = (a.area + 1)
print(a.area)
# ---
# cached
from functools import cached_property
class A:
    n = 0
    @cached_property
    def x(self):
        print('computing')
        return [1]
a = A()
a.x.append(2)
print(a.x, a.x is a.x)
a.x = 5
print(a.x)
# ---
# isinstance tuple
class A: pass
class B(A): pass
class C: pass
print(isinstance(B(), (A, C)), isinstance(B(), (C, A)), isinstance(C(), (A, B)), issubclass(B, A), issubclass(A, B), issubclass(B, (C, A)), issubclass(type(B()), A), type(B()) is A, type(B()) is B, type(B()) == B, isinstance(1, (int, A)))
# ---
# super forms
class A:
    def __init__(self, x): self.x = x
    def f(self): return 'A.f'
class B(A):
    def __init__(self, x):
        super(B, self).__init__(x)
    def f(self): return 'B' + super().f()
print(B(1).x, B(1).f())
# ---
# cm heirs
class A:
    made = 0
    def __init__(self, x): self.x = x
    @classmethod
    def make(cls, x, *, k=1): return cls(x + k)
    @classmethod
    def parse(cls, text): return cls.make(int(text), k=cls.step())
    @staticmethod
    def step(): return 10
class B(A):
    def __repr__(self): return f'B({self.x})'
    @classmethod
    def make(cls, x, *, k=1):
        r = super().make(x, k=k)
        r.x *= 2
        return r
    @staticmethod
    def step(): return 100
class C(B): pass
print(type(B.make(3)).__name__, B.make(3), A.make(1).x, B.parse('5'), C.parse('5'), type(C(1).make(2)).__name__)
print([m.x for m in map(A.make, [1,2])])
# ---
# static
class A:
    @staticmethod
    def f(x): return x * 2
    def g(self): return self.f(3)
    @staticmethod
    async def h(x): return x
print(A.f(1), A().f(2), A().g(), await A.h(3), await A().h(4), list(map(A.f, [1])))
# ---
# abc
from abc import ABC, abstractmethod
class Base(ABC):
    def __init__(self): super().__init__(); self.log = []
    @property
    @abstractmethod
    def name(self): ...
    @classmethod
    @abstractmethod
    def make(cls): ...
    def hi(self): return 'hi ' + self.name
class D(Base):
    def __init__(self):
        super().__init__()
        self.log.append(1)
    @property
    def name(self): return 'd'
    @classmethod
    def make(cls): return cls()
print(D().hi(), D.make().log)
# ---
# dc
from dataclasses import dataclass, field
from typing import ClassVar
@dataclass
class A:
    a: int
    kinds: ClassVar[list] = []
    def __repr__(self): return 'custom'
    @property
    def double(self): return self.a * 2
    @classmethod
    def of(cls, s): return cls(*map(int, s.split(',')))
@dataclass
class B(A):
    b: int = 0
    def total(self): return self.double + self.b
B.kinds.append(1)
print(A(1), B(1, 2), B(1, 2) == B(1, 2), A.kinds, B.of('3,4').total(), A(1) == B(1))
# ---
# eq hash
class A:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return isinstance(o, A) and o.x == self.x
    def __hash__(self): return hash(self.x)
class C(A): pass
print(len({A(1), A(1)}), len({C(1), C(1), A(1)}))
# ---
class A:
    def __eq__(self, o): return False
class B(A):
    def __eq__(self, o): return True
A() == B()
# ---
# eq only inherited
class A:
    def __eq__(self, o): return True
class B(A): pass
try: print(len({B(), B()}))
except TypeError: print('unhashable')
print(B() == 3)
# ---
# nested read
class N:
    def __init__(self, v, nxt=None): self.v, self._n = v, nxt
    @property
    def next(self): return self._n
    @property
    def value(self): return self.v
n = N(1, N(2, N(3)))
print(n.next.next.value, n.next.value if n.next else None)
while n:
    print(n.value)
    n = n.next
# ---
# An inherited __post_init__ is called, and a length decides where a test asks for it.
from dataclasses import dataclass
@dataclass
class A:
    a: int
    def __post_init__(self): print('post', self.a)
@dataclass
class B(A):
    b: int = 0
class Queue:
    def __init__(self, *items): self.items = list(items)
    def __len__(self): return len(self.items)
    def __getitem__(self, place): return self.items[place]
queue = Queue(1, 2)
while queue and len(queue) > 0:
    print(queue.items.pop())
B(3), 'some' if queue else 'none', not queue, list(Queue(4, 5)), 5 in Queue(5), [1 for q in [queue] if q]
# ---
class A:
    @property
    def size(self): return 1
    def size(self): return 2  ### stands twice in A
A().size()
# ---
class A:
    def __len__(self): return 1
len(5)
# ---
from dataclasses import dataclass
@dataclass(eq=False)
class A:
    a: int = 1
    def __eq__(self, other): return True
@dataclass(eq=False)  ### Leave eq out
class B(A):
    b: int = 2
B() == B()
# ---
# An object is as true as its class says.
class Queue:
    def __init__(self, open): self.open = open
    def __bool__(self): return self.open
    def __len__(self): return 3
class Heir(Queue): pass
a, b = Queue(True), Heir(False)
if a and not b: print('yes')
[1 if a else 2, 1 if b else 2, not b, bool(b), [x.open for x in [a, b] if x], 1 if Queue else 2]
# ---
class A:
    def __bool__(self): return 1
if A(): print('never')
# ---
# What methods gave is kept by whom they were asked of, and by what they were given.
from functools import cache, lru_cache
class A:
    asked = []
    def __init__(self, r): self.r = r
    @lru_cache(maxsize=None)
    def double(self, x):
        self.asked.append(x)
        return x * 2
    @lru_cache
    def fib(self, n): return n if n < 2 else self.fib(n - 1) + self.fib(n - 2)
    @property
    @cache
    def area(self):
        self.asked.append('area')
        return self.r * 2
    @classmethod
    @cache
    def of(cls, x): return cls(x)
class B(A): pass
a, b = A(3), B(4)
a.double(1), a.double(1), b.double(1), a.double(x=1), a.fib(30), a.area, a.area, b.area, A.of(2) is A.of(2), A.asked
# ---
from functools import lru_cache
class A:
    def __init__(self, k): self.k = k
    def __eq__(self, other): return self.k == other.k
    def __hash__(self): return hash(self.k)
    @lru_cache
    def f(self, x):
        print('f', x)
        return x * 2
A(1).f(1), A(1).f(1), A(2).f(1)
# ---
from functools import lru_cache
class A:
    @lru_cache
    def f(self, x): return x
A().f([1])
# ---
from functools import cache
class A:
    @cache  ### What is awaited cannot be cached
    async def f(self): return 1
await A().f()
# ---
# Methods of an enumeration are called for the enumeration.
from enum import Enum
class P(Enum):
    A = (1, 2)
    B = (3, 1)
    def __init__(self, mass, radius): self.mass, self.radius = mass, radius
    @classmethod
    def heaviest(cls): return max(cls, key=lambda p: p.mass)
    @classmethod
    def parse(cls, text): return cls[text.upper()]
    @classmethod
    def of(cls, value): return cls(value), cls.A, [x for x in cls], len(cls)
P.heaviest(), P.parse('a'), P.of((3, 1)), P.A.of((1, 2))
# ---
import enum
class State(str, enum.Enum):
    NEW = 'new'
    DONE = 'done'
    @classmethod
    def first(cls): return next(iter(cls))
print(State.NEW == 'new', State('new') is State.NEW, State['NEW'].value, [s.name for s in State], [s.value for s in list(State)])
print(len(State), State.DONE in State, State.first().value, {State.NEW: 1}['new'], State.NEW.upper(), isinstance(State.NEW, str))
State('x')
# ---
class C:
    def __init__(self, v): self.v = v
    def __bool__(self): return self.v
    def __len__(self): return 3
    def __repr__(self): return f'C({self.v})'
a, b = C(True), C(False)
print(1 if a else 2, 1 if b else 2, not b, bool(b), [x.v for x in [a, b] if x], (a and b).v, (b or a).v, any([a, b]), all([a, b]), len(list(filter(None, [a, b]))))
if a and not b: print('yes')
while b: print('never')
n = b or 'empty'
print(n, b and 'x', a and b and 'z', (a and 'p') or 'q', b and 'p' or 'q')
def f(x): return isinstance(x, C) and x.v == True
print(f(a), list(map(bool, [a, b])), any(c for c in [b]), all([C(True)]), next((c for c in [b] if c), None), any(c and a for c in [b]), sorted([a, b], key=bool))
print({}.get('x') or 0, (a.v or b.v), [c or 1 for c in [a, b]], (lambda c: c or a)(b), f'{b or "none"}')
# ---
class C:
    def __bool__(self): return False
class D(C): pass
class E:
    pass
def f(x, default=None): return x or default
print(1 if D() else 2, 1 if C else 2, 1 if E() else 2, f(D(), 'd'))
match D():
    case x if x: print('t')
    case _: print('f')
x = lambda c: 'y' if c else 'n'
print(x(C()), list(map(bool, [C(), E()])), any(c for c in [C()]), all([C()]), next((c for c in [C()] if c), None))
# ---
class N:
    def __init__(self, v, next=None): self.v, self.next = v, next
    def __len__(self): return 1 + (len(self.next) if self.next else 0)
    def val(self): return self.next and self.next.v
    def deep(self): return (self.next and
        self.next.next) or None
print(len(N(1, N(2))), N(1).val(), N(1, N(2)).val(), N(1).deep())
# ---
class C:
    def __init__(self, v): self.v = v
    def __bool__(self): return self.v
    def made(self): return C(not self.v)
def f(a): return a.made() or a.made().made()  ### keep the first part in a variable
f(C(True))
# ---
class A:
    __slots__ = ('a', '_b')
    def __init__(self): self.a = 1; self._b = 2
class B:
    def __init__(self): self.z = 1
a = A(); a.a = 5; b = B(); b.z = 2
print(a.a, a._b, A.__slots__)
# ---
class A:
    __slots__ = ('a', '_b')
    def __init__(self): self.a = 1; self.b = 2  ### b is not in __slots__
1
# ---
class A:
    __slots__ = ('a', '_b')
a = A()
a.c = 1  ### c is not in __slots__
# ---
class A:
    __slots__ = ['a']  ### has a value in the class
    a = 1
# ---
class A:
    __slots__ = ('x',)
    def __init__(self, x): self.x = x
class B(A):
    __slots__ = ('y',)
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y
print(B(1, 2).y, B(1, 2).x)
class C:
    __slots__ = 'q'
try: C().q
except AttributeError as e: print(e)
# ---
# A dataclass with order compares its fields in their order.
from dataclasses import dataclass, field
@dataclass(order=True)
class V:
    major: int
    minor: int = 0
    tags: list = field(default_factory=list)
    def bump(self): return V(self.major, self.minor + 1)
@dataclass(frozen=True, order=True)
class P:
    x: int
    @property
    def double(self): return self.x * 2
vs = [V(3, 1), V(1, 2), V(1)]
print(V(1, 2) < V(1, 3), sorted(vs), max(vs), min(vs), V(1, 2) <= V(1, 2), V(2) > V(1, 9), V(1) >= V(2), V(1) == V(1))
print(sorted([P(2), P(1)], reverse=True), {P(1): 2}[P(1)], P(4).double, V(1).bump(), sorted(vs, key=lambda v: v)[0])
try: V(1) < 3
except TypeError as e: print(e)
# ---
from dataclasses import dataclass
@dataclass(order=True)
class A:
    x: int
@dataclass(order=True)
class B(A):
    y: int
print(B(1, 2) < B(1, 3), sorted([B(2, 1), B(1, 5)]))
A(1) < B(1, 2)
# ---
from dataclasses import dataclass
@dataclass(order=True)
class T:
    p: int
xs = [T(2), T(1)]
xs.sort()
xs
# ---
from dataclasses import dataclass
import heapq
@dataclass(order=True)
class T:
    p: int
heap = [T(2), T(1)]
heapq.heapify(heap)
heap
# ---
class Point:
    pass


def named(value):
    return value.__name__ if isinstance(value, type) else 'a value'


print([named(one) for one in (int, Point, 5, Point(), 'x', dict)], isinstance(Point, (str, type)), isinstance(None, type))
# ---
from builtins import abs as absolute  ### There is no module builtins here.
print(absolute(-1))
# ---
import functools
def logged(fn):
    @functools.wraps(fn)
    def inner(self, *args, **kwargs):
        print('>', fn.__name__, args, kwargs)
        return fn(self, *args, **kwargs)
    return inner
def times(n):
    def deco(fn):
        async def inner(self, *a):
            return [await fn(self, *a) for _ in range(n)]
        return inner
    return deco
def check(*kinds):
    def deco(fn):
        def inner(self, *args):
            for a, k in zip(args, kinds):
                if not isinstance(a, k): raise TypeError(f'{fn.__name__} wants {k.__name__}, got {a!r}')
            return fn(self, *args)
        return inner
    return deco
class Cart:
    rate = 2
    def __init__(self): self.items = []
    @logged
    @check(str, int)
    def add(self, name, qty): self.items.append((name, qty)); return self
    @logged
    def total(self): return sum(q for _, q in self.items) * self.rate
    @times(2)
    async def ask(self, n):
        return await add(a=n, b=len(self.items))
class Big(Cart):
    rate = 3
    @logged
    def total(self): return super().total() + 1
c = Big().add('a', 2).add('b', 3); print(c.total(), await c.ask(1), c.items)
try: c.add('x', 'y')
except TypeError as e: print(e)
f = c.total; print(f(), Cart.total(c), [m() for m in (c.total,)])
# ---
from dataclasses import dataclass, field
handlers = {}
def on(event):
    def deco(fn):
        handlers[event] = fn
        return fn
    return deco
def swap(fn): return lambda self, *a: -fn(self, *a)
@dataclass
class Bot:
    name: str
    seen: list = field(default_factory=list)
    @on('start')
    def start(self, x): self.seen.append(x); return f'{self.name}:{x}'
    @on('stop')
    def stop(self): return 'bye'
    @swap
    def score(self, n): return n
    def helper(fn): return lambda self: fn(self) + '!'
    @helper
    def shout(self): return self.name
b = Bot('r2'); print(handlers['start'](b, 5), handlers['stop'](b), b, b.score(3), b.start(7), b.shout(), sorted(handlers))
# ---
import time
def counting(fn):
    calls = 0
    def inner(self, *a):
        nonlocal calls; calls += 1
        return (calls, fn(self, *a))
    return inner
class A:
    @counting
    def f(self, n): return n
    @counting
    def g(self): return next_number()
print(A().f(1), A().f(2), A().g(), A().g())
# ---
class Const:
    def __init__(self, fn): self.fn = fn
    def __call__(self, *a): return ('no self', a)
class A:
    @Const
    def f(self, n): return n
print(A().f(1))
# ---
def gen_deco(fn):
    def inner(self):
        for x in fn(self): yield x * 2
    return inner
class A:
    @gen_deco
    def items(self):
        yield 1
        yield 2
    @gen_deco
    def __iter__(self): yield from (5, 6)
print(list(A().items()), list(A()), [*A()])
