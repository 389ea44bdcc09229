class A:
    __slots__ = ('a',)
A().__slots__  ### There is no __slots__ here
# ---
class A:
    def __iadd__(self, other): return 5
a = A()
a += 1
a
# ---
class D:
    def __get__(self, owner, kind): return 5  ### __get__ of a class is not asked here
# ---
class M(type):  ### A class cannot inherit from type here
    pass
# ---
class A:
    xs = []
    for i in range(3): xs.append(i)  ### Only methods, variables and classes can be in the body of a class here
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
from typing import NamedTuple
class P(NamedTuple):
    x: int
    def double(self): return self.x * 2
P(1).double()
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
    def __len__(self): return 1
len(5)  ### Argument to function len is incorrect: Expected Sized, found Literal[5]
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
class A:  ### __slots__ does not keep other attributes out here
    __slots__ = ('x',)
    def __init__(self, x): self.x = x
class C:
    __slots__ = 'q'
try: C().q
except AttributeError as e: print(e)
# ---
class Point:
    pass


def named(value):
    return value.__name__ if isinstance(value, type) else 'a value'


print([named(one) for one in (int, Point, 5, Point(), 'x', dict)], isinstance(Point, (str, type)), isinstance(None, type))
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
# `==` asks a class below first, and `__iter__` of a second base hides items by index.
class Counted:
    def __init__(self, x): self.x = x
    def __getitem__(self, place):
        if place > 1: raise IndexError(place)
        return self.x
    def __eq__(self, other): return 'above'
class Listed:
    def __iter__(self): return iter([1, 2])
class Both(Counted, Listed): pass
class Below(Counted):
    def __eq__(self, other): return 'below'
(list(Both(7)), list(Counted(7)), [*Below(8)], Counted(1) == Below(1), Below(1) == Counted(1), Counted(1) == Counted(2))
# ---
# Methods of order that a class has already are not written over.
from dataclasses import dataclass
@dataclass(order=True)
class Version:
    number: int
    def __lt__(self, other): return True
# ---
# Members of enumerations that are numbers and texts: their methods, their operators, their order in a dataclass.
from enum import Enum, IntEnum
from dataclasses import dataclass
class Size(IntEnum):
    SMALL = 1
    LARGE = 9
class Color(str, Enum):
    RED = 'red'
@dataclass(order=True)
class Job:
    size: Size
    name: str
print(sorted([Job(Size.LARGE, 'b'), Job(Size.SMALL, 'z'), Job(Size.LARGE, 'a')]), Size.LARGE ^ 3, abs(Size.LARGE) << 1)
Color.RED.isalpha(), Color.RED.zfill(5), Color.RED.partition('e')
