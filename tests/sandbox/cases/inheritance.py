class A:
    x = 1
print(isinstance(A(), A))
for k in (A, int):
    print(isinstance(A(), k))
class B(A): pass
kinds = [A, B]
print([isinstance(B(), k) for k in kinds], [isinstance(A(), k) for k in kinds], isinstance(B(), tuple(kinds)))
def f(k): return isinstance(B(), k), issubclass(B, k)
print(f(A), f(int), f(object))
# ---
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
REG = {}
def register(name):
    def deco(cls):
        REG[name] = cls
        cls.tag = name
        return cls
    return deco
class Base:
    def run(self): return self.tag + self.extra()
    @property
    def up(self): return self.tag.upper()
@register('a')
class A(Base):
    def extra(self): return '1'
@register('b')
class B(Base):
    def extra(self): return '2'
    @staticmethod
    def s(): return 'st'
print([k().run() for k in REG.values()], REG['b']().up, REG['b'].s(), B.tag)
# ---
def singleton(cls):
    instances = {}
    def get(*a, **k):
        if cls not in instances: instances[cls] = cls(*a, **k)
        return instances[cls]
    return get
@singleton
class Config:
    def __init__(self): self.v = 1
    @property
    def double(self): return self.v * 2
a = Config(); b = Config(); a.v = 7
print(a is b, b.double)
# ---
def main():
    class A:
        def __init__(self, x): self.x = x
        @property
        def y(self): return self.x * 2
    class B(A):
        def f(self): return self.y
    return B(3).f(), isinstance(B(1), A)
print(main())
# ---
from dataclasses import dataclass, field
@dataclass
class Animal:
    name: str
    sound: str = '?'
    tags: list = field(default_factory=list)
    def speak(self): return f'{self.name}: {self.sound}'
    def __str__(self): return f'<{self.name}>'
@dataclass
class Dog(Animal):
    sound: str = 'woof'
    breed: str = 'mutt'
class Puppy(Dog):
    def speak(self): return super().speak() + '!'
print(Dog('r'), Puppy('p'), repr(Puppy('q', breed='lab')), Puppy('a') == Puppy('a'), Dog('a') == Puppy('a'), Puppy('z').speak(), [Dog('k')], isinstance(Puppy('x'), Animal))
# ---
class A:
    def __init__(self): self._v = 1
    @property
    def v(self): return self._v
    @v.setter
    def v(self, x): self._v = x * 2
class B:
    def __init__(self): self.a = A(); self.items = [A()]
    def go(self):
        self.a.v += 3
        self.items[0].v -= 1
        self.a.v = self.a.v + 1
b = B()
b.go(); b.a.v += 1
print(b.a.v, b.items[0].v, getattr(b.a, 'v'), getattr(b.a, 'zz', 4), hasattr(b.a, 'v'))
setattr(b.a, 'v', 100); print(b.a.v, [getattr(b.a, n) for n in ('v', '_v')])
# ---
class X: pass
class Y(X): pass
class Z(X, Y): pass  ### no order for these bases
# ---
class Base:
    tag = 'none'
    reg = {}
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        if tag:
            cls.tag = tag
            cls.reg[tag] = cls
class A(Base, tag='a'): pass
class B(A): pass
class C(B, tag='c'): pass
print(A.tag, B.tag, C.tag, Base.tag, sorted(Base.reg), B().tag)
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
# Nothing makes an object to see what a class is.
class Noisy:
    def __init__(self, *a): print('made', a)
class MyError(Exception): pass
class Heir(Noisy): pass
try: raise MyError('x')
except Exception as e:
    print(isinstance(e, (Noisy, MyError)), isinstance(e, Noisy), issubclass(type(e), Noisy), issubclass(Heir, Noisy), issubclass(MyError, Exception), isinstance(5, (Noisy, MyError)))
# ---
class Q:
    def __init__(self, xs): self.xs = xs
    def __len__(self): return len(self.xs)
    def first(self, d): return self.xs[0] if self.xs else None or d
