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
def gen():
    try:
        yield 1
    finally:
        print('closed')
def f():
    return next(gen())  ### contextlib.closing
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
# ---
f = lambda: (yield 1)  ### Write a function with def.
# ---
def g():
    x = [1] and (yield 2) if len('a') else 3  ### Write name = yield value on a line of its own before
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
# A generator that is left early cleans up, and so does the one that it goes through.
def inner():
    try:
        yield 1
        yield 2
    finally: print('clean')
def outer():
    for x in inner(): yield x
for y in outer():
    print(y)
    break
print('end')
