# with N = 1, 2, 3
import asyncio
from dataclasses import dataclass, field
@dataclass
class Result:
    ok: list = field(default_factory=list)
    errors: dict = field(default_factory=dict)
async def process(item, result):
    try:
        value = await (fail(item, 0.3, 'KeyError') if item == f'i{N}' else tool(item, 0.3))
        result.ok.append(value)
    except KeyError as e:
        result.errors[item] = str(e)
r = Result()
await asyncio.gather(*[process(f'i{i}', r) for i in range(4)])
print(r, r.ok, r.errors)
# ---
# with N = 1, 2
import asyncio
import functools
def retry(times, exceptions=(Exception,), delay=0.1):
    def deco(fn):
        @functools.wraps(fn)
        async def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return await fn(*args, **kwargs)
                except exceptions as e:
                    print(f'attempt {attempt} failed: {e!r}')
                    if attempt == times:
                        raise
                    await asyncio.sleep(delay * 2 ** (attempt - 1))
        return wrapper
    return deco
state = {'n': 0}
@retry(3, (ValueError, LookupError))
async def unstable(name):
    state['n'] += 1
    if state['n'] <= N:
        await fail(f'{name}{state["n"]}', 0.2, 'KeyError')
    return await tool(name, 0.2)
print(await unstable('u'))
@retry(2, (ValueError,))
async def wrong(): await fail('w', 0.1, 'TypeError')
try:
    await wrong()
except TypeError as e:
    print('not retried', repr(e))
# ---
# with N = 1, 2, 3
import asyncio
async def with_timeout(coro, seconds, default=None):
    try:
        return await asyncio.wait_for(coro, timeout=seconds)
    except asyncio.TimeoutError:
        return default
jobs = {f'j{i}': tool(f'j{i}', i) for i in range(1, 4)}
values = await asyncio.gather(*(with_timeout(c, N + 0.5, 'slow') for c in jobs.values()))
dict(zip(jobs, values))
# ---
# with N = 1, 2
import asyncio
class AsyncCache:
    def __init__(self, ttl): self.ttl, self.data, self.lock = ttl, {}, asyncio.Lock()
    async def get(self, key, loader):
        async with self.lock:
            if key in self.data: return self.data[key], True
        value = await loader(key)
        async with self.lock:
            self.data.setdefault(key, value)
        return value, False
cache = AsyncCache(5)
async def load(key): return await tool(key, N)
print(await cache.get('a', load), await cache.get('a', load))
print(await asyncio.gather(cache.get('b', load), cache.get('b', load)))
# ---
# with N = 1, 2, 3
import asyncio
async def walk(node, depth=0):
    if depth == N: return [await tool(f'{node}@{depth}', 0.1)]
    kids = await asyncio.gather(*(walk(f'{node}{c}', depth + 1) for c in 'ab'))
    return [x for k in kids for x in k]
print(await walk('r'))
# ---
# with N = 1, 2, 3
import asyncio
async def fetch_all(pages):
    cursor, out = 0, []
    while cursor is not None:
        out.append(await tool(f'page{cursor}', 0.2))
        cursor = cursor + 1 if cursor + 1 < pages else None
    return out
a, b = await asyncio.gather(fetch_all(N), fetch_all(2))
print(a, b)
# ---
# with N = 1, 2
import asyncio
async def cpu(n):
    total = 0
    for i in range(n):
        total += i
        if i % 10 == 0: await asyncio.sleep(0)
    return total
print(await asyncio.gather(cpu(50), tool('t', N), cpu(30)))
# ---
# with N = 0.5, 1.5
import asyncio
done = asyncio.Event()
async def watchdog():
    try:
        await asyncio.wait_for(done.wait(), 1)
        return 'finished in time'
    except asyncio.TimeoutError:
        return 'watchdog fired'
w = asyncio.create_task(watchdog())
await tool('job', N)
done.set()
print(await w)
# ---
# with N = 1, 2, 3
import asyncio
queue = asyncio.Queue()
async def producer(name, n):
    for i in range(n):
        await tool(f'{name}{i}', 0.3 + 0.1 * N)
        await queue.put(f'{name}{i}')
async def consumer():
    seen = []
    try:
        while True:
            item = await asyncio.wait_for(queue.get(), timeout=1)
            seen.append(item)
            queue.task_done()
    except asyncio.TimeoutError:
        return seen
