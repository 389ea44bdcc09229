from enum import Enum, IntEnum, StrEnum, auto, unique
import json
class S(str, Enum):
    NEW = 'new'
    IN_PROGRESS = 'in_progress'
    DONE = 'done'
    def __str__(self): return self.value
    def can(self, o): return o in T[self]
    @property
    def label(self): return self.value.replace('_', ' ').title()
    @classmethod
    def parse(cls, t):
        try: return cls(t.lower())
        except ValueError: return cls.NEW
T = {S.NEW: [S.IN_PROGRESS], S.IN_PROGRESS: [S.DONE], S.DONE: []}
print(S.NEW, repr(S.NEW), f'{S.NEW}|{S.NEW!r}|{S.NEW:>6}', S.NEW.can(S.IN_PROGRESS), S.NEW.can('in_progress'), S.parse('DONE'), S.parse('x'), S.IN_PROGRESS.label)
orders = [{'s': 'new'}, {'s': 'done'}]
print([o for o in orders if o['s'] == S.NEW], [o for o in orders if S(o['s']) is S.DONE], [o['s'] in (S.NEW, S.DONE) for o in orders], sorted(S), sorted(S, key=lambda s: s.value), max(S))
print(json.dumps({'a': S.NEW, 'l': [S.DONE], S.NEW: 1}), json.dumps(S.NEW), ', '.join(S), '-'.join([S.NEW, 'x']), 'pre_' + S.NEW, S.NEW + '_x', S.NEW in 'newish', 'e' in S.NEW, len(S.NEW), S.NEW[0], list(S.NEW))
print({'new': 1}[S.NEW], {'new': 1}.get(S.NEW), S.NEW in {'new': 2}, {S.NEW: 3}['new'], isinstance(S.NEW, str), isinstance(S.NEW, S), isinstance('new', S), isinstance(S.NEW, Enum), type(S.NEW), type(S.NEW).__name__, S.NEW.__class__ is S, type(S.NEW) is S, S, S.__name__)
print('%s' % S.NEW, '{}'.format(S.NEW), str(S.DONE), S.NEW.upper(), S.NEW == S('new') == 'new', S.NEW != 'new', 'new' == S.NEW, hash(S.NEW) == hash('new'), len({S.NEW, 'new'}), 'new,x'.split(','), 'x new y'.replace(S.NEW, 'z'), 'newx'.startswith(S.NEW))
match 'new':
    case S.NEW: print('matched')
match S.DONE:
    case S.NEW: print('no')
    case S.DONE: print('done!')
def h(s: S = S.NEW) -> S: return s
print(h(), h(S.DONE), [s for s in S if s is not S.NEW], dict.fromkeys(S, 0), {s.name: s.value for s in S}, [n for n in S.__members__])
# ---
from enum import Enum, IntEnum, StrEnum, auto, unique
class P(IntEnum):
    LOW = auto()
    MID = 5
    HIGH = auto()
    @classmethod
    def top(cls): return max(cls)
    def up(self): return P(self + 1) if self < P.HIGH else self
