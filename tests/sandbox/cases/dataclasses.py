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
from dataclasses import KW_ONLY  ### There is no dataclasses.KW_ONLY here.
# ---
from dataclasses import InitVar  ### There is no dataclasses.InitVar here.
