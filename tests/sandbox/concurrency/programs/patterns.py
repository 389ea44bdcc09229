# with N = 1, 2, 3, 10
import asyncio
async def fetch(sem, i):
    async with sem:
        return await tool(f'item{i}', 1.0 + i / 10)
async def main():
    sem = asyncio.Semaphore(N)
    return await asyncio.gather(*(fetch(sem, i) for i in range(7)))
results = await main()
print(results)
len(results)
# ---
# with N = 1, 2, 4
import asyncio
async def worker(name, queue, results):
    while True:
        item = await queue.get()
        try:
            results.append((name, await tool(f'job{item}', 0.5 + item * 0.13)))
        except ValueError as e:
            results.append((name, f'error {e}'))
        finally:
            queue.task_done()
async def main():
    queue = asyncio.Queue()
    results = []
    for i in range(8):
        queue.put_nowait(i)
    workers = [asyncio.create_task(worker(f'w{n}', queue, results)) for n in range(N)]
    await queue.join()
    for w in workers:
        w.cancel()
    ended = await asyncio.gather(*workers, return_exceptions=True)
    print(ended, [type(e).__name__ for e in ended])
    return results
await main()
# ---
# with N = 1, 2, 5
import asyncio
async def producer(queue, n):
    for i in range(n):
        await tool(f'made{i}', 0.2 + i / 100)
        await queue.put(i)
        print('put', i, queue.qsize())
    await queue.put(None)
async def consumer(queue):
    total = 0
    while (item := await queue.get()) is not None:
        await tool(f'used{item}', 0.5)
        total += item
        print('used', item)
    return total
async def main():
    queue = asyncio.Queue(maxsize=N)
    p = asyncio.create_task(producer(queue, 5))
    total = await consumer(queue)
    await p
    return total
await main()
# ---
# with N = 0, 1, 2, 3, 4
import asyncio
calls = 0
async def flaky():
    global calls
    calls += 1
    if calls <= N:
        return await fail(f'try{calls}', 0.3, 'ConnectionError' if False else 'ValueError')
    return await tool(f'try{calls}', 0.3)
async def with_retry(fn, attempts=3, base=0.5):
    for attempt in range(attempts):
        try:
            return await fn()
        except ValueError as e:
            print('attempt', attempt + 1, 'failed:', e)
            if attempt == attempts - 1:
                raise RuntimeError(f'gave up after {attempts}') from e
            await asyncio.sleep(base * 2 ** attempt)
try:
    result = await with_retry(flaky)
except RuntimeError as e:
    result = f'{e} because {e.__cause__!r}'
result
# ---
# with N = 0.5, 1.5, 2.5
import asyncio
async def get(name, fallback, timeout):
    try:
        return await asyncio.wait_for(tool(name, 2.0), timeout=timeout)
    except asyncio.TimeoutError:
        print('timeout', name)
        return await tool(fallback, 0.1)
print(await get('main', 'cache', N))
print(await asyncio.gather(get('a', 'b', N), get('c', 'd', 3 - N)))
# ---
# with N = 0.5, 1.5, 2.5
import asyncio
async def main():
    try:
        async with asyncio.timeout(N):
            a = await tool('a', 1)
            b = await tool('b', 1)
            return a, b
    except TimeoutError as e:
        print('late', repr(e), type(e).__name__)
        return 'late'
print(await main())
# ---
# with N = 1, 2, 3
import asyncio
async def race(*names):
    tasks = {asyncio.create_task(tool(n, d)): n for n, d in names}
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for t in pending:
        t.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    winner = done.pop()
    print(tasks[winner], winner.result(), sorted(tasks[t] for t in pending), [t.cancelled() for t in pending])
    return winner.result()
await race(('x', 3 / N), ('y', 2), ('z', 2.5))
# ---
# with N = 1, 2, 3
import asyncio
class Breaker:
    def __init__(self, limit, reset):
        self.limit, self.reset = limit, reset
        self.failures, self.opened = 0, None
    async def call(self, fn, *args):
        if self.opened is not None:
            raise RuntimeError('circuit open')
        try:
            result = await fn(*args)
        except (ValueError, KeyError) as e:
            self.failures += 1
            if self.failures >= self.limit:
                self.opened = True
                print('opened after', self.failures)
            raise
        else:
            self.failures = 0
            return result
