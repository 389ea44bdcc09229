# until 3.12
from dataclasses import dataclass, field, asdict, replace, fields, astuple
@dataclass
class A:
    a: int
    b: list = field(default_factory=list, repr=False)
    c: int = field(default=0, compare=False)
    d: int = field(init=False, default=7)
    e: str = field(init=False)
    def __post_init__(self): self.d = self.a * 2; self.e = 'e'
print(A(1), A(1, [2], 3) == A(1, [2], 4), A(1).d, asdict(A(1)), A(1, c=5), [f.name for f in fields(A)], replace(A(1), a=5), astuple(A(2)))
def mk(*a, **k): return A(*a, **k)
for bad in (lambda: mk(), lambda: mk(1, 2, 3, 4), lambda: mk(1, z=2), lambda: mk(1, a=2), lambda: replace(A(1), d=3)):
    try: print(bad())
    except (TypeError, ValueError) as e: print(type(e).__name__, e)
try: {A(1): 2}
except TypeError as e: print('unhashable')
# ---
from dataclasses import dataclass, field
@dataclass(kw_only=True)
class A:
    a: int
    b: int = 2
    c: str
print(A(a=1, c='x'), A(c='y', a=2, b=3))
def mk(*a, **k): return A(*a, **k)
for bad in (lambda: mk(1), lambda: mk(a=1), lambda: mk()):
    try: print(bad())
    except TypeError as e: print(e)
@dataclass(kw_only=True)
class B(A):
    d: list = field(default_factory=list)
print(B(a=1, c='2', d=[1]), B(a=1, c='z') == B(a=1, c='z'))
# ---
from dataclasses import dataclass, field
@dataclass(frozen=True, order=True)
class V:
    sort: int = field(init=False, repr=False)
    n: str
    w: int = field(compare=False, default=1)
    def __post_init__(self): object.__setattr__(self, 'sort', len(self.n))
print(V('abc'), sorted([V('abc'), V('a')]), V('a', 2) == V('a', 3), hash(V('a', 2)) == hash(V('a', 3)), len({V('a', 2), V('a', 5)}))
try: V('a').n = 'b'
except Exception as e: print(type(e).__name__, e)
# ---
def main():
    from dataclasses import dataclass, field
    @dataclass
    class Item:
        name: str
        price: float = 0.0
        tags: list[str] = field(default_factory=list)
        def total(self): return self.price * 2
    @dataclass(frozen=True)
    class K:
        x: int
    i = Item('a', 1.5)
    print(i, [Item('b')], {K(1): 2}, i == Item('a', 1.5), K(1) == K(1), repr(i), f'{i!r}')
    i.tags.append(i)
    print(i)
    return i.total()
print(main())
# ---
from dataclasses import dataclass, field
@dataclass
class Node:
    v: int
    children: list['Node'] = field(default_factory=list)
    parent: 'Node | None' = field(default=None, repr=False, compare=False)
    def add(self, v):
        n = Node(v, parent=self); self.children.append(n); return n
r = Node(1); c = r.add(2); c.add(3)
print(r, c.parent.v, r == Node(1, [Node(2, [Node(3)])]))
# ---
# until 3.11
from dataclasses import dataclass, field
from abc import ABC, abstractmethod
from typing import Optional
@dataclass
class Shape(ABC):
    name: str = field(kw_only=True, default='s')
    @abstractmethod
    def area(self) -> float: ...
@dataclass
class Sq(Shape):
    a: float = 1
    def area(self): return self.a ** 2
print(Sq(3).area(), Sq(2, name='q'), Sq(name='z'))
try: Shape()
except TypeError as e: print(e)
# ---
from dataclasses import dataclass, field


@dataclass(slots=True)
class Account:
    owner: str
    balance: float = 0.0
    log: list = field(default_factory=list)

    def deposit(self, amount):
        self.balance += amount
        self.log.append(amount)
        return self


@dataclass
class Other:
    count: int = 0


other, account = Other(), Account('a').deposit(5)
other.count += 1
account.owner = 'b'
print(account, other)
# ---
from dataclasses import dataclass


@dataclass(slots=True)
class Point:
    x: int

    def move(self):
        self.y = 1  ### y is not in __slots__


Point(1).z = 3  ### z is not in __slots__
# ---
from dataclasses import dataclass, field
@dataclass(kw_only=True)
class P:
    y: int = 0
    z: int
print(P(z=3), P(y=2, z=4))
@dataclass(repr=False)
class Q:
    x: int
    def __str__(self): return f'Q{self.x}'
print(Q(1))
@dataclass(slots=True)
class R:
    x: int
    y: int = 2
print(R(1))
@dataclass(init=False)
class S:
    x: int
    def __init__(self, a): self.x = a * 2
print(S(2))
# ---
from dataclasses import KW_ONLY  ### There is no dataclasses.KW_ONLY here.
# ---
from dataclasses import InitVar  ### There is no dataclasses.InitVar here.
