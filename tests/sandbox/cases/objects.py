class A: pass
print(f'{type(A()).__name__} {A.__name__} {A.__qualname__} {A.__module__}')  ### There is no __qualname__ here
# ---
class Config:
    def __init__(self, **kw):
        for k, v in kw.items(): setattr(self, k, v)
print(Config(a=1).__dict__)
# ---
class Config:
    def __init__(self, **kw):
        self.__dict__.update(kw)
print(Config(a=1).a)
# ---
class A:
    x = 0
    def __init__(self): self.y = 1
class B:
    def __init__(self): self.x = 1
print(vars(A()), vars(B()))
# ---
class A:
    def __init__(self): self.x = 1
a = A()
a.__dict__['y'] = 5
print(a.y)
# ---
class A:
    def go(self): return 1
    def run(self, f): return f.__name__
print(A().run(len), A.go.__name__, A().go.__name__)
# ---
class P:
    def __init__(self, **kw):
        self.id = 1
        for k, v in kw.items(): setattr(self, k, v)
p = P(z=1, a=2); q = P(b=3)
print(vars(p), q.__dict__, p.z, sorted(vars(q).items()), len(p.__dict__))
class U:
    def __init__(self, **kw): self.__dict__.update(kw)
print(U(x=1, y=2).__dict__, U(x=1).x)
# ---
class A:
    def __init__(self, x): self.x = x; self.y = [1]
    def to_dict(self): return {k: v for k, v in self.__dict__.items() if not k.startswith('_')}
    def __repr__(self):
        fields = ', '.join(f'{k}={v!r}' for k, v in vars(self).items())
        return f'{self.__class__.__name__}({fields})'
    def __eq__(self, o): return self.__dict__ == o.__dict__
class B(A):
    def __init__(self, x, z): super().__init__(x); self.z = z
print(A(1), B(1, 2), A(1) == A(1), B(1, 2).to_dict(), A(2).__dict__)
# ---
try: 1/0
except Exception as e: print(e.__class__.__name__, type(e).__name__, e.__class__, repr(e))
class A(Exception): pass
# ---
import collections.abc, typing
def flat(items):
    for item in items:
        if isinstance(item, collections.abc.Iterable) and not isinstance(item, (str, bytes)): yield from flat(item)
        else: yield item
list(flat([1, [2, (3, 'ab')], (y for y in [4, 5])])), isinstance([], typing.Iterable), isinstance(5, typing.Sized), isinstance(len, typing.Callable)
# ---
from typing import Iterable
isinstance(5, (str, None, Iterable))
