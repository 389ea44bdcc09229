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
# with N = 1, 2, 3
import asyncio
sem = asyncio.Semaphore(2)
async def limited(i):
    async with sem, asyncio.timeout(N):
        return await tool(f's{i}', 0.5 + i)
print([r if isinstance(r, str) else type(r).__name__ for r in await asyncio.gather(*map(limited, range(4)), return_exceptions=True)])
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
