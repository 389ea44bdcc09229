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
from enum import Enum, IntEnum, StrEnum
class C(Enum):
    R = 1
    G = 2
class N(IntEnum):
    ONE = 1
class S(str, Enum):
    A = 'a'
def k(o):
    match o:
        case C.R: return 'red'
        case C(): return 'color'
        case N.ONE if type(o) is N: return 'N1'
        case int(n): return ('int', n + 0)
        case S(value=v): return v
        case str() as s: return 'str' + s
print(k(C.R), k(C.G), k(N.ONE), k(1), k(S.A), k('q'))
# ---
class Shape: pass
class Circle(Shape):
    __match_args__ = ('r',)
    def __init__(self, r): self.r = r
class Sq(Shape):
    def __init__(self, s): self.s = s
    @property
    def area(self): return self.s ** 2
async def f(xs):
    out = []
    for x in xs:
        match x:
            case Circle(r) if (r > 3):  # big: one
                out.append(('big', r))
            case (Circle(r=1 | 2 as q) | Sq(s=q)): out.append(q)
            case {'shape': (Sq(area=a) | Circle(a)),
                  'n': n}:
                out.append((a, n))
            case (Shape()
                  ): out.append('shape')
            case _: out.append(await echo(x))
    return out
print(await f([Circle(5), Circle(2), Sq(4), {'shape': Sq(3), 'n': 1}, {'shape': Circle(3), 'n': 2}, Shape(), Circle(3), None]))
def gen(xs):
    for x in xs:
        match x:
            case Shape() as s: yield type(s).__name__
            case [Shape(), *_]: yield 'list'
            case _: yield x
print(list(gen([Circle(1), [Sq(1)], 3])))
class Node:
    def visit(self, n):
        match n:
            case Circle(r=r): self.r = r; return self.r
            case _: return None
print(Node().visit(Circle(4)))
try:
    match 3:
        case Circle(a, b): pass
        case int(x): print(x)
except TypeError as e: print(e)
# ---
from datetime import date, datetime
from decimal import Decimal
from collections import OrderedDict, defaultdict, Counter, deque
from collections.abc import Mapping, Sequence
def k(x):
    match x:
        case bool(): return 'bool'
        case int() | float(): return 'num'
        case date(): return 'date'
        case str(): return 'str'
        case dict(): return 'dict'
        case tuple(): return 'tuple'
        case deque(): return 'deque'
        case Decimal(): return 'dec'
        case Sequence(): return 'seq'
    return 'no'
print([k(x) for x in (True, 1, 1.5, date(2024,1,1), datetime(2024,1,1), 'a', {}, defaultdict(list), Counter('a'), (1,), deque(), Decimal(1), [1], range(3))])
# ---
def k(x):
    match x:
        case [a, *r]: return ('s', a, r)
        case {'a': 1, **r}: return r
    return 'no'
from collections import deque, defaultdict, Counter
print(k(deque([1,2])), k(range(3)), k('ab'), k(b'ab'), k({'a': 1, 'b': 2}), k(Counter({'a': 1})))
# ---
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int = 0
    def s(self): return self.x + self.y
def k(o):
    match o:
        case P(0, 0): return 'o'
        case P(x=1, y=b): return b
        case P(a, b) if a == b: return 'd'
        case tuple(): return 't'
print(k(P(0)), k(P(1, 5)), k(P(3, 3)), k(P(3, 4)), k((1, 2)))
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
class E(Exception):
    def __init__(self, code): self.code = code
class F(E): pass
def f(e):
    match e:
        case E(code=404): return 'nf'
        case E(code=c): return c
        case ValueError(): return 've'
        case Exception(): return 'other'
print(f(E(404)), f(F(3)), f(ValueError('x')), f(KeyError(1)))
# ---
def f(e):
    match e:
        case ValueError() | TypeError(): return 've'
        case LookupError(args=(x,)): return x
        case Exception(): return 'other'
print(f(ValueError('x')), f(KeyError(1)))
# ---
class P:
    def __init__(self, x): self.x = x
    @property
    def double(self): return self.x * 2
match P(3):
    case P(double=6): print('six')
    case _: print('no')
# ---
class E(Exception):
    pass
for i in range(3):
    try:
        if i == 1: raise E('a', i)
        if i == 2: raise ValueError('v')
    except Exception as e:
        match e:
            case E(args=(m, n)): print('E', m, n)
            case ValueError(): print('V')
