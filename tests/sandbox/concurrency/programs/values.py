import asyncio
async def pick(kind):
    fns = {'t': tool, 'f': fail}
    c = fns[kind]('x', 3)
    await asyncio.sleep(1)
    print('now')
    return await c
print(await pick('t'))
# ---
import asyncio
def make(fn): return fn('m', 1)
async with asyncio.TaskGroup() as tg:
    ts = [tg.create_task(f(f'n{i}', 1)) for i, f in enumerate([tool, fail, tool])]
# ---
from functools import partial
import asyncio
jobs = [partial(tool, 'p', 1), lambda: tool('l', 2), partial(fail, 'q', seconds=0.5)]
print(await asyncio.gather(*(j() for j in jobs), return_exceptions=True))
ts = [asyncio.create_task(j()) for j in jobs]
await asyncio.sleep(0.1)
ts[0].cancel()
print(await asyncio.wait(ts, timeout=0.1) and [t.done() for t in ts])
# ---
import asyncio
async def run(fn):
    t = asyncio.create_task(fn('x', 5))
    try:
        await asyncio.wait_for(t, 1)
    except TimeoutError:
        return t.cancelled()
print(await run(tool), callable(tool))
def choose(n): return tool if n else fail
print(await choose(1)('c', 1), choose(1) is tool, tool is tool)
print(list(map(callable, [tool, fail])), tool.__name__, [f.__name__ for f in (tool, fail)])
# ---
import asyncio
try:
    print(await asyncio.wait_for(asyncio.gather(*map(tool, ['a', 'b'], [1, 5])), 2))
except TimeoutError:
    print('late')
# ---
import asyncio
coros = list(map(tool, ['a', 'b'], [1, 2]))
for c in coros: print(await c)
# ---
import asyncio
async def call(fn, *args): return await fn(*args)
class Api:
    def __init__(self, fn): self.fn = fn
    async def get(self, n): return await asyncio.wait_for(self.fn(n, 3), 1)
try:
    await Api(tool).get('z')
except TimeoutError: print('late')
print(await call(tool, 'q', 1))
