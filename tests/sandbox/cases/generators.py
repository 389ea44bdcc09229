# A generator gives one value after the other, and goes on where it stopped.
def countdown(n):
    print('start')
    while n > 0:
        yield n
        n -= 1
    print('end')

for x in countdown(3):
    print('got', x)
list(countdown(2)), sum(countdown(4))
# ---
def evens():
    n = 0
    while True:
        if n % 2:
            n += 1
            continue
        yield n
        n += 1

g = evens()
[next(g), next(g), next(g)]
# ---
def echoing():
    received = []
    while True:
        x = yield received
        if x is None:
            return 'done'
        received.append(x)

g = echoing()
print(next(g))
print(g.send(1), g.send('b'))
next(g, 'over'), next(g, 'over')
# ---
def inner():
    got = yield 1
    print('inner got', got)
    try:
        yield 2
    except ValueError as e:
        print('caught', e)
        yield 'after'
    return 'result'

def outer():
    value = yield from inner()
    print('value', value)
    yield from [10, 20]
    yield from 'ab'

g = outer()
print(next(g), g.send('hello'), g.throw(ValueError('boom')))
list(g)
# ---
def guarded():
    try:
        yield 1
        yield 2
    finally:
        print('clean')

g = guarded()
next(g)
g.close()
g.close()
print(next(g, None))
list(guarded())
# ---
def handlers(xs):
    for x in xs:
        try:
            yield 10 / x
        except ZeroDivisionError as e:
            yield str(e)
            continue
        else:
            yield 'fine'
        finally:
            print('finally', x)
    else:
        yield 'done'

list(handlers([1, 0, 5]))
# ---
def broken(xs):
    for i, x in enumerate(xs):
        if x is None:
            break
        yield i, x
    else:
        yield 'never'
    yield 'end'

list(broken([1, None, 2])), list(broken([1]))
# ---
def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)

list(tree(3))
# ---
def matched(xs):
    for x in xs:
        match x:
            case [a, b]:
                yield a + b
            case {'k': v}:
                yield v
            case str() as s if s:
                y = yield s
                yield y
            case _:
                yield None

list(matched([[1, 2], {'k': 3}, 'x', '', 5]))
# ---
class Bag:
    def __init__(self, *items):
        self.items = items

    def __iter__(self):
        for item in self.items:
            yield item

    def pairs(self, start=0):
        """Pairs."""
        n = start
        for item in self:
            yield n, item
            n += 1

b = Bag('a', 'b')
[x for x in b], dict(b.pairs(5)), 'b' in b, list(zip(b, b))
# ---
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b

from itertools import islice, takewhile
list(islice(fib(), 10)), list(takewhile(lambda x: x < 30, fib())), next(x for x in fib() if x > 100)
# ---
def gen():
    x = 1
    def bump():
        nonlocal x
        x += 10
    yield x
    bump()
    yield x
    fs = [lambda: x]
    yield fs[0]()

list(gen())
# ---
def g():
    return 5
    yield

def h():
    yield

list(g()), list(h())
# ---
def fails():
    yield 1
    raise ValueError('inside')

g = fails()
print(next(g))
try:
    next(g)
except ValueError as e:
    print(e)
next(g, 'over')
# ---
def running():
    yield next(g)

g = running()
try:
    next(g)
except ValueError as e:
    print(e)
# ---
def stops():
    yield 1
    next(iter([]))

try:
    list(stops())
except RuntimeError as e:
    print(e)
# ---
class Room:
    def __init__(self, name):
        self.name = name
    def __enter__(self):
        print('enter', self.name)
        return self.name
    def __exit__(self, kind, error, trace):
        print('exit', self.name, None if kind is None else kind.__name__)
        return self.name == 'soft'

def visits():
    with Room('a') as a, Room('b'):
        yield a
        yield 2
    with Room('soft'):
        yield 3
        raise KeyError('x')
    yield 4

