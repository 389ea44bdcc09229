import asyncio, random
from dataclasses import dataclass, field
@dataclass
class Stats:
    ok: int = 0
    failed: list = field(default_factory=list)
class Limiter:
    def __init__(self, n): self._sem = asyncio.Semaphore(n); self.peak = 0; self.now = 0
    async def __aenter__(self):
        await self._sem.acquire(); self.now += 1; self.peak = max(self.peak, self.now); return self
    async def __aexit__(self, t, e, tb):
        self.now -= 1; self._sem.release(); return False
async def retry(f, *args, times=3):
    for n in range(times):
        try:
            return await f(*args)
        except (ValueError, ConnectionError) as e:
            if n == times - 1: raise
            await asyncio.sleep(0.1 * 2 ** n)
async def main():
    lim, stats = Limiter(2), Stats()
    async def job(i):
        async with lim:
            try:
                r = await retry(fail if i % 3 == 0 else tool, f'j{i}', 0.2)
                stats.ok += 1
                return r
            except ValueError as e:
                stats.failed.append(str(e))
                return None
    out = await asyncio.gather(*[job(i) for i in range(6)])
    print(out, stats, lim.peak)
asyncio.run(main())
# ---
import asyncio
from contextlib import asynccontextmanager, contextmanager, suppress, closing, nullcontext, ExitStack, AsyncExitStack
@asynccontextmanager
async def session(name):
    await tool(f'open {name}', 0.1)
    try:
        yield name.upper()
    except ValueError as e:
        print('swallow', e)
    finally:
        await tool(f'close {name}', 0.1)
@contextmanager
def timer(label):
    print('start', label)
    try:
        yield {'label': label}
    finally:
        print('stop', label)
async def main():
    async with session('a') as a, session('b') as b:
        print(a, b)
        with timer('x') as t, suppress(KeyError):
            t['n'] = 1
            raise KeyError('gone')
        raise ValueError('bad')
    async with AsyncExitStack() as stack:
        names = [await stack.enter_async_context(session(n)) for n in 'cd']
        stack.callback(print, 'callback')
        stack.push_async_callback(tool, 'async callback', 0.1)
        print(names)
    with ExitStack() as stack:
        for i in range(2): stack.enter_context(timer(i))
    with nullcontext(5) as n: print(n)
await main()
# ---
import asyncio, time
async def main():
    loop = asyncio.get_event_loop()
    start = loop.time()
    done, pending = await asyncio.wait([asyncio.create_task(tool(n, s), name=n) for n, s in (('a', 1), ('b', 2), ('c', 3))], return_when=asyncio.FIRST_COMPLETED)
    print([t.get_name() for t in done], len(pending))
    for p in pending: p.cancel()
    r = await asyncio.gather(*pending, return_exceptions=True)
    print(sorted(type(x).__name__ for x in r), all(isinstance(x, asyncio.CancelledError) for x in r))
asyncio.run(main())
# ---
import asyncio
async def w(q, out, n):
    while True:
        pri, item = await q.get()
        if item is None: q.task_done(); break
        out.append((n, pri, await tool(item, 0.1)))
        q.task_done()
q = asyncio.PriorityQueue()
for p, i in [(3, 'c'), (1, 'a'), (2, 'b')]: q.put_nowait((p, i))
out = []
ts = [asyncio.create_task(w(q, out, n)) for n in range(2)]
await q.join()
for _ in ts: await q.put((9, None))
await asyncio.gather(*ts)
print(out)
try: q.get_nowait()
except asyncio.QueueEmpty as e: print('empty', type(e).__name__)
# ---
import asyncio
try:
    async with asyncio.timeout(0.5):
        await tool('slow', 2)
except TimeoutError:
    print('timeout')
try:
    await asyncio.wait_for(tool('slow2', 2), timeout=0.5)
except asyncio.TimeoutError as e:
    print('timeout2', repr(e))
try:
    async with asyncio.TaskGroup() as tg:
        a = tg.create_task(tool('a', 1))
        b = tg.create_task(fail('b', 0.5))
        c = tg.create_task(fail('c', 0.7, 'KeyError'))
except* ValueError as eg:
    print('VE', eg.exceptions)
except* KeyError as eg:
    print('KE', len(eg.exceptions))
print(a.cancelled(), b.exception())
# ---
import asyncio
results = await asyncio.gather(tool('a'), fail('b'), tool('c'), return_exceptions=True)
for name, r in zip('abc', results):
    print(name, f'failed: {type(r).__name__}: {r}' if isinstance(r, Exception) else r)
ok = [r for r in results if not isinstance(r, BaseException)]
print(ok)
# ---
import asyncio
async def first(*coros):
    tasks = [asyncio.ensure_future(c) for c in coros]
    for f in asyncio.as_completed(tasks):
        try:
            r = await f
            break
        except ValueError: print('skip')
    for t in tasks: t.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return r
print(await first(fail('x', 0.1), tool('y', 0.2), tool('z', 5)))
# ---
import asyncio
cache = {}
lock = asyncio.Lock()
async def get(k):
    async with lock:
        if k not in cache: cache[k] = await tool(k, 0.1)
    return cache[k]
print(await asyncio.gather(get('a'), get('a'), get('b')), lock.locked())
t = asyncio.create_task(tool('bg', 10))
t.add_done_callback(lambda t: print('done', t.cancelled()))
await asyncio.sleep(0.1)
print(t.done(), t.cancel())
try: await t
except asyncio.CancelledError: print('cancelled')
await asyncio.sleep(0)
print(asyncio.iscoroutine(t), t.cancelled())
x = await asyncio.shield(tool('s', 0.1))
print(x, await asyncio.to_thread(lambda a: a * 2, 4), asyncio.current_task() is not None)
# ---
import io
from contextlib import redirect_stdout
buf = io.StringIO()
with redirect_stdout(buf):
    print('hidden', 1)
text = buf.getvalue()
print('shown', text.upper())
# ---
import asyncio
async def pipeline():
    async def stage(name, src, dst):
        while (x := await src.get()) is not None:
            await dst.put(f'{name}({await tool(x, 0.1)})')
        await dst.put(None)
    a, b, c = asyncio.Queue(2), asyncio.Queue(2), asyncio.Queue()
    async def feed():
        for i in range(4): await a.put(f'i{i}')
        await a.put(None)
    await asyncio.gather(feed(), stage('p', a, b), stage('q', b, c))
    out = []
    while not c.empty(): out.append(c.get_nowait())
    return out
print(await pipeline())
# ---
import asyncio
class Pool:
    def __init__(self, n): self.n = n; self.items = []
    async def __aenter__(self):
        self.items = await asyncio.gather(*(tool(f'conn{i}', 0.1) for i in range(self.n)))
        return self
    async def __aexit__(self, exc_type, exc, tb):
        await asyncio.gather(*(tool(f'close{i}', 0.1) for i in range(self.n)))
        if exc_type is not None: print('pool saw', exc_type.__name__, exc)
        return isinstance(exc, LookupError)
async def use():
    for i in range(3):
        async with Pool(1) as p:
            if i == 1: continue
            if i == 2: return p.items
            print(i, p.items)
print(await use())
async with Pool(2):
    raise LookupError('x')
print('after')
