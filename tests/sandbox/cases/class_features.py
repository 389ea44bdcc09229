# An abstract base, a property with a setter, a class method that makes the subclass, and a class attribute that changes later.
from abc import ABC, abstractmethod
class Shape(ABC):
    count = 0
    def __init__(self, name):
        self.name = name
        Shape.count += 1
    @abstractmethod
    def area(self): ...
    @property
    def label(self): return f'{self.name}={self.area()}'
    @label.setter
    def label(self, text): self.name = text
    @classmethod
    def unit(cls): return cls(1)
    @staticmethod
    def double(x): return 2 * x
class Square(Shape):
    def __init__(self, side):
        super().__init__('square')
        self.side = side
    def area(self): return self.side ** 2
try:
    Shape('x')
except TypeError:
    print('abstract')
s = Square.unit()
s.label = 'tile'
print(s.label, type(s).__name__, isinstance(s, Shape), Square.count, Square.double(4), vars(s))
# ---
# The order of several bases, and what super() finds in it.
class Base:
    def hello(self): return ['Base']
class Left(Base):
    def hello(self): return ['Left', *super().hello()]
class Right(Base):
    def hello(self): return ['Right', *super().hello()]
class Both(Left, Right):
    def hello(self): return ['Both', *super().hello()]
print(Both().hello(), [k.__name__ for k in Both.__mro__])
Base.extra = 3
print(Both.extra, Both().extra)
Right.extra = 4
print(Both.extra, Left.extra)
# ---
# Dataclasses that inherit, under other names of their functions.
from dataclasses import dataclass as dc, field as f, asdict, replace, InitVar
@dc
class Point:
    x: int
    y: int = 0
@dc(order=True, kw_only=True)
class Named(Point):
    name: str = 'p'
    tags: list = f(default_factory=list, compare=False)
    scale: InitVar[int] = 1
    def __post_init__(self, scale): self.x *= scale
a = Named(x=2, scale=3)
print(a, asdict(a), replace(a, y=5), sorted([Named(x=3), a, Named(x=1)])[0], isinstance(a, Point))
match a:
    case Point(x=x, y=0): print('at', x)
# ---
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
# Functions have names, docstrings and attributes, which wraps carries over.
import functools
def counted(function):
    @functools.wraps(function)
    def wrapper(*args):
        wrapper.calls += 1
        return function(*args)
    wrapper.calls = 0
    return wrapper
@counted
def add(a, b):
    """The sum."""
    return a + b
add(1, 2), add(3, 4)
print(add.calls, add.__name__, add.__doc__)
# ---
# Classes within classes, made in functions, and of one name.
def make(factor):
    class Scaled:
        class Error(Exception): pass
        def __init__(self, x): self.x = x * factor
        def check(self):
            if self.x > 10: raise self.Error('big')
            return self.x
    return Scaled
One, Two = make(1), make(2)
class Sub(Two):
    def check(self): return super().check() + 100
print(One(3).check(), Sub(3).check(), issubclass(Sub, Two), issubclass(Sub, One))
try:
    Two(6).check()
except Two.Error as error:
    print('error', error)
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
