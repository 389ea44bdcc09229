def counter():
    counter.count += 1
    return counter.count
counter.count = 0
counter(); counter()
print(counter.count)
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
class Count:
    def __init__(self, fn):
        import functools
        functools.update_wrapper(self, fn); self.fn = fn; self.n = 0
    def __call__(self, *a): self.n += 1; return self.fn(*a)
@Count
def f(x): return x
f(1); print(f.n, f.__name__)