list(visits())
# ---
def averager():
    total = count = 0
    average = None
    while True:
        total += yield average
        count += 1
        average = total / count

next(averager())
# ---
async def numbers(n):
    for i in range(n):
        await echo(i)
        yield i

async for x in numbers(3):
    print(x)
else:
    print('over')
[x * 2 async for x in numbers(2)]
# ---
async def chained(n):
    async for x in inner(n):
        if x == 1:
            continue
        try:
            yield await add(x, 1)
        finally:
            print('f', x)

async def inner(n):
    for i in range(n):
        yield i

[x async for x in chained(3)]
# ---
def early(xs):
    for x in xs:
        if x > 2:
            return
        for y in range(x):
            if y == 1:
                break
            yield x, y

list(early([1, 2, 3, 1]))
# ---
def default(n=3, *args, key='k', **rest):
    yield n
    yield args
    yield key, rest

list(default()), list(default(1, 2, key=3, z=4))
# ---
def deep():
    while True:
        while True:
            x = yield
            if x == 'out':
                break
            if x == 'end':
                return
            print('in', x)
        print('left')

g = deep()
next(g)
g.send(1)
g.send('out')
g.send(2)
next(g)
try:
    g.send('end')
except StopIteration:
    print('over')
# ---
def reraises():
    try:
        1 / 0
    except ZeroDivisionError:
        yield 'handling'
        raise

g = reraises()
print(next(g))
try:
    next(g)
except ZeroDivisionError as e:
    print('again', e)
# ---
def ignores():
    try:
        yield 1
    except GeneratorExit:
        print('leaving')
        raise

g = ignores()
next(g)
g.close()
print('closed')
# ---
def gen(n):
    print('open', n)
    try:
        for i in range(n):
            yield i
    finally:
        print('closed', n)
for x in gen(3):
    print(x)
    break
print('after')
def f():
    for x in gen(4):
        if x == 1:
            return """a
b"""
print(f())
try:
    for x in gen(2):
        raise ValueError('v')
except ValueError as e: print(e)
for x in gen(1): print('one', x)
else: print('else')
for a in gen(2):
    for b in gen(3):
        if b: break
    else:
        print('no')
print(list(gen(2)), sum(gen(3)), [x for x in gen(1)], sorted(gen(2)))
def outer():
    for x in gen(3):
        yield x * 2
o = outer()
print(next(o))
o.close()
def g2():
    yield from gen(2)
for x in g2():
    print(x)
# ---
from contextlib import closing
def gen():
    try:
        yield 1
        yield 2
    finally:
        print('closed')
def f():
    with closing(gen()) as g:
        return next(g)
print(f())
def h():
    g = gen()
    x = next(g)
    g.close()
    return x
print(h())
# ---
def gen():
    try:
        yield 1
    finally:
        print('closed')
def f():
    return next(gen())  ### contextlib.closing
f()
# ---
async def gen():
    try:
        yield 1
        yield 2
    finally:
        print('closed')
async for x in gen():
    break
# ---
async def gen():
    try:
        yield 1
        yield 2
    finally:
        print('closed')
async for x in gen():
    print(x)
print([x async for x in gen()])
# ---
class Tree:
    def __init__(self, v, kids=()): self.v, self.kids = v, kids
    def walk(self):
        print('enter', self.v)
        try:
            yield self.v
            for k in self.kids:
                yield from k.walk()
        finally:
            print('leave', self.v)
t = Tree(1, [Tree(2), Tree(3)])
for v in t.walk():
    if v == 2: break
print('end')
# ---
def g():
    try:
        yield 1
        yield 2
    finally:
        print('closed')
def total(it):
    return sum(it)
def doubled(it):
    for x in it:
        yield x*2
print(total(g()), list(doubled(g())))
# ---
def gen():
    got = yield 1
    return ('done', got)
g = gen()
next(g)
try:
    g.send('x')
except StopIteration as stop:
    print(stop.value, stop.args, stop, repr(stop))