print(list(P), P.LOW < P.HIGH, P.LOW < 3, 3 > P.LOW, P.top(), repr(P.top()), P.MID.up(), P.MID.up().name, sorted([P.HIGH, P.LOW, P.MID], reverse=True), P.LOW + 1, 1 + P.LOW, P.MID * 2, -P.LOW, P.MID == 5, 5 == P.MID, P(5), P(5) is P.MID, sum(P), [10,20,30][P.LOW], f'{P.LOW}', f'{P.LOW.name}', str(P.MID), int(P.MID), isinstance(P.LOW, int), isinstance(True, P), P.LOW in P, {1: 'a'}[P.LOW], {P.LOW: 'x'}[1], '%d %s' % (P.LOW, P.LOW), range(P.LOW), list(range(P.MID)), P.MID // 2, P.MID % 2, divmod(7, 2), P.LOW.value, min(P.HIGH, P.LOW), P.LOW <= 1 <= P.MID, round(P.MID), P.MID ** 2, P.MID & 1, bool(P.LOW), float(P.MID), P.LOW is P.LOW)
class C(StrEnum):
    RED = auto()
    BLUE = 'b'
print(C.RED, repr(C.RED), C.RED == 'red', f'{C.BLUE!r} {C.BLUE}', list(C), [c.name for c in C], C('b'), 'x' + C.RED, C.RED.upper(), {C.RED: 1}, [C.RED], (C.RED,), str([C.RED]), ' '.join(c for c in C), C.RED.capitalize(), isinstance(C.RED, str))
@unique
class U(Enum):
    A = 1
    B = 2
print(U.A, list(U), len(U), U.A == U.A, U.A == U.B, U.A != U.B, U.A is U(1), U.A in (U.A,), U.A.name, {U.A: 'x'}, hash(U.A) == hash(U.A), [u.value for u in reversed(U)], reversed([1]) and 1)
try:
    @unique
    class U2(Enum):
        A = 1
        B = 1
except ValueError as e: print(e)
try: U.A < U.B
except TypeError as e: print(e)
try: U(7)
except ValueError as e: print(e)
try: U['Q']
except KeyError as e: print(repr(e))
try: U.Q
except AttributeError as e: print('AE')
# ---
from enum import Enum
import copy
from dataclasses import dataclass, asdict, replace
class K(Enum):
    A = 'a'
    B = 'b'
@dataclass
class O:
    id: int
    kind: K = K.A
o = O(1); o2 = copy.deepcopy(o)
print(o, o == o2, o2.kind is K.A, asdict(o), replace(o, kind=K.B), {o.kind: 1}, o.kind == K.A, O(2, K('b')).kind.value)
class Base(Enum):
    def describe(self): return f'{self.name} is {self.value}'
    @classmethod
    def names(cls): return [m.name for m in cls]
    @property
    def low(self): return self.name.lower()
class Sub(Base):
    X = 1
    Y = 2
print(Sub.X.describe(), Sub.names(), Sub.Y.low, isinstance(Sub.X, Base), isinstance(Sub.X, Sub), isinstance(Sub.X, Enum), Sub.X)
class Planet(Enum):
    MERCURY = (3.303e+23, 2.4397e6)
    EARTH   = (5.976e+24, 6.37814e6)
    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius
        self.label = self.name.title() + str(self.value[0])
    @property
    def g(self): return round(6.67300E-11 * self.mass / (self.radius * self.radius), 3)
    @staticmethod
    def f(x): return x * 2
    def next(self):
        ms = list(self.__class__)
        return ms[(ms.index(self) + 1) % len(ms)]
    def prev(self):
        ms = list(type(self))
        return ms[ms.index(self) - 1]
print(Planet.EARTH.g, Planet.EARTH.label, Planet.f(3), Planet.EARTH.next(), Planet.EARTH.prev(), Planet((3.303e+23, 2.4397e6)), Planet.EARTH, Planet.EARTH.value)
class M(Enum):
    A = 1
    B = 2
    ALIAS = 1
    @classmethod
    def _missing_(cls, value):
        for m in cls:
            if m.name == str(value).upper(): return m
        return None
print(M('a'), M('b'), M.ALIAS, M.ALIAS is M.A, list(M), M.__members__, M['ALIAS'], len(M))
try: M('zzz')
except ValueError as e: print(e)
class Op(Enum):
    ADD = '+'
    SUB = '-'
    def __call__(self, a, b): return {'+': a + b, '-': a - b}[self.value]
    def __str__(self): return f'Op({self.value})'
    def __repr__(self): return 'OP'
    def __hash__(self): return 1
    def __eq__(self, o): return self is o
print(Op.ADD(1, 2), Op('-')(5, 3), str(Op.ADD), [Op.ADD], f'{Op.SUB}', Op.ADD)
x, y = K
print(x, y, [*K], dict(zip(K, [1, 2])), list(enumerate(K)), {k: i for i, k in enumerate(K)}, K.A and 5, bool(K.A), not K.B, K.A or 3)
# ---
from enum import Enum
class X(str, Enum):
    A = ''
    B = 'b'
print([1 if x else 0 for x in X], X.A or 'empty', not X.A, bool(X.B))
# ---
class Color:
    RED = 1
import enum
class St(enum.Enum):
    A = enum.auto()
    B = enum.auto()
def step(s):
    if s == St.A: return St.B
    return St.A
print(step(St.A), step(St.B), St.A.value + St.B.value)
St.A
# ---
from enum import Enum
class Level(Enum):
    LOW = 1
    HIGH = 2
    def __lt__(self, o):
        if self.__class__ is o.__class__: return self.value < o.value
        return NotImplemented
print(sorted([Level.HIGH, Level.LOW]), Level.LOW < Level.HIGH, max(Level), min([Level.HIGH, Level.LOW]))
d = {Level.HIGH: 'h', Level.LOW: 'l'}
for k, v in sorted(d.items()): print(k, v)
# ---
from enum import Enum
class A(Enum):
    X = 1
A.X = 5  ### stay as they are
# ---
from enum import Enum
def main():
    class A(Enum):
        X = 1
        Y = 2
    return [a.name for a in A], A.X
print(main())
# ---
# from 3.12
from enum import Enum
class Color(Enum):
    RED = 'red'
'red' in Color, 'blue' in Color
# ---
from enum import Enum
Color = Enum('Color', 'RED GREEN')  ### Write the enumeration as a class
# ---
from enum import Enum
class Color(Enum):
    RED = 1
    def __new__(cls, value): return object.__new__(cls)  ### __new__ is not asked for here
# ---
from enum import Enum
from collections import namedtuple
Pt=namedtuple('Pt','x y')
class C(Enum):
    A=Pt(1,2)
    B=Pt(3,4)
print(C.A.value.x, C.B, C.A.value, C(Pt(1,2)), [c.value.y for c in C], repr(C.A))
# ---
from enum import Enum
class C(Enum):
    A=1
C.A.value=3  ### Members of C stay as they are
# ---
from enum import IntEnum
class Level(IntEnum): LOW = 1
def f(v):
    match v:
        case int(): return 'n'
        case Level(): return 'level'
print(f(Level.LOW))
# ---
from enum import Enum
class S(Enum):
    A = 'a'
    B = 'b'
    def reset(self): self.value = 3
class Box:
    def __init__(self, value): self.value, self.name = value, 'n'
    def up(self): self.value += 1; return self
b = Box(S.A)
b.value = S.B
print(b.value, Box(3).up().value, b.name)
for s in S:
    try: s.value = 'x'
    except AttributeError as e: print(e)
    try: s.name += 'x'
    except AttributeError as e: print(e)
    try: s.reset()
    except AttributeError as e: print(e)
    print(s.value, s.name)
b.value.value = 4
# ---
# until 3.11
from enum import Enum
class S(Enum):
    PAID = 'a'
try: S.NOPE
except AttributeError as e: print(e)
print(hasattr(S, 'NOPE'), getattr(S, 'PAID'), getattr(S, 'X', None))
try: getattr(S, 'NOPE')
except AttributeError as e: print(e)
S.OTHER
# ---
from enum import Enum
class Base(Enum):
    def hi(self): return self.name
class S(Base):
    PAID = 'a'
    _secret = 3
    @classmethod
    def of(cls): return cls.PAID
print(S.of().hi(), S.PAID.hi(), len(S))
S.CLOSED  ### S has no CLOSED. Its members: PAID
# ---
from enum import Flag  ### There is no enum.Flag here. Keep members of an Enum in a set.
# ---
from enum import Enum
class E(Enum):
    A, B = 1, 2  ### Only methods, classes and variables, one each time
