from enum import Enum
class X(str, Enum):
    A = ''
    B = 'b'
print([1 if x else 0 for x in X], X.A or 'empty', not X.A, bool(X.B))
# ---
# from 3.12
from enum import Enum
class Color(Enum):
    RED = 'red'
'red' in Color, 'blue' in Color
# ---
from enum import Enum
class Color(Enum):
    RED = 1
    def __new__(cls, value): return object.__new__(cls)  ### __new__ of a class is not asked here
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
        case int(): return 'n'  ### A pattern does not see what the members of an enumeration are here
        case Level(): return 'level'  ### A pattern does not see what the members of an enumeration are here
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
from enum import Flag  ### There is no enum.Flag here. Keep members of an Enum in a set.
# ---
from enum import Enum
class E(Enum):
    A, B = 1, 2  ### Only methods, classes and variables, one each time
# ---
from enum import Enum, IntEnum, StrEnum, auto
class Kind(str, Enum):
    LOW = 'low'
    HIGH = 'high'
    def up(self):
        return self.value.upper()
class Level(IntEnum):
    ONE = auto()
    TWO = auto()
class Shelf:
    def __init__(self, x):
        self.x = x
    def __getitem__(self, place):
        if place > 3:
            raise IndexError(place)
        return (place, self.x)
print('-'.join([Kind.LOW, 'x', Kind.HIGH]), type(Kind.LOW).__name__, type(3) is int, type(Level.ONE) is Level, Kind('low').up(), {Kind.LOW: 1}['low'])
print(list(Shelf(5)), (1, 5) in Shelf(5), sum(y for _, y in Shelf(2)), getattr(Shelf, '__name__'), getattr(Level.TWO, 'name'), Level.ONE + Level.TWO, sorted(Level, reverse=True))
