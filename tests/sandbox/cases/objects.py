class A: pass
print(type(A()))
# ---
class A: pass
print(A)
# ---
class A: pass
print(f'{type(A()).__name__} {A.__name__} {A.__qualname__} {A.__module__}')  ### no __module__ here
# ---
class A:
    def f(self): pass
print(A.f.__name__, A.f.__qualname__, A().f.__name__)  ### no __qualname__ here
# ---
class A:
    def __init__(self): self.x = 1
class MyErr(Exception): pass
import datetime
print(type(1), type(A()), A, f'{type(A())} {A!r}', str(type([])), type(None), type(A).__name__, [type(3)], type(datetime.date(2020,1,1)) if 0 else 1)
try: raise MyErr('x')
except MyErr as e: print(type(e), type(e).__name__, type(e) is MyErr)
try: int('x')
except Exception as e: print(type(e), e.__class__, e.__class__.__name__)
# ---
class A:
    def go(self): return 1
    def run(self, f): return f.__name__
print(A().run(len), A.go.__name__, A().go.__name__)
# ---
from enum import Enum
class E(Enum):
    A = 1
class MyErr(Exception):
    def __init__(self, m, code): super().__init__(m); self.code = code
try: raise MyErr('x', 3)
except Exception as e: print(type(e).__name__, e.__class__.__name__, type(e), e.__class__ is MyErr, e.code, type(E.A) is E, E.A.__class__, type(3).__name__, type(E.A).__name__)
# ---
try: 1/0
except Exception as e: print(e.__class__.__name__, type(e).__name__, e.__class__, repr(e))
class A(Exception): pass
# ---
import copy
class L:
    def __init__(self, n): self.n = n
    def handle(self): return self.n
a = L(1); f = a.handle
b, c = copy.deepcopy(a), copy.copy(a)
b.n, c.n = 2, 3
g, h = b.handle, c.handle
print(f(), g(), h(), f == a.handle, g == a.handle, h in [a.handle, b.handle], a.handle in [f])
a.handle = lambda: 'own'
k = a.handle
print(k(), k == f, b.handle == g)
# ---
from collections.abc import Iterable, Sized, Iterator, Callable
import datetime, io, itertools
class Rows:
    def __iter__(self): return iter([1])
    def __len__(self): return 1
class Greeting:
    def __call__(self): return 1
def numbers(): yield 1
values = [Rows(), Greeting(), [1], 5, 'a', None, numbers(), map(str, [1]), (x for x in [1]), zip([1]), iter([1]), range(2), {1}, {}.keys()]
values += [datetime.date(2020, 1, 1), len, numbers, Rows, lambda: 1, itertools.count(), 2.5, True, ValueError('x'), io.StringIO('a')]
values += [itertools.chain([1]), itertools.islice([1], 1), itertools.groupby([1]), itertools.product([1]), reversed([1]), iter({}.items()), enumerate([])]
print([[isinstance(x, Iterable), isinstance(x, Sized), isinstance(x, Iterator), isinstance(x, Callable)] for x in values])
print([isinstance(x, (int, Iterable)) for x in values], [isinstance(x, Iterable | None) for x in values[:6]])
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
# ---
from functools import cached_property


class Report:
    made = 0

    def __init__(self, rows):
        self.rows = rows

    @cached_property
    def total(self):
        Report.made += 1
        return sum(self.rows)

    @cached_property
    def double(self):
        return self.total * 2


report = Report([1, 2])
print(report.total, report.total, Report.made)
print(report.double)