async def main():
    breaker = Breaker(N, 5)
    out = []
    for i in range(5):
        try:
            out.append(await breaker.call(fail if i % 2 else tool, f'c{i}', 0.2))
        except ValueError as e:
            out.append(f'failed {e}')
        except RuntimeError as e:
            out.append(str(e))
    return out
await main()
# ---
# with N = 0, 1, 2, 3
import asyncio
async def one(i):
    if i == N:
        return await fail(f'f{i}', 0.5, 'LookupError')
    return await tool(f't{i}', 1.0 + i / 7)
results = await asyncio.gather(*[one(i) for i in range(4)], return_exceptions=True)
ok = [r for r in results if not isinstance(r, BaseException)]
bad = [r for r in results if isinstance(r, Exception)]
print(ok, bad, [f'{type(b).__name__}: {b}' for b in bad])
{'ok': len(ok), 'bad': [repr(b) for b in bad]}
# ---
# with N = 0, 1, 2, 3
import asyncio
async def one(i):
    try:
        if i == N:
            return await fail(f'f{i}', 0.5, 'LookupError')
        return await tool(f't{i}', 1.0 + i / 7)
    except asyncio.CancelledError:
        print('cancelled', i)
        raise
    finally:
        print('end', i)
try:
    print(await asyncio.gather(*[one(i) for i in range(4)]))
except LookupError as e:
    print('first failure', repr(e))
await asyncio.sleep(2)
print('done')
# ---
# with N = 0, 1, 2, 3
import asyncio
async def one(i):
    try:
        if i == N:
            return await fail(f'f{i}', 0.5, 'LookupError')
        return await tool(f't{i}', 1.0 + i / 7)
    except asyncio.CancelledError:
        ended.add(i)
        raise
ended = set()
try:
    async with asyncio.TaskGroup() as tg:
        tasks = [tg.create_task(one(i)) for i in range(4)]
    print([t.result() for t in tasks])
except* LookupError as eg:
    print(eg.exceptions, str(eg))
print(sorted(ended), [t.cancelled() for t in tasks], [t.done() for t in tasks])
# ---
# with N = 1, 2, 3
import asyncio
async def pages(limit):
    page = 0
    while page < limit:
        page += 1
        data = await tool(f'page{page}', 0.3)
        yield page, data
async def main():
    out = []
    async for number, data in pages(N):
        out.append((number, data))
        if number == 2:
            break
    return out
await main()
# ---
# with N = 1, 2, 3, 7
import asyncio
def batches(items, size):
    for i in range(0, len(items), size):
        yield items[i:i + size]
async def main():
    out = []
    for batch in batches(list(range(7)), N):
        got = await asyncio.gather(*(tool(f'i{x}', 0.5 + x / 100) for x in batch))
        print('batch', batch, got)
        out.extend(got)
    return out
await main()
# ---
# with N = 0, 1, 2
import asyncio
async def main():
    task = asyncio.create_task(tool('long', 10))
    await asyncio.sleep(N)
    task.cancel('not needed')
    try:
        await task
    except asyncio.CancelledError as e:
        print('cancelled', e.args, repr(e), str(e), task.cancelled(), task.done())
    return 'ok'
await main()
# ---
# with N = 1, 3
import asyncio
async def main():
    inner = asyncio.create_task(tool('important', 2))
    try:
        result = await asyncio.wait_for(asyncio.shield(inner), N)
        print('in time', result)
    except TimeoutError:
        print('still going', inner.done())
        result = await inner
    return result
await main()
# ---
# with N = 1, 2, 3
import asyncio
async def main():
    out = []
    tasks = [asyncio.create_task(tool(n, d)) for n, d in [('slow', 3), ('mid', 2), ('fast', 1)]]
    for i, coro in enumerate(asyncio.as_completed(tasks)):
        out.append(await coro)
        print(out[-1])
        if i + 1 == N:
            break
    for t in tasks:
        if not t.done():
            t.cancel()
    print(await asyncio.gather(*tasks, return_exceptions=True))
    return out
await main()
# ---
# with N = 1.5, 2.5
import asyncio
try:
    for coro in asyncio.as_completed([asyncio.create_task(tool('a', 1)), asyncio.create_task(tool('b', 2))], timeout=N):
        print(await coro)
