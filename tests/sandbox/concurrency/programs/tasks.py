import asyncio
t = asyncio.create_task(tool('a', 2))
u = asyncio.create_task(tool('b', 1))
print('made', t.done())
await asyncio.sleep(0)
print(t.done(), u.done())
x = await u
[x, await t, t.done(), t.result()]
# ---
import asyncio
async def work(name, seconds):
    print('begin', name)
    got = await tool(name, seconds)
    print('end', name)
    return got
tasks = [asyncio.create_task(work(n, s)) for n, s in [('a', 3), ('b', 1), ('c', 2)]]
print('made')
done = []
for finished in asyncio.as_completed(tasks):
    done.append(await finished)
done
# ---
import asyncio
t = asyncio.create_task(tool('refund', 2))
'all done'
# ---
import asyncio
async def work():
    await tool('a', 1)
    print('after')
    asyncio.create_task(tool('b', 1))
asyncio.create_task(work())
'all done'
# ---
import asyncio
sem = asyncio.Semaphore(2)
async def limited(n):
    async with sem:
        return await tool(str(n), 1 + n / 10)
await asyncio.gather(*[limited(n) for n in range(5)])
# ---
import asyncio
done, pending = await asyncio.wait([asyncio.create_task(tool(n, s)) for n, s in [('a', 2), ('b', 1)]], return_when=asyncio.FIRST_COMPLETED)
names = [t.result() for t in done]
for t in pending:
    t.cancel()
[names, len(pending)]
# ---
import asyncio
done, pending = await asyncio.wait([asyncio.create_task(tool(n, s)) for n, s in [('a', 2), ('b', 1)]], timeout=1.5)
[len(done), len(pending)]
# ---
import asyncio
tasks = [asyncio.create_task(c) for c in [tool('a', 2), fail('b', 1), tool('c', 3)]]
done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
[[t in done for t in tasks], repr(tasks[1].exception())]
# ---
import asyncio
try:
    await asyncio.wait_for(tool('slow', 5), timeout=1)
    r = 'in time'
except asyncio.TimeoutError:
    r = 'late'
r
# ---
import asyncio
try:
    async with asyncio.timeout(1.5) as scope:
        await tool('a', 1)
        await tool('b', 1)
except TimeoutError as e:
    print('late', repr(e), scope.expired())
await tool('c', 1)
# ---
import asyncio
r = await asyncio.wait_for(stubborn('s', 5), 1)
r
# ---
import asyncio
async def never():
    try:
        await tool('x', 10)
    except asyncio.CancelledError:
        print('cleaning')
        await tool('cleanup', 1)
        print('clean')
        raise
try:
    await asyncio.wait_for(never(), 1)
except TimeoutError:
    print('late')
await tool('y', 1)
# ---
import asyncio
results = await asyncio.gather(tool('a', 2), fail('b', 1), tool('c', 1.5), return_exceptions=True)
[str(r) for r in results]
# ---
import asyncio
async def child(n):
    try:
        return await tool(n, 3)
    finally:
        print('finally', n)
try:
    await asyncio.gather(child('a'), fail('b', 1), child('c'))
except ValueError as e:
    print('caught', e)
await tool('after', 1)
'end'
# ---
import asyncio
t = asyncio.create_task(tool('a', 5))
await asyncio.sleep(1)
print(t.cancel())
try:
    await t
except asyncio.CancelledError:
    print('gone', t.cancelled(), t.done())
print(t.cancel())
# ---
import asyncio
async def body():
    print('never printed')
t = asyncio.create_task(body())
t.cancel()
await asyncio.sleep(0)
[t.cancelled(), t.done()]
# ---
import asyncio
async with asyncio.TaskGroup() as tg:
    a = tg.create_task(tool('a', 2))
    b = tg.create_task(tool('b', 1))
    print('inside')
[a.result(), b.result()]
# ---
import asyncio
async def main():
    async with asyncio.TaskGroup() as tg:
        tg.create_task(tool('a', 5))
        tg.create_task(fail('b', 1))
        try:
            await tool('body', 9)
        except asyncio.CancelledError:
            print('body cancelled')
            raise
try:
    await main()
except Exception as e:
    print('failed', str(e))
