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
try:
    print(await asyncio.wait_for(asyncio.gather(*map(tool, ['a', 'b'], [1, 5])), 2))
except TimeoutError:
    print('late')
# ---
import asyncio
coros = list(map(tool, ['a', 'b'], [1, 2]))
for c in coros: print(await c)
