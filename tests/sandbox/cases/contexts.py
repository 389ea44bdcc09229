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
# suppress base
from contextlib import suppress, closing
class T:
    def close(self): print('closed')
with closing(T()) as t: print(type(t).__name__)
with suppress(LookupError): {}['a']
with suppress(): pass
# ---
import contextlib
from contextlib import ExitStack, suppress
class C:
    def __init__(self, n, quiet=False): self.n, self.quiet = n, quiet
    def __enter__(self):
        print('enter', self.n)
        return self
    def __exit__(self, t, e, tb):
        print('exit', self.n, t and t.__name__, e)
        return self.quiet
try:
    with ExitStack() as s:
        s.enter_context(C(1))
        s.push(C(2, True))
        s.push(lambda t, e, tb: print('pushed', t and t.__name__))
        s.callback(lambda *a, **k: print(a, k), 1, b=2)
        raise KeyError('z', 1)
except KeyError as e:
    print('out', e)
print('next')
with ExitStack() as s:
    s.enter_context(suppress(ValueError))
    raise ValueError('x')
s = ExitStack()
s.enter_context(C(5))
s.close()
def fails(): raise RuntimeError('in callback')
try:
    with ExitStack() as s:
        s.enter_context(C(6))
        s.callback(fails)
except RuntimeError as e: print(repr(e))
# ---
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
@asynccontextmanager
async def opened(n, quiet=False):
    print('in', n)
    try:
        yield n
    except ValueError as e:
        print('caught', n, e)
        if not quiet: raise
    finally:
        await echo(n)
        print('out', n)
async with AsyncExitStack() as s:
    a = await s.enter_async_context(opened(1, True))
    b = await s.enter_async_context(opened(2))
    c = await s.enter_async_context(nullcontext(5))
    print(a, b, c)
    raise ValueError('x', 3)
print('after')
async with AsyncExitStack() as s:
    xs = [await s.enter_async_context(opened(i)) for i in range(3)]
    s.callback(print, 'sync')
    async def bye(*args): print('bye', args)
    s.push_async_callback(bye, 1, 2)
    async def pushed(t, e, tb):
        print('pushed', t, e)
    s.push_async_exit(pushed)
print(xs)
# ---
from contextlib import asynccontextmanager
@asynccontextmanager
async def none():
    if False: yield
try:
    async with none(): pass
except RuntimeError as e: print(e)
@asynccontextmanager
async def twice():
    yield 1
    yield 2
try:
    async with twice(): pass
except RuntimeError as e: print(e)
@asynccontextmanager
async def swallow():
    try:
        yield
    except KeyError: pass
async with swallow():
    {}['a']
try:
    async with swallow():
        raise ValueError('other')
except ValueError as e: print(repr(e))
class Mine(Exception): pass
@asynccontextmanager
async def turns():
    try:
        yield
    except ValueError as e:
        raise Mine('turned') from e
try:
    async with turns():
        raise ValueError('v')
except Mine as e: print(repr(e), repr(e.__cause__))
# ---
from contextlib import contextmanager, asynccontextmanager
@contextmanager
def tag(name):
    print('in', name)
    try: yield name
    except ValueError as e: print('caught', e)
    finally: print('out')
@tag('x')
def f(a, *rest, k=1):
    if a < 0: raise ValueError('neg')
    if a == 0: raise KeyError('z')
    return a, rest, k
print(f(1), f(2, 3, k=4), f(-1))
try: f(0)
except KeyError as e: print(repr(e))
def deco():
    return tag('late')
h = deco()(lambda: 'called')
print(h(), h())
with tag('plain') as t: print(t)
# ---
from contextlib import contextmanager, asynccontextmanager
class Base:
    log = []
class DB(Base):
    def __init__(self, name): self.name = name
    @contextmanager
    def tx(self, what, *, dry=False):
        self.log.append(f'begin {what} {dry}')
        try: yield self
        except ValueError as e: self.log.append(f'rollback {e}'); raise
        else: self.log.append('commit')
        finally: self.log.append('end')  # always
    @asynccontextmanager
    async def conn(self):
        self.log.append('open')
        try: yield await echo(value=self.name)
        finally: self.log.append('close')
class Child(DB):
    @contextmanager
    def tx(self, what, **kw):
        with super().tx(what.upper(), **kw) as t: yield t
db = DB('x')
with db.tx('a', dry=True) as d: d.log.append('in')
try:
    with Child('c').tx('b'): raise ValueError('v')
except ValueError as e: print('out', e)
async with db.conn() as v: print(v)
print(db.log, Child('q').log is db.log)
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
