def a():
    raise ValueError('deep')
def b():
    try: a()
    except ValueError as e: raise RuntimeError('b failed') from e
def c():
    try: b()
    except RuntimeError as e: raise LookupError('c failed') from e
try: c()
except LookupError as e:
    while e:
        print(type(e).__name__, e)
        e = e.__cause__
# ---
import traceback
try:
    int('x')
except ValueError as e:
    print(e.__class__.__name__, type(e).__name__, e.__class__ is ValueError, isinstance(e, ValueError))
# ---
x = None
try:
    x.foo()
except AttributeError as e:
    print(e)
try:
    x[0]
except TypeError as e:
    print(e)
try:
    undefined_name
except NameError as e:
    print(e)
# ---
import json
try:
    json.loads('{bad')
except json.JSONDecodeError as e:
    print(type(e).__name__, e.msg, e.pos, e.lineno, e.colno, isinstance(e, ValueError))
except ValueError as e:
    print('value')
# ---
import sys
def f(n):
    try:
        if n: sys.exit(n)  ### There is no sys.exit here
    except Exception:
        print('no')
    finally:
        print('finally')
f(3)
# ---
try:
    int('x')
except Exception as e:
    print(e.__class__ is ValueError, type(e) is ValueError, type(e) in (KeyError, ValueError), type(e) == KeyError)
# ---
from functools import cached_property
mark = cached_property  ### cached_property can only be a decorator of a method here
class Report:
    @mark
    def total(self): return 1
print(Report().total)
# ---
try:
    print(_classes__read)  ### Names like _classes__read are used inside
except NameError as _a__b:  ### Names like _a__b are used inside
    pass
# ---
import itertools, time
def slow():
    time.sleep(0.001)
    yield 1
numbers = slow()
list(itertools.chain(numbers, [2]))  ### What it goes over waits, which itertools cannot