q = Q([])
print(q.first(3), q or 'e')
# ---
class P:
    @property
    def x(self): return self._x
    @x.setter
    def x(self, v): self._x = v
    def __init__(self): self.x = (1)
class R(P):
    def go(self): self.x += 1
r = R(); r.go(); print(r.x)
# ---
class Animal:
    count = 0
    names = []
    kind = 'animal'
    def __init__(self, n): self.n = n; Animal.count += 1; self.names.append(n)
    @classmethod
    def total(cls): return cls.count
    @classmethod
    def rename(cls, k): cls.kind = k; return cls
class Dog(Animal): pass
class Puppy(Dog):
    kind = 'puppy'
class Cat(Animal):
    count = 100
    def __init__(self, n):
        super().__init__(n)
        type(self).count += 1
class CatDog(Dog, Cat): pass
Dog('a'); Puppy('b'); Cat('c'); CatDog('d')
print(Animal.count, Dog.count, Puppy.count, Cat.count, CatDog.count, Dog.total(), Dog('q').count, Animal.names)
Animal.rename('beast'); print(Animal.kind, Dog.kind, Puppy.kind, Cat.kind, CatDog.kind)
Dog.rename('dog'); print(Animal.kind, Dog.kind, Puppy.kind, CatDog.kind, Cat.kind)
Animal.kind = 'x'; print(Dog.kind, Cat.kind, CatDog.kind)
Animal.extra = 1; print(Puppy.extra, Dog('z').extra)
Puppy.extra = 2; Animal.extra = 3; print(Puppy.extra, Dog.extra)
setattr(Dog, 'count', 5); print(Dog.count, Puppy.count, Animal.count)
d = Dog('w'); d.count = 77; print(d.count, Dog.count)
Animal.hello = lambda self: f'hi {self.n}'
print(Puppy('p').hello())
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
class C:
    @classmethod
    def m(cls): return cls.__name__
    @classmethod
    def make(cls, *a): return cls(*a)
class A(C):
    def f(self): return super().m()
    @classmethod
    def m(cls): return 'A' + super().m()
    @classmethod
    def make(cls, *a):
        x = super().make(*a); x.tag = 1; return x
class B(A): pass
print(A().f(), B().f(), A.m(), B.m(), B().m(), type(B.make()).__name__, A.make().tag)
# ---
class B:
    def __eq__(self, o): return type(o) is type(self)
    def __hash__(self): return 5
class A(B):
    def __eq__(self, o): return type(o) is type(self)
class E(A): pass
for k in (A, E):
    try: print(hash(k()))
    except TypeError as e: print('TE')
    try: print({k(): 1})
    except TypeError as e: print('TE')
print(hash(B()))
# ---
class C:
    @classmethod
    def m4(cls): return ("C", cls.__name__, cls.u)
class A(C):
    u = 1
    def m4(self):
        return ("A", super().m4())
print(A().m4())
# ---
class A:
    def __init__(self): self.log = ['A']
    def hi(self): return ['A']
    @property
    def p(self): return 1
    @classmethod
    def c(cls): return ['A', cls.__name__]
class B(A):
    def __init__(self): super().__init__(); self.log.append('B')
    def hi(self): return ['B'] + super().hi()
    @property
    def p(self): return super().p + 1
    @classmethod
    def c(cls): return ['B'] + super().c()
class C(A):
    def __init__(self): super().__init__(); self.log.append('C')
    def hi(self): return ['C'] + super().hi()
    @property
    def p(self): return super().p * 10
    @classmethod
    def c(cls): return ['C'] + super().c()
class D(B, C):
    def __init__(self): super().__init__(); self.log.append('D')
    def hi(self): return ['D'] + super().hi()
    @classmethod
    def c(cls): return ['D'] + super().c()
print(D().hi(), B().hi(), C().hi(), isinstance(D(), C), issubclass(D, A), D().log, B().log, D().p, B().p, D.c(), B.c(), D().c())
# ---
class A: pass
print(A.__mro__)  ### There is no __mro__ here.
# ---
class A: pass
print(A.__subclasses__())  ### There is no __subclasses__ here.