try:
    next(g)
except StopIteration as stop:
    print(stop.value, stop.args)
def outer():
    r = yield from gen()
    return r, 'o'
print(list(outer()))
o = outer()
out = []
while True:
    try: out.append(next(o))
    except StopIteration as e:
        out.append(e.value)
        break
print(out)
def drive(g):
    def value_of(e): return e.value
    try:
        while True: next(g)
    except StopIteration as e:
        return value_of(e)
print(drive(outer()), drive(iter([])), [x for x in outer()], next(outer(), None))
class It:
    def __iter__(self): return self
    def __next__(self): raise StopIteration('v')
try: next(It())
except StopIteration as e: print(e.value, e)
def thrower():
    try: yield 1
    except KeyError: return 'caught'
t = thrower(); next(t)
try: t.throw(KeyError('k'))
except StopIteration as e: print(e.value)
t = thrower(); next(t); t.close()
# ---
def g():
    yield 1
    return 'end'
it = g()
next(it)
try: next(it)
except (StopIteration, ValueError) as e: print('x', e)
for x in g(): print(x)
a, = g()
print(dict(zip('a', g())), sum(g()), a)
def inner():
    try: yield from g()
    except StopIteration as e: print(e.value)
print(list(inner()))
# ---
def g():
    for i in range(5):
        if i == 1: continue
        try:
            if i == 3: continue
            yield i
        finally:
            print('f', i)
        if i == 4: break
    else:
        yield 'else'
    print('end')
print(list(g()))
# ---
def g(n):
    while n:
        n -= 1
        got = yield n
        if got == 'stop': return 'stopped'
    else:
        yield 'none left'
    return 'done'
def run():
    r = yield from g(3)
    print('r', r)
    r = yield from g(1)
    print('r', r)
it = run()
print(next(it), it.send('stop'), list(it))
# ---
def g(x):
    match x:
        case [a, *rest]:
            yield a
            yield from g(rest)
        case {'k': v, **more}:
            yield v
            yield more
        case str() as s if s:
            yield s.upper()
        case _:
            yield 'other'
print(list(g([1, 2])), list(g({'k': 1, 'z': 2})), list(g('a')), list(g(5)))
# ---
def g():
    try:
        x = yield 1
        print('x', x)
        raise ValueError('a')
    except ValueError as e:
        y = yield f'caught {e}'
        print('y', y)
        try:
            yield 'inner'
        except KeyError:
            yield 'key'
    except TypeError:
        yield 'type'
    else:
        yield 'else'
    yield 'after'
it = g()
print(next(it), it.send(5), it.send(6), it.throw(KeyError('k')), list(it))
it = g(); next(it)
print(it.throw(TypeError), list(it))
# ---
def g():
    try:
        yield 1
    except ValueError:
        try:
            yield 'in'
            raise
        except ValueError as e:
            print('again', e)
it = g(); next(it); print(it.throw(ValueError('v'))); print(list(it))
# ---
class Ctx:
    def __init__(self, n): self.n = n
    def __enter__(self): print('enter', self.n); return self.n
    def __exit__(self, t, e, tb): print('exit', self.n, t is not None, e); return self.n == 2
def g():
    with Ctx(1) as a, Ctx(2) as b:
        yield a + b
        yield 'more'
    with Ctx(3):
        return 'r'
it = g(); print(next(it), it.throw(ValueError('x'), ) if False else next(it))
print(list(it))
it = g(); next(it)
try: print(it.throw(ValueError('boo')))
except StopIteration as e: print('stop', e.value)
# ---
def g():
    total = 0
    while True:
        total += yield total
        if total > 5: break
    return (yield 'ret')
it = g(); print(next(it))
for v in [3, 4]:
    print(it.send(v))
try: it.send('R')
except StopIteration as e: print(e.value)
# ---
def f():
    def inner():
        nonlocal n
        n += 1
        yield n
    n = 0
    return [*inner(), *inner()], n
