import asyncio
results = await asyncio.gather(fail('a', 1, 'ConnectionError'), fail('b', 1, 'OSError'), fail('c', 1, 'TimeoutError'), return_exceptions=True)
[[isinstance(r, ConnectionError), isinstance(r, OSError), isinstance(r, TimeoutError)] for r in results]
# ---
import asyncio
t = asyncio.create_task(tool('a', 5))
await asyncio.sleep(1)
t.cancel('enough')
[got] = await asyncio.gather(t, return_exceptions=True)
async def group():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fail('b', 1))
try:
    await group()
except Exception as e:
    print(type(e).__name__, str(e))
print(repr(got), type(got).__name__, repr(1), type(1).__name__)