# ---
import asyncio
queue = asyncio.Queue(maxsize=2)
async def producer():
    for n in range(5):
        await queue.put(n)
        print('put', n)
    await queue.put(None)
async def consumer(name):
    while True:
        item = await queue.get()
        if item is None:
            await queue.put(None)
            return
        await tool(f'{name}{item}', 1)
await asyncio.gather(producer(), consumer('x'), consumer('y'))
# ---
import asyncio
async def worker(q, out):
    while True:
        n = await q.get()
        out.append(await tool(str(n), n))
        q.task_done()
async def main():
    q, out = asyncio.Queue(), []
    for n in [3, 1, 2, 1]:
        q.put_nowait(n)
    workers = [asyncio.create_task(worker(q, out)) for _ in range(2)]
    await q.join()
    for w in workers:
        w.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    return out
await main()
# ---
import asyncio
lock = asyncio.Lock()
log = []
async def one(n):
    async with lock:
        log.append(('in', n))
        await tool(n, 1)
        log.append(('out', n))
await asyncio.gather(*[one(n) for n in 'abc'])
log
# ---
import asyncio
event = asyncio.Event()
async def waiter(n):
    print('waits', n)
    await event.wait()
    print('goes', n)
    return n
ws = [asyncio.create_task(waiter(n)) for n in range(3)]
await tool('a', 1)
event.set()
await asyncio.gather(*ws)
# ---
import asyncio
async def inner():
    return await tool('inner', 3)
t = asyncio.create_task(inner())
try:
    await asyncio.wait_for(asyncio.shield(t), 1)
except TimeoutError:
    print('late')
await t
# ---
import asyncio
async def a():
    for n in range(3):
        print('a', n)
        await asyncio.sleep(0)
async def b():
    for n in range(3):
        print('b', n)
        await asyncio.sleep(0)
await asyncio.gather(a(), b())
# ---
import asyncio
async def a():
    print('a', await tool('x', 1))
    return 1
t = asyncio.create_task(a())
t.add_done_callback(lambda t: print('callback', t.result()))
t.set_name('my task')
await t
print(t.get_name())
await asyncio.sleep(0)
# ---
import asyncio
async def work(n):
    await tool(n, 1)
    return asyncio.current_task().get_name()
t = asyncio.create_task(work('a'), name='first')
u = asyncio.create_task(work('b'), name='second')
[await u, await t]
# ---
import asyncio
async def main():
    t = asyncio.create_task(tool('x', 10))
    await tool('y', 1)
    raise ValueError('boom')
asyncio.run(main())
# ---
import asyncio
async def background():
    try:
        await tool('x', 10)
    finally:
        print('cleaned')
        await tool('release', 1)
asyncio.create_task(background())
await tool('y', 1)
raise ValueError('boom')
# ---
import asyncio
async def f():
    async with asyncio.timeout(2):
        async with asyncio.timeout(1):
            await tool('a', 5)
try:
    await f()
except TimeoutError:
    print('one')
async def g():
    async with asyncio.timeout(1):
        try:
            async with asyncio.timeout(2):
                await tool('a', 5)
        except TimeoutError:
            print('wrong')
try:
    await g()
except TimeoutError:
    print('two')
# ---
import asyncio
async def outer():
    try:
        await asyncio.gather(tool('a', 5), tool('b', 6))
    except asyncio.CancelledError:
        print('outer cancelled')
        raise
t = asyncio.create_task(outer())
await asyncio.sleep(1)
t.cancel()
try:
    await t
except asyncio.CancelledError:
    print('seen')
# ---
import asyncio
q = asyncio.PriorityQueue()
for n in [3, 1, 2]:
    q.put_nowait((n, str(n)))
out = [await q.get() for _ in range(3)]
s = asyncio.LifoQueue()
for n in [3, 1, 2]:
    await s.put(n)
[out, [s.get_nowait() for _ in range(3)], s.empty(), q.qsize()]
# ---
import asyncio
q = asyncio.Queue(1)
q.put_nowait(1)
try:
    q.put_nowait(2)
except asyncio.QueueFull:
    print('full')
q.get_nowait()
try:
    q.get_nowait()
except asyncio.QueueEmpty:
    print('empty')