_, _, seen = await asyncio.gather(producer('a', 2), producer('b', N), consumer())
sorted(seen)
# ---
# with N = 1, 2
import asyncio
class Service:
    def __init__(self, name): self.name = name
    async def __aenter__(self):
        await tool(f'start {self.name}', 0.2)
        return self
    async def __aexit__(self, exc_type, exc, tb):
        await tool(f'stop {self.name}', 0.1)
        print('exit', self.name, exc_type.__name__ if exc_type else None, exc)
        return exc_type is KeyError
    async def query(self, q): return await (fail(q, 0.1, 'KeyError') if q == 'bad' else tool(f'{self.name}:{q}', 0.1))
async with Service('db') as db, Service('api') as api:
    print(await db.query('x'))
    print(await api.query('bad' if N == 2 else 'y'))
print('after')
# ---
# with N = 1, 2, 3
import asyncio
async def child(i):
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        if i == N: raise ValueError(f'child {i} broke while stopping')
        raise
tasks = [asyncio.create_task(child(i)) for i in range(1, 3)]
await tool('x', 0.5)
for t in tasks: t.cancel()
out = await asyncio.gather(*tasks, return_exceptions=True)
print(out, [t.cancelled() for t in tasks])
# ---
# with N = 1, 2
import asyncio
async def leaf(): raise ValueError('leaf')
async def mid():
    try:
        await leaf()
    except ValueError as e:
        raise KeyError('mid') from e
async def top():
    try:
        await mid()
    except KeyError as e:
        raise RuntimeError('top') from (e if N == 1 else None)
try:
    await asyncio.create_task(top())
except RuntimeError as e:
    chain = []
    while e is not None:
        chain.append(repr(e))
        e = e.__cause__
    print(' <- '.join(chain))
# ---
# with N = 1, 2, 3
import asyncio
class RateLimit(Exception):
    def __init__(self, retry_after):
        super().__init__(f'retry after {retry_after}')
        self.retry_after = retry_after
n = 0
async def call():
    global n
    n += 1
    if n <= N: raise RateLimit(0.25 * n)
    return await tool('ok', 0.1)
async def polite():
    while True:
        try:
            return await call()
        except RateLimit as e:
            print(e, e.retry_after)
            await asyncio.sleep(e.retry_after)
try:
    async with asyncio.timeout(1):
        print(await polite())
except TimeoutError:
    print('gave up', n)
# ---
# with N = 1, 2
import asyncio
from contextlib import suppress
t = asyncio.create_task(tool('bg', 5))
await asyncio.sleep(N)
t.cancel()
with suppress(asyncio.CancelledError):
    await t
    print('never')
print(t.cancelled())
# ---
# with N = 1, 2, 3
import asyncio
async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0.1)
        yield i
async def doubled(src):
    async for x in src: yield x * 2
async def batched(src, size):
    batch = []
    async for x in src:
        batch.append(x)
        if len(batch) == size:
            yield batch
            batch = []
    if batch: yield batch
async for b in batched(doubled(numbers(5)), N):
    print(b, await tool(f'save{b}', 0.2))
# ---
# with N = 0, 1, 2
import asyncio
results = {}
async def runner(name, deps, started):
    for d in deps: await started[d].wait()
    results[name] = await tool(name, 0.5)
    started[name].set()
graph = {'a': [], 'b': ['a'], 'c': ['a'], 'd': ['b', 'c']}
events = {k: asyncio.Event() for k in graph}
await asyncio.gather(*(runner(k, v, events) for k, v in list(graph.items())[N:] + list(graph.items())[:N]))
print(list(results))
# ---
# with N = 1, 2
import asyncio
lock = asyncio.Lock()
balance = 100
async def withdraw(amount):
    global balance
    async with lock:
        current = balance
        await tool(f'check{amount}', 0.2)
        if current < amount: raise ValueError(f'only {current}, not {amount}')
        balance = current - amount
        return balance
print(await asyncio.gather(*(withdraw(40 * N) for _ in range(3)), return_exceptions=True), balance, lock.locked())
# ---
# with N = 1, 2, 3
import asyncio
sem = asyncio.Semaphore(2)
async def limited(i):
    async with sem, asyncio.timeout(N):
        return await tool(f's{i}', 0.5 + i)