print(f())
count = 0
def g():
    global count
    for _ in range(3):
        count += 1
        yield count
print(list(g()), count)
# ---
class Tree:
    def __init__(self, v, kids=()): self.v, self.kids = v, kids
    def __iter__(self):
        yield self.v
        for k in self.kids: yield from k
    @property
    def leaves(self):
        return (k.v for k in self.kids if not k.kids)
    @staticmethod
    def up(n):
        while n > 0:
            yield n
            n -= 1
    @classmethod
    def of(cls, *vs):
        for v in vs: yield cls(v)
t = Tree(1, (Tree(2), Tree(3, (Tree(4),))))
print(list(t), sum(t), 4 in t, max(t), [*t.leaves], list(Tree.up(3)), [x.v for x in Tree.of(7, 8)], sorted(t, reverse=True))
a, *b = t
print(a, b, dict(enumerate(t)), set(t), ','.join(map(str, t)), any(x > 3 for x in t), list(zip(t, t)))
# ---
from contextlib import contextmanager
@contextmanager
def managed(name):
    print('open', name)
    try:
        yield name.upper()
    except ValueError as e:
        print('swallowed', e)
    finally:
        print('close', name)
with managed('a') as x, managed('b') as y:
    print(x, y)
    raise ValueError('v')
print('on')
# ---
def g():
    yield
    return
    yield
def empty():
    return
    yield
def gen_default(a, *args, k=1, **kw):
    yield a, args, k, kw
print(list(g()), list(empty()), list(gen_default(1, 2, k=3, z=4)), next(empty(), 'd'))
# ---
def primes():
    found = []
    n = 2
    while True:
        if all(n % p for p in found):
            found.append(n)
            yield n
        n += 1
import itertools
print(list(itertools.islice(primes(), 5)), list(itertools.takewhile(lambda p: p < 12, primes())), next(p for p in primes() if p > 20))
a, b = itertools.tee(itertools.islice(primes(), 3))
print(list(a), list(b), list(itertools.chain(primes_ := [1], itertools.islice(primes(), 2))), dict(zip('abc', primes())))
for i, p in enumerate(primes()):
    if i == 2: break
    print(i, p)
for k, grp in itertools.groupby(itertools.islice(primes(), 6), key=lambda p: p % 4):
    print(k, list(grp))