except asyncio.TimeoutError as e:
    print('timeout', repr(e))
# ---
# with N = 1, 2
import asyncio
async def stage(name, source, sink, delay):
    while True:
        item = await source.get()
        if item is None:
            await sink.put(None)
            return
        await sink.put(await tool(f'{name}-{item}', delay))
async def main():
    a, b, c = asyncio.Queue(), asyncio.Queue(N), asyncio.Queue()
    for i in range(4):
        a.put_nowait(i)
    a.put_nowait(None)
    async with asyncio.TaskGroup() as tg:
        tg.create_task(stage('parse', a, b, 0.5))
        tg.create_task(stage('save', b, c, 0.7))
    out = []
    while not c.empty():
        out.append(c.get_nowait())
    return out
await main()
# ---
# with N = 1, 2, 3
import asyncio
event = asyncio.Event()
log = []
async def waiter(i):
    await event.wait()
    log.append(await tool(f'w{i}', i / 10))
async def setter():
    await tool('prepare', 1)
    print('set')
    event.set()
await asyncio.gather(*[waiter(i) for i in range(N)], setter())
log
# ---
# with N = 1, 2, 3
import asyncio
cache = {}
locks = {}
async def cached(key):
    lock = locks.setdefault(key, asyncio.Lock())
    async with lock:
        if key not in cache:
            print('miss', key)
            cache[key] = await tool(key, 1)
        else:
            print('hit', key)
        return cache[key]
print(await asyncio.gather(*[cached('k%d' % (i % N)) for i in range(5)]))
# ---
# with N = 1, 2, 3
import asyncio
async def background():
    n = 0
    try:
        while True:
            await tool(f'beat{n}', 0.1)
            n += 1
            await asyncio.sleep(0.9)
    except asyncio.CancelledError:
        print('stopped after', n)
        raise
task = asyncio.create_task(background())
print(await tool('work', N + 0.5))
task.cancel()
try:
    await task
except asyncio.CancelledError:
    print('background over', task.cancelled())
# ---
# with N = 1, 2, 3
import asyncio
from contextlib import asynccontextmanager, AsyncExitStack
@asynccontextmanager
async def connection(name):
    await tool(f'open {name}', 0.2)
    try:
        yield name
    except ValueError as e:
        print('connection sees', repr(e))
        raise
    finally:
        await tool(f'close {name}', 0.1)
async def main():
    async with AsyncExitStack() as stack:
        names = [await stack.enter_async_context(connection(f'c{i}')) for i in range(3)]
        if N == 2:
            await fail('query', 0.3)
        return await asyncio.gather(*(tool(f'q {n}', 0.4) for n in names))
try:
    print(await main())
except ValueError as e:
    print('main', repr(e))
# ---
# with N = 1, 2, 3
import asyncio
class Pool:
    def __init__(self, size):
        self.free = asyncio.Queue()
        for i in range(size):
            self.free.put_nowait(f'conn{i}')
    async def run(self, job):
        conn = await self.free.get()
        try:
            return conn, await tool(f'{job}', 0.5 + job / 10)
        finally:
            await self.free.put(conn)
pool = Pool(N)
print(await asyncio.gather(*(pool.run(i) for i in range(5))))
# ---
# with N = 0.5, 1.2, 5
import asyncio
async def main():
    done, pending = await asyncio.wait([asyncio.create_task(tool(f't{i}', 0.4 + i * 0.5)) for i in range(4)], timeout=N)
    print(sorted(t.result() for t in done), len(pending))
    for t in pending: t.cancel()
    if pending:
        await asyncio.wait(pending)
    return [t.cancelled() for t in pending]
await main()
# ---
# with N = 0, 1, 2
import asyncio
async def main():
    tasks = [asyncio.create_task(fail('bad', 0.5) if i == N else tool(f't{i}', 1 + i)) for i in range(3)]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    for t in done:
        if t.exception():
            print('failed', repr(t.exception()))
    for t in pending:
        t.cancel()
    return len(done), len(pending)
await main()
# ---
# with N = 1, 2, 3
import asyncio
async def heartbeat(stop):
    n = 0
    while not stop.is_set():
        n += 1
        try:
            await asyncio.wait_for(stop.wait(), timeout=1.0)
        except asyncio.TimeoutError:
            print('tick', n)
    return n
