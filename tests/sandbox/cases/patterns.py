from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int = 0
    def s(self): return self.x + self.y
def k(o):
    match o:
        case (0, y): return ('z', y)
        case [a, b] if a == b: return 'd'
        case {'p': P(x, _), **rest}: return x, rest
        case [P() as p, *rest]: return p.s(), rest
        case str() | None: return 'sn'
        case _: return 'other'
print(k(P(0, 2)), k(P(3, 3)), k({'p': P(1), 'q': 2}), k([P(5), 1, 2]), k('a'), k([1]), k((0, 0)))
# ---
from dataclasses import dataclass
@dataclass
class A:
    x: int
    y: int = 2
@dataclass
class B(A):
    z: int = 3
@dataclass
class C: 
    items: list
    a: A = None
def k(o):
    match o:
        case B(1, 2, z): return ('B', z)
        case A(x, y) if x > y: return ('A', x)
        case A(x=5 as q): return q
        case C([A(1) as first, *rest], None): return (first, rest)
        case C(items={'k': v, **more}, a=A(y=yy)): return v, yy, more
        case (A() | C()) as whole: return whole
print(k(B(1)), k(A(3)), k(B(5, 6)), k(C([B(1), 2, 3])), k(C({'k': 1, 'm': 2}, B(1, 9))), k(A(0)), k(3))
x = 7
match [1, 2]:
    case [A(), x]: print('no')
    case _: print(x)
# ---
class P:
    def __init__(self, x): self.x = x
    @property
    def double(self): return self.x * 2
match P(3):
    case P(double=6): print('six')  ### A pattern cannot ask for a property here
    case _: print('no')
