def fib(n):
    if n in fib.cache: return fib.cache[n]
    r = n if n < 2 else fib(n-1)+fib(n-2)
    fib.cache[n] = r
    return r
fib.cache = {}
print(fib(20), len(fib.cache))
# ---
def counter():
    counter.count += 1
    return counter.count
counter.count = 0
counter(); counter()
print(counter.count)
# ---
import functools, asyncio
def count_calls(fn):
    @functools.wraps(fn)
    def wrapper(*a, **k):
        wrapper.calls += 1
        print(f'call {wrapper.calls} of {fn.__name__}')
        return fn(*a, **k)
    wrapper.calls = 0
    return wrapper
@count_calls
def hi(): return 1
@count_calls
def ho(): return 2
hi(); hi(); ho()
print(hi.calls, ho.calls, hi.__name__, ho.__name__)
# ---
def tool(fn):
    fn.is_tool = True
    fn.tags = ['a']
    return fn
@tool
def a(): return 1
def b(): return 2
print([f.__name__ for f in (a, b) if getattr(f, 'is_tool', False)], hasattr(b, 'is_tool'), a.tags, f'{a.is_tool} {a.tags[0]}')
a.tags.append('x'); a.tags += ['y']; print(a.tags)
try: b.is_tool
except AttributeError as e: print(e)
# ---
from functools import wraps
def deco(fn):
    @wraps(fn)
    def inner(): return 'mocked'
    return inner
@deco
def f(): return 1
print(f.__name__)
# ---
def outer(n):
    def f(): return 1
    f.x = n
    return f
print(outer(1).x)
# ---
def memo(fn):
    cache = {}
    def inner(*a):
        if a not in cache: cache[a] = fn(*a)
        return cache[a]
    inner.__name__ = fn.__name__
    inner.cache = cache
    return inner
@memo
def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)
print(fib(20), fib.__name__, len(fib.cache))
# ---
class Count:
    def __init__(self, fn):
        import functools
        functools.update_wrapper(self, fn); self.fn = fn; self.n = 0
    def __call__(self, *a): self.n += 1; return self.fn(*a)
@Count
def f(x): return x
f(1); print(f.n, f.__name__)
# ---
import asyncio
from functools import wraps
def logged(fn):
    @wraps(fn)
    async def inner(*a): 
        r = await fn(*a); print(fn.__name__, r); return r
    return inner
@logged
async def go(x): return x
await go(3); print(go.__name__)
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
# ---
def memo(fn):
    cache = {}
    def wrapper(*a):
        if a not in cache: cache[a] = fn(*a)
        return cache[a]
    wrapper.cache = cache
    return wrapper
@memo
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
class Total:
    def __init__(self): self.n = 0
    def add(self, *xs): self.n += sum(xs); return self.n
adders = [Total().add, Total().add]
print(fib(20), len(fib.cache), adders[0](1, 2))
