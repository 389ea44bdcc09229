# A context that a generator makes is entered before its yield, and left behind it, whatever happens.
from contextlib import contextmanager
@contextmanager
def opened(x):
    print('in', x)
    try:
        yield x + 1
    finally:
        print('out')
with opened(1) as v, opened(2): print(v)
try:
    with opened(3): raise ValueError('boom')
except ValueError as e: print('caught', e)
def f():
    with opened(5) as x: return x
print(f())
for i in range(3):
    with opened(i):
        if i == 1: continue
        if i == 2: break
# ---
# swallow
import contextlib
@contextlib.contextmanager
def quiet(kind, log):
    try:
        yield
    except kind as error:
        log.append(str(error))
log = []
with quiet(ValueError, log):
    raise ValueError('a')
try:
    with quiet(ValueError, log):
        raise KeyError('b')
except KeyError as e: print('key', e)
print(log)
# ---
# other error
from contextlib import contextmanager
@contextmanager
def turning():
    try:
        yield
    except ValueError as error:
        raise KeyError('turned')
try:
    with turning(): int('x')
except KeyError as e: print(e)
# ---
# no yield
from contextlib import contextmanager
@contextmanager
def none():
    if False: yield
try:
    with none(): pass
except RuntimeError as e: print(e)
@contextmanager
def twice():
    yield 1
    yield 2
try:
    with twice(): pass
except RuntimeError as e: print(e)
# ---
# own error
from contextlib import contextmanager
class Mine(Exception): pass
@contextmanager
def quiet():
    try:
        yield 1
    except Mine as e:
        print('mine', e)
with quiet():
    raise Mine('x')
# ---
# return in swallow
from contextlib import contextmanager
@contextmanager
def quiet():
    try:
        yield 1
    except ValueError:
        return
    print('end')
with quiet(): raise ValueError
with quiet(): pass
# ---
# suppress base
from contextlib import suppress, closing
class T:
    def close(self): print('closed')
with closing(T()) as t: print(type(t).__name__)
with suppress(LookupError): {}['a']
with suppress(): pass
