import asyncio
sem = asyncio.Semaphore(2)
async def limited(n):
    async with sem:
        return await tool(str(n), 1 + n / 10)
await asyncio.gather(*[limited(n) for n in range(5)])
# ---
import asyncio
tasks = [asyncio.create_task(c) for c in [tool('a', 2), fail('b', 1), tool('c', 3)]]
done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
[[t in done for t in tasks], repr(tasks[1].exception())]
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
async def main():
    t = asyncio.create_task(tool('x', 10))
    await tool('y', 1)
    raise ValueError('boom')
asyncio.run(main())
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