# ---
import asyncio
async def ticks(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
class Count:
    def __init__(self, n): self.n = n
    def __aiter__(self): return self
    async def __anext__(self):
        if self.n <= 0: raise StopAsyncIteration
        self.n -= 1
        return self.n
class Pages:
    def __init__(self, n): self.n = n
    async def __aiter__(self):
        for i in range(self.n):
            yield i * 10
async def main():
    out = []
    async for x in ticks(4):
        if x == 1: continue
        if x == 3: break
        out.append(x)
    else:
        out.append('else')
    async for x in Count(2): out.append(x)
    else: out.append('over')
    out += [x async for x in Pages(2)]
    out.append({x: y async for x in ticks(2) for y in 'ab'})
    out.append([await asyncio.sleep(0, x) async for x in ticks(3) if x])
    g = ticks(2)
    out.append(await anext(g)); out.append(await anext(g)); out.append(await anext(g, 'none'))
    try: await anext(g)
    except StopAsyncIteration: out.append('stopped')
    h = ticks(3); await h.__anext__(); await h.aclose(); out.append([x async for x in h])
    return out
print(await main())
print(await asyncio.gather(main(), main()))
# ---
async def pages(n):
    for p in range(n):
        yield await echo(p)
async def users():
    async for p in pages(2):
        for u in await list_users():
            yield p, u['name']
print([x async for x in users()])
async for p, name in users():
    print(p, name)
    if name == 'Bob': break
rows = [(await get_user(i + 1))['name'] async for i in pages(3)]
print(rows, sum([x async for x in pages(3)]))
# ---
g = (x * y for x in range(3) if x for y in range(3) if y > 1 if y != 5)
print(next(g), list(g), list(g))
print(sum(x for x in range(5)), max((x for x in []), default=0), dict((k, v) for k, v in [(1, 2)]), ''.join(c for c in 'ab'), set(x % 2 for x in range(4)), tuple(x for x in 'a'), sorted((x for x in [2, 1])), list(x for x in [1]))
first, second = (x for x in [1, 2])
print(first, second, [*(x for x in 'ab')])
def total(values): return sum(values)
print(total(x for x in [1, 2]), any(x > 1 for x in [1, 2, None]), all(x for x in [1, 0, 1/1]), next((x for x in []), 'none'))
xs = [1, 2]
h = (x for x in xs)
xs.append(3)
print(list(h))
xs = [9]
try: k = (x for x in 5)
except TypeError as e: print('type', e)
# ---
class Deck:
    def __init__(self): self.cards = ['a', 'b', 'c']
    def __len__(self): return len(self.cards)
    def __getitem__(self, i): return self.cards[i]
d = Deck()
for c in d: print(c)
print(list(d), [*reversed(d)], 'b' in d, sorted(d, reverse=True), list(enumerate(d)), next(iter(d)), max(d))
# ---
it = iter([1, 2, 3])
for x in it:
    print(x, next(it, None))
chunks = iter(lambda: next(it2, ''), '')
it2 = iter(['a', 'b', '', 'c'])
print(list(chunks))
m = map(lambda x, y: x + y, [1, 2, 3], [10, 20])
print(list(m), list(m))
f = filter(None, [0, 1, '', 2]); print(next(f), list(f))
z = zip([1, 2], 'ab'); next(z); print(list(z), list(z))
print(list(map(str.upper, ['a'])), list(zip(*[(1, 2), (3, 4)])), dict(zip('ab', range(2))), list(zip([1], [2], strict=True)))
args = [iter([1, 2, 3, 4])] * 2
print(list(zip(*args)))
# ---
def g():
    try:  ### A yield can be neither a part of something else here, nor in finally.
        yield 1
    finally:
        yield 2
print(list(g()))
# ---
f = lambda: (yield 1)  ### Write a function with def.
print(list(f()))
# ---
def g():
    print(len('a'), (yield 1))  ### Write name = yield value on a line of its own before
print(list(g()))
# ---
def g():
    x = [1] and (yield 2) if len('a') else 3  ### Write name = yield value on a line of its own before
print(list(g()))
# ---
class AppError(Exception):
    def __init__(self, code): super().__init__(f'code {code}'); self.code = code
def g():
    for i in range(3):
        try:
            yield i
            if i == 1: raise AppError(7)
        except AppError as e:
            yield f'handled {e.code}'
        except (KeyError, ValueError) as e:
            yield type(e).__name__
        else:
            print('fine', i)
        finally:
            print('cleanup', i)
print(list(g()))
it = g(); next(it)
print(it.throw(AppError(9)), next(it), it.throw(KeyError('k')))
it.close()
def h():
    yield 1
    raise AppError(3)
try:
    for x in h(): print(x)
except AppError as e: print(e.code, e)
# ---
from contextlib import contextmanager, suppress, ExitStack
class Err(Exception): pass
@contextmanager
def tx(log):
    log.append('begin')
    try:
        yield log
    except Err as e:
        log.append(f'rollback {e}')
        raise
    else:
        log.append('commit')
    finally:
        log.append('close')
log = []
with tx(log) as l: l.append('work')
with suppress(Err):
    with tx(log): raise Err('bad')
print(log)
def lines():
    with tx(log) as l:
        yield 'a'
        with suppress(ValueError):
            yield 'b'
            raise ValueError
        yield 'c'
print(list(lines()), log[-3:])
with ExitStack() as stack:
    stack.enter_context(tx(log))
print(log[-1])
# ---
def walk(n):
    if n: 
        yield n
        yield from walk(n - 1)
print(sum(walk(60)), len(list(walk(60))))
def flatten(x):
    for i in x:
        if isinstance(i, list): yield from flatten(i)
        else: yield i
print(list(flatten([1, [2, [3, [4]], 5]])))
def perms(xs):
    if len(xs) <= 1:
        yield xs
    else:
        for i in range(len(xs)):
            for p in perms(xs[:i] + xs[i+1:]):
                yield [xs[i]] + p
print(list(perms([1, 2, 3])))
# ---
from dataclasses import dataclass, field
from typing import Iterator
@dataclass
class Node:
    v: int
    left: 'Node | None' = None
    right: 'Node | None' = None
    def __iter__(self) -> Iterator[int]:
        if self.left: yield from self.left
        yield self.v
        if self.right: yield from self.right
t = Node(2, Node(1), Node(4, Node(3)))
print(list(t), [x for x in t if x % 2], max(t), 3 in t, dict(zip(t, 'abcd')), sorted(t, key=lambda x: -x))
a, b, *c = t
print(a, b, c, next(iter(t)), any(x > 3 for x in t), sum(x * x for x in t))
# ---
import functools
def logged(f):
    @functools.wraps(f)
    def inner(*a, **k):
        print('call')
        yield from f(*a, **k)
        print('done')
    return inner
@logged
def nums(n):
    for i in range(n): yield i
print(list(nums(2)))
def coroutine(f):
    def start(*a):
        g = f(*a); next(g); return g
    return start
@coroutine
def averager():
    total = n = 0
    avg = None
    while True:
        x = yield avg
        total += x; n += 1
        avg = total / n
c = averager(); print(c.send(10), c.send(20))
# ---
def batches(xs, n):
    batch = []
    for x in xs:
        batch.append(x)
        if len(batch) == n:
            yield batch
            batch = []
    if batch: yield batch
def pipeline(rows):
    good = (r for r in rows if r['ok'])
    named = ({**r, 'n': r['n'].upper()} for r in good)
    for b in batches(named, 2):
        yield [r['n'] for r in b]
rows = [{'ok': i % 3 != 0, 'n': f'u{i}'} for i in range(8)]
for b in pipeline(rows): print(b)
for i, (k, v) in enumerate({'a': 1, 'b': 2}.items(), start=1): print(i, k, v)
for a, b in zip(rows, rows[1:]): pass
print(a['n'], b['n'], [(i, r['n']) for i, r in enumerate(rows[:2])], list(reversed([r['n'] for r in rows]))[:2])
lines = iter(['h', '1', '2', '', 'x'])
header = next(lines)
for line in lines:
    if not line: break
    print(header, line)
print(list(lines))
# ---
import asyncio
async def producer(q, n):
    for i in range(n):
        await q.put(i)
    await q.put(None)
async def consume(q):
    while (item := await q.get()) is not None:
        yield item
async def main():
    q = asyncio.Queue(2)
    task = asyncio.create_task(producer(q, 4))
    out = [x async for x in consume(q)]
    await task
    sem = asyncio.Semaphore(2)
    async def one(i):
        async with sem:
            return await slow(i)
    async def stream(xs):
        for x in xs:
            yield await one(x)
    got = sorted([x async for x in stream([3, 1, 2])])
    return out, got
print(await main())
# ---
class AsyncCtx:
    async def __aenter__(self): print('in'); return self
    async def __aexit__(self, *a): print('out', a[0] is not None)
async def rows():
    async with AsyncCtx():
        for i in range(3):
            yield await echo(i)
async for r in rows(): print(r)
async def paged():
    page = 0
    while True:
        got = await list_users()
        if page >= 2: return
        for u in got[page:page + 2]: yield u
        page += 1
names = {u['name'] async for u in paged()}
print(sorted(names), [u['age'] async for u in paged() if u['team'] == 'core'])
