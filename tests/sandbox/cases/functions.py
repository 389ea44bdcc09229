def f():
    f.calls += 1  ### Functions cannot be given attributes here.
f.calls = 0
f()
# ---
def counting(fn):
    def wrapper(*a):
        wrapper.calls += 1  ### Functions cannot be given attributes here.
        return fn(*a)
    wrapper.calls = 0
    return wrapper
print(1)
# ---
def f(): return 1
print(2)
setattr(f, 'tag', 'x')  ### Functions cannot be given attributes here.
# ---
def f(): return 1
f.__name__ = 'g'  ### Functions cannot be given attributes here.
# ---
class Box:
    pass
def fill(box):
    box.size = 3
    setattr(box, 'name', 'b')
    return box
def make():
    fill = Box()
    fill.size = 2
    return fill.size
print(fill(Box()).size, fill(Box()).name, make())
# ---
class Counted:
    def __init__(self, fn):
        self.fn = fn
        self.calls = 0
def f(): return 1
f = Counted(f)
f.calls = 5
print(f.calls, f.fn())
# ---
class Route:
    def __init__(self, fn):
        self.fn = fn
@Route
def home(): return 'home'
home.path = '/'
print(home.path, home.fn())
# ---
from functools import wraps, lru_cache
import functools
def log(f):
    @wraps(f)
    def w(*a,**k):
        r=f(*a,**k); print(f'{f.__name__}({", ".join(map(repr,a))}) -> {r!r}'); return r
    return w
def twice(f):
    @functools.wraps(f)
    def w(*a): return f(f(*a))
    return w
@log
@twice
def inc(x):
    return x+1
inc(3)
print(inc.__name__)
@lru_cache
@log
def sq(x): return x*x
sq(2); sq(2)
g=log(lambda x: x)
g(1)
print(g.__name__)
class K:
    def __init__(self,f):
        functools.update_wrapper(self,f)
        self.f=f
    def __call__(self,*a): return self.f(*a)
@K
def hi(): return 1
print(hi.__name__, hi())
