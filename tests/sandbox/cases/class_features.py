# Members of enumerations as keys, in patterns, by value and by name.
from enum import Enum, IntEnum, auto
class Status(str, Enum):
    OPEN = 'open'
    DONE = 'done'
    @property
    def is_open(self): return self is Status.OPEN
    @classmethod
    def default(cls): return cls.OPEN
class Level(IntEnum):
    LOW = auto()
    HIGH = auto()
counts = {Status.OPEN: 1}
counts[Status('open')] += 1
def word(status):
    match status:
        case Status.OPEN: return 'o'
        case Status.DONE: return 'd'
print(counts[Status['OPEN']], Status.OPEN == 'open', [s.value for s in Status], Status.default().is_open, word(Status.DONE))
print(', '.join(Status), f'{Status.DONE.value:>6}', len(Level), Level.HIGH > Level.LOW, sorted([Level.HIGH, Level.LOW])[0].name, Level(2) + 1)
try:
    Status('lost')
except ValueError as error:
    print(error)
# ---
# A named tuple with methods is a tuple.
from typing import NamedTuple
class Row(NamedTuple):
    name: str
    count: int = 1
    def twice(self): return self._replace(count=self.count * 2)
    @property
    def upper(self): return self.name.upper()
    @classmethod
    def of(cls, text): return cls(*text.split(','))
name, count = Row('a').twice()
print(name, count, Row('b').upper, Row.of('c,d'), sorted([Row('z'), Row('y')])[0], Row('q')[0], Row('r')._asdict(), Row('s') == ('s', 1))
# ---
# A comprehension does not see the names of a class.
class A:
    x = 1
    y = [x for _ in range(3)]  ### a comprehension does not see x of the class around it
# ---
class A:
    x = 1
print(A.__dict__)  ### A class has no __dict__ here.
# ---
class A: pass
B = type('B', (A,), {})  ### type() makes no classes here. Write a class statement.
# ---
class Names(dict): pass  ### A class cannot inherit from dict here.
# ---
class Meta(type): pass  ### A class cannot inherit from type here.
# ---
class A: pass
print(vars(A()))  ### There is no vars here.
# ---
class A: pass
print(A().__dict__)  ### There is no __dict__ here.
# ---
def f():
    """Text."""
print(f.__doc__)  ### There is no __doc__ here.
# ---
class Price:
    def __format__(self, spec): return 'p' + spec
print(f'{Price():.1f}', format(Price(), 'x'), '{}'.format(3))
# ---
class Price:
    def __format__(self, spec): return 'p' + spec
print('{:.1f}'.format(Price()))  ### A template asks no __format__ here. Write an f-string.
