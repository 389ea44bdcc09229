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