print([r if isinstance(r, str) else type(r).__name__ for r in await asyncio.gather(*map(limited, range(4)), return_exceptions=True)])
# ---
# with N = 1, 2, 3
import asyncio
async def job(i):
    await tool(f'job{i}', 1.3 * i)
    return i
pending = {asyncio.create_task(job(i)) for i in range(1, 4)}
order = []
while pending:
    done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED, timeout=N)
    order.append(sorted(t.result() for t in done))
print(order)
# ---
# with N = 1, 2
import asyncio
async def a():
    async with asyncio.TaskGroup() as tg:
        t1 = tg.create_task(tool('one', 1))
        if str(N) == "2":
            raise LookupError('body')
        t2 = tg.create_task(tool('two', 1))
    return t1.result(), t2.result()
try:
    print(await a())
except* LookupError as eg:
    print(repr(eg), eg.exceptions[0].args)
# ---
# with N = 1, 2
import asyncio
async def main():
    t = asyncio.create_task(tool('x', 1))
    t2 = asyncio.create_task(tool('x2', 3))
    print(await asyncio.wait_for(asyncio.gather(t, t2), N + 1.5) if N == 2 else 'skip')
    try:
        await asyncio.wait_for(t2, 0.5)
    except TimeoutError:
        print('late', t2.cancelled())
await main()
# ---
# with N = 1, 2, 3
import asyncio, random
random.seed(N)
async def worker(n, q, out):
    while not q.empty():
        x = q.get_nowait()
        try:
            if x % 4 == N: raise ValueError(x)
            out.append((n, x, await tool(f't{x}', 0.1 * (x + 1))))
        except ValueError as e:
            out.append((n, x, repr(e)))
        finally:
            q.task_done()
q = asyncio.Queue()
for x in range(6): await q.put(x)
out = []
await asyncio.gather(*(worker(n, q, out) for n in range(2)))
await q.join()
print(out, q.qsize())
# ---
# with N = 1, 2
import asyncio
calls = []
async def traced(name, coro):
    calls.append(f'>{name}')
    try:
        result = await coro
    except BaseException as e:
        calls.append(f'!{name} {type(e).__name__} {e}')
        raise
    else:
        calls.append(f'<{name}')
        return result
try:
    await asyncio.gather(traced('a', tool('a', N)), traced('b', fail('b', 1.5)), traced('c', tool('c', 3)))
except ValueError as e:
    print(repr(e))
print(calls)
await asyncio.sleep(3)
print(calls)
# ---
# with N = 0, 1, 2
import asyncio
async def attempt(i):
    if i < N: raise ConnectionError(f'refused {i}')
    return await tool(f'host{i}', 0.1)
async def connect(hosts):
    errors = []
    for h in hosts:
        try:
            return await attempt(h)
        except OSError as e:
            errors.append(e)
    raise ConnectionError('; '.join(map(str, errors)))
try:
    print(await connect(range(2)))
except ConnectionError as e:
    print(type(e).__name__, e, isinstance(e, OSError))
# ---
# with N = 1, 2, 3
import asyncio
async def ticker(n):
    for i in range(n):
        print('tick', i)
        await asyncio.sleep(1)
async def main():
    t = asyncio.create_task(ticker(5))
    r = await tool('w', N - 0.5)
    t.cancel()
    r2 = await asyncio.gather(t, return_exceptions=True)
    return r, r2, repr(r2[0])
print(await main())
# ---
# with N = 1, 2
import asyncio
async def outer():
    try:
        async with asyncio.timeout(2):
            try:
                async with asyncio.timeout(N - 0.5):
                    await tool('deep', 5)
            except TimeoutError:
                print('inner')
                await tool('fallback', 1.7)
    except TimeoutError:
        print('outer')
await outer()
# ---
# with N = 1, 2
import asyncio
async def f(x):
    if x < 0: raise ValueError(f'negative: {x}')
    return await tool(f'f{x}', 0.1)
tasks = {x: asyncio.create_task(f(x)) for x in (1, -N, 2)}
for x, t in tasks.items():
    try:
        print(x, await t)
    except ValueError as e:
        print(x, 'failed', e, t.exception() is not None)
