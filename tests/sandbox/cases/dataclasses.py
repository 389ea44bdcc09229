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