stop = asyncio.Event()
hb = asyncio.create_task(heartbeat(stop))
await tool('work', N + 0.5)
stop.set()
print(await hb)
# ---
# with N = 1, 2, 3
import asyncio
from collections import defaultdict
class Debounced:
    def __init__(self): self.pending = {}
    async def call(self, key):
        if key in self.pending:
            print('join', key)
            return await self.pending[key]
        task = asyncio.ensure_future(tool(key, 1))
        self.pending[key] = task
        try:
            return await task
        finally:
            self.pending.pop(key, None)
d = Debounced()
print(await asyncio.gather(*(d.call(f'k{i % N}') for i in range(4))))
print(await d.call('k0'))
# ---
# with N = 1, 2, 3
import asyncio
cleaned = set()
async def child(name, delay):
    try:
        return await tool(name, delay)
    finally:
        cleaned.add(name)
async def parent():
    async with asyncio.TaskGroup() as tg:
        a = tg.create_task(child('a', 1))
        b = tg.create_task(child('b', 2))
    return a.result(), b.result()
try:
    print(await asyncio.wait_for(parent(), N - 0.5))
except TimeoutError:
    print('timed out', sorted(cleaned))
# ---
# with N = 1, 2
import asyncio
async def main():
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(fail('x', N, 'ValueError'))
            tg.create_task(fail('y', 1.5, 'KeyError'))
            await tool('body', 5)
    except* (ValueError, KeyError) as eg:
        found = [repr(e) for e in eg.exceptions], eg.message
    return found
await main()
# ---
# with N = 1, 2
import asyncio
async def nested():
    async with asyncio.TaskGroup() as inner:
        inner.create_task(fail('in', 1, 'KeyError'))
        inner.create_task(tool('in-ok', 3))
async def main():
    async with asyncio.TaskGroup() as outer:
        outer.create_task(nested())
        outer.create_task(tool('out', 0.5 * N))
try:
    await main()
except ExceptionGroup as g:
    def show(e, depth=0):
        print('  ' * depth + f'{type(e).__name__}: {e}')
        if isinstance(e, ExceptionGroup):
            for x in e.exceptions: show(x, depth + 1)
    show(g)
# ---
# with N = 1, 2, 3
import asyncio
results = []
def on_done(task):
    if task.cancelled(): results.append('cancelled')
    elif task.exception(): results.append(f'error {task.exception()!r}')
    else: results.append(task.result())
for i, coro in enumerate([tool('a', 1), fail('b', 1.5), tool('c', 5)]):
    t = asyncio.create_task(coro, name=f'job-{i}')
    t.add_done_callback(on_done)
    if i == 2: last = t
await asyncio.sleep(N)
last.cancel()
await asyncio.sleep(0.1)
print(results, last.get_name())
# ---
# with N = 0, 1, 2, 3
import asyncio
async def first_success(*coros):
    tasks = [asyncio.create_task(c) for c in coros]
    errors = []
    try:
        for done in asyncio.as_completed(tasks):
            try:
                return await done
            except ValueError as e:
                errors.append(e)
        raise ExceptionGroup('all failed', errors)
    finally:
        for t in tasks: t.cancel()
try:
    print(await first_success(*[(fail if i < N else tool)(f's{i}', 0.5 + i) for i in range(3)]))
except ExceptionGroup as e:
    print(e, [str(x) for x in e.exceptions])
# ---
# with N = 1, 2
import asyncio
async def gen(n):
    for i in range(n):
        yield await tool(f'g{i}', 0.2)
async def merge(*gens):
    queue = asyncio.Queue()
    done = object()
    async def pump(g):
        async for item in g:
            await queue.put(item)
        await queue.put(done)
    tasks = [asyncio.create_task(pump(g)) for g in gens]
    left = len(tasks)
    while left:
        item = await queue.get()
        if item is done: left -= 1
        else: yield item
print([x async for x in merge(gen(2), gen(N))])
# ---
# with N = 1, 2, 3
import asyncio
sem = asyncio.BoundedSemaphore(2)
active = peak = 0
async def job(i):
    global active, peak
    async with sem:
        active += 1
        peak = max(peak, active)
        try:
            if i == N: return await fail(f'j{i}', 0.5)
            return await tool(f'j{i}', 1)
        except ValueError:
            return None
        finally:
            active -= 1
