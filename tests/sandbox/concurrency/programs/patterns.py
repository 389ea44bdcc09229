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
# with N = 1.5, 2.5
import asyncio
try:
    for coro in asyncio.as_completed([asyncio.create_task(tool('a', 1)), asyncio.create_task(tool('b', 2))], timeout=N):
        print(await coro)
except asyncio.TimeoutError as e:
    print('timeout', repr(e))
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
async def safe(coro):
    try:
        return True, await coro
    except Exception as e:
        return False, f'{type(e).__name__}({e})'
jobs = {'u1': tool('u1', 1), 'u2': fail('u2', 0.5, 'KeyError'), 'u3': fail('u3', N, 'ValueError')}
out = dict(zip(jobs, await asyncio.gather(*map(safe, jobs.values()))))
print(out)
{k: v for k, (ok, v) in out.items() if ok}
