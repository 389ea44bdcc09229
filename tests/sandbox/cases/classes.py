# A class that inherits has what its base has, and says more with super.
class A:
    kinds = []
    def __init__(self, x): self.x = x
    def f(self): return 'A' + self.g()
    def g(self): return 'a'
    def __repr__(self): return f'{type(self).__name__}({self.x})'
class B(A):
    def __init__(self, x, y=2):
        super().__init__(x)
        self.y = y
    def g(self): return 'b' + super().g()
class C(B):
    def g(self): return 'c' + super().g()
B(1).kinds.append(3)
[A(1), B(1), C(1)], A(1).f(), B(1).f(), C(1).f(), C(1).y, C.kinds
# ---
class A:
    x = 1
class B(A): pass
A.x = 2  ### does not reach its heirs
B.x
# ---
class A:
    count = 0
    def __init__(self): A.count += 1
class B(A): pass
A(); B()
A.count
# ---
class A:
    count = 0
    def __init__(self): type(self).count += 1  ### keep no attribute of their own
class B(A): pass
A(); B()
A.count, B.count
# ---
class A:
    x = 1
class B(A): pass
setattr(A, 'x', 2)  ### does not reach its heirs
B.x
# ---
class A: pass
class B: pass
class C(A, B): pass  ### one base
C()
# ---
class A: pass
class B(A): pass
B.__mro__[1] is A  ### There is no __mro__ here
# ---
class A:
    __slots__ = ('a',)  ### Leave it out
A()
# ---
class A:
    def __bool__(self): return False  ### __bool__ is not asked for here
1 if A() else 2
# ---
class A:
    def __setattr__(self, name, value): print(name)  ### __setattr__ is not asked for here
A().x = 1
# ---
class A:
    def __iadd__(self, other): return 5  ### __iadd__ is not asked for here
a = A()
a += 1
a
# ---
class D:
    def __get__(self, owner, kind): return 5  ### __get__ is not asked for here
class A:
    x = D()
A().x
# ---
class A:
    def __init_subclass__(cls): print(cls.__name__)  ### add each behind its definition
class B(A): pass
# ---
class M(type):  ### cannot inherit from type here
    pass
class A(metaclass=M): pass  ### Metaclasses
A()
# ---
class A(dict): pass  ### cannot inherit from dict here
A()
# ---
class A:
    class B: pass  ### Write B before A
A.B()
# ---
class A:
    xs = []
    for i in range(3): xs.append(i)  ### Compute before the class
A.xs
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
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
class Named(Shape):
    name = 'n'
print(1)
try:
    Named()  ### Named is abstract: area must be written
except TypeError:
    print('abstract')
# ---
class A:
    def __init__(self): self.__x = 1
    def x(self): return self.__x
class B(A):  ### one underscore
    def __init__(self):
        super().__init__()
        self.__x = 2
B().x()
# ---
class A: pass
class B(A): pass
for kind in (A, B):
    print(isinstance(B(), kind))  ### Write the classes here
# ---
class A: pass
class B(A): pass
match B():
    case A():  ### Ask with isinstance
        print('A')
# ---
from functools import lru_cache
class A:
    @lru_cache  ### Methods cannot be cached here
    def f(self): print('f'); return 1
a = A()
a.f() + a.f()
# ---
class A:
    def __call__(self): return 1
callable(A())  ### Ask with isinstance
# ---
from dataclasses import dataclass
@dataclass(kw_only=True)  ### dataclass has no kw_only here
class A:
    a: int
A(a=1)
# ---
from dataclasses import dataclass, field
@dataclass
class A:
    a: int
    b: int = field(default=1, repr=False)  ### field has no repr here
A(1)
# ---
from dataclasses import dataclass
@dataclass
class A:
    a: int
    b: int = 1
@dataclass
class B(A):
    a: int = 2  ### a is a field of a base already
B(b=1)
# ---
from dataclasses import dataclass
@dataclass
class A:
    a: int
class B(A): pass  ### write @dataclass above it too
B(1)
# ---
from typing import NamedTuple
class P(NamedTuple):  ### has no methods here
    x: int
    def double(self): return self.x * 2
P(1).double()