print(await asyncio.gather(*map(job, range(5))), peak, active)
try:
    sem.release()
except ValueError as e:
    print(e)
# ---
# with N = 1, 2, 3
import asyncio
async def poll(check, interval, limit):
    for n in range(limit):
        if await check(n): return n
        await asyncio.sleep(interval)
    raise TimeoutError('never ready')
async def check(n):
    return await tool(f'status{n}', 0.1) == f'status{N}'
try:
    print(await poll(check, 0.5, 3))
except TimeoutError as e:
    print(repr(e), e.args)
# ---
# with N = 1, 2
import asyncio
async def step(name, undo, fails=False):
    print('do', name)
    await (fail if fails else tool)(name, 0.2)
    undo.append(name)
async def saga():
    undo = []
    try:
        await step('reserve', undo)
        await step('charge', undo, N == 2)
        await step('ship', undo)
    except ValueError as e:
        for name in reversed(undo):
            await tool(f'undo {name}', 0.1)
        raise RuntimeError('saga failed') from e
    return 'ok'
try:
    print(await saga())
except RuntimeError as e:
    print(e, '<-', repr(e.__cause__))
# ---
# with N = 1, 2
import asyncio
async def a():
    try:
        await tool('a', 5)
    except asyncio.CancelledError:
        print('a refuses')
        return 'kept'
t = asyncio.create_task(a())
await asyncio.sleep(N)
print(t.cancel())
print(await t, t.cancelled())
# ---
# with N = 1, 2, 3
import asyncio
async def main():
    q = asyncio.PriorityQueue()
    for p, n in [(3, 'low'), (1, 'high'), (2, 'mid'), (1, 'also high')]:
        await q.put((p, n))
    async def work(w):
        out = []
        while True:
            try:
                p, n = q.get_nowait()
            except asyncio.QueueEmpty:
                return out
            out.append(await tool(f'{w}:{n}', p / 2))
    return await asyncio.gather(*(work(w) for w in range(N)))
await main()
# ---
# with N = 1, 2, 3
import asyncio
async def limited(coros, limit):
    running = set()
    out = []
    for c in coros:
        if len(running) >= limit:
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            out += [t.result() for t in done]
        running.add(asyncio.create_task(c))
    if running:
        done, _ = await asyncio.wait(running)
        out += sorted(t.result() for t in done)
    return out
await limited([tool(f'l{i}', 0.5 + 0.17 * i) for i in range(6)], N)
# ---
# with N = 1, 2
import asyncio
async def safe(coro):
    try:
        return True, await coro
    except Exception as e:
        return False, f'{type(e).__name__}({e})'
jobs = {'u1': tool('u1', 1), 'u2': fail('u2', 0.5, 'KeyError'), 'u3': fail('u3', N, 'ValueError')}
out = dict(zip(jobs, await asyncio.gather(*map(safe, jobs.values()))))
print(out)
{k: v for k, (ok, v) in out.items() if ok}
# ---
# with N = 1, 2
import asyncio
async def hedge(make, delay):
    first = asyncio.create_task(make('primary'))
    try:
        return await asyncio.wait_for(asyncio.shield(first), delay)
    except asyncio.TimeoutError:
        second = asyncio.create_task(make('hedge'))
        done, pending = await asyncio.wait({first, second}, return_when=asyncio.FIRST_COMPLETED)
        for p in pending: p.cancel()
        return next(iter(done)).result()
print(await hedge(lambda n: tool(n, {'primary': 3, 'hedge': N + 0.3}[n]), 0.5))
# ---
# with N = 1, 2
import asyncio
async def scope():
    try:
        async with asyncio.timeout(N):
            try:
                await tool('slow', 1.5)
            finally:
                await tool('release', 0.2)
    except TimeoutError:
        return 'timeout'
    return 'fine'
await scope()
# ---
# with N = 1, 2
import asyncio
async def main():
    t = asyncio.create_task(fail('early', 0.1))
    await asyncio.sleep(N)
    try:
        await t
    except ValueError as e:
        print('later', repr(e))
    try:
        t.result()
    except ValueError as e:
        print('again', e)
    return t.exception() is not None
await main()
