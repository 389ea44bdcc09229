class R:
    plugins = {}
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        R.plugins[tag or cls.__name__] = cls
class A(R): pass
class B(R, tag='bee'):
    x = 5
class C(B): pass
print(sorted(R.plugins), R.plugins['bee']().x)
# ---
# until 3.11
from abc import ABC, abstractmethod, ABCMeta
class S(ABC):
    def __init__(self, n): self.n = n
    @abstractmethod
    def area(self): ...
    @abstractmethod
    def per(self): ...
    @property
    @abstractmethod
    def name(self): ...
class Half(S):
    def area(self): return 1
class Q(Half):
    def __init__(self, a):
        super().__init__('q')
        self.a = a
    def area(self): return self.a ** 2
    def per(self): return 4 * self.a
    @property
    def name(self): return self.n
for k in (S, Half):
    try: k('x')
    except TypeError as e: print('cannot', e)
print(Q(2).area(), Q(2).name)
class M(metaclass=ABCMeta):
    @abstractmethod
    def f(self): ...
class N(M):
    def f(self): return 1
try: M()
except TypeError as e: print(e)
print(N().f())
# ---
class X: pass
class Y(X): pass
class Z(X, Y): pass  ### no order for these bases
# ---
from typing import TypeVar, Generic, Callable, Optional, ParamSpec
T = TypeVar('T')
K = TypeVar('K', bound=str)
V = TypeVar('V')
P = ParamSpec('P')
class Stack(Generic[T]):
    def __init__(self): self._items: list[T] = []
    def push(self, item: T) -> None: self._items.append(item)
    def pop(self) -> T: return self._items.pop()
    def __len__(self): return len(self._items)
    @property
    def top(self) -> Optional[T]: return self._items[-1] if self._items else None
class IntStack(Stack[int]):
    def total(self): return sum(self._items)
class Cache(Generic[K, V]):
    def __init__(self): self.d: dict[K, V] = {}
    @classmethod
    def of(cls, **kw): c = cls(); c.d.update(kw); return c
s = Stack[int]()
s.push(1); s.push(2)
print(s.pop(), len(s), s.top)
i = IntStack(); i.push(3); print(i.total(), isinstance(i, Stack), Cache[str, int].of(a=1).d, Cache[str, int]().d)
def first(xs: list[T]) -> T: return xs[0]
print(first([1]))
x: Stack[int] = Stack()
# ---
class Q:
    def __init__(self, xs): self.xs = xs
    def __len__(self): return len(self.xs)
    def first(self, d): return self.xs[0] if self.xs else None or d
q = Q([])
print(q.first(3), q or 'e')
# ---
class Base:
    _id = 0
    def __init__(self):
        self.__class__._id += 1
        self.id = self._id
class A(Base): pass
class B(Base): pass
print(A().id, A().id, B().id, Base().id, A._id, B._id, Base._id)
# ---
class A: pass
print(A.__mro__)  ### There is no __mro__ here.
# ---
class A: pass
print(A.__subclasses__())  ### There is no __subclasses__ here.
