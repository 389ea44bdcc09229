import asyncio
t = asyncio.create_task(ask('refund', 1))
'all done'
# ---
import asyncio
a, b, c = [asyncio.create_task(ask(n, 1)) for n in 'abc']
print('made')
[await c, await a, await b]
# ---
import asyncio
await asyncio.gather(ask('a', 1), ask('b', 2), ask('c', 3))
# ---
import asyncio
async def work(n):
    got = await ask(n, 1)
    print('asked', n)
    return got + await ask(n + n, 1)
await asyncio.gather(work('a'), work('b'))
# ---
import asyncio
async with asyncio.TaskGroup() as group:
    one = group.create_task(ask('a', 1))
    two = group.create_task(ask('b', 1))
one.result() + two.result()
# ---
import asyncio
async with asyncio.timeout(5):
    got = await ask('a', 1)
got
# ---
import asyncio
await asyncio.wait_for(ask('a', 1), timeout=5)
# ---
import asyncio
try:
    got = await asyncio.wait_for(ask('a', 9), timeout=5)
except TimeoutError:
    got = 'late'
got
# ---
import asyncio
lock = asyncio.Lock()
async def one(n):
    async with lock:
        return await ask(n, 1)
await asyncio.gather(*[one(n) for n in 'abc'])
# ---
import asyncio
queue = asyncio.Queue()
async def worker():
    while True:
        n = await queue.get()
        print(await ask(n, 1))
        queue.task_done()
for n in 'abc':
    queue.put_nowait(n)
workers = [asyncio.create_task(worker()) for _ in range(2)]
await queue.join()
for w in workers:
    w.cancel()
'over'
# ---
import asyncio
results = await asyncio.gather(ask('a', 1), fail('b', 1), return_exceptions=True)
[str(r) for r in results]
# ---
import asyncio
t = asyncio.create_task(ask('a', 1))
await asyncio.sleep(0)
t.cancel()
results = await asyncio.gather(t, return_exceptions=True)
[isinstance(results[0], asyncio.CancelledError), t.cancelled()]
