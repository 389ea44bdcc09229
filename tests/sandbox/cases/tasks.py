# What tasks, queues and the loop tell of themselves.
import asyncio
async def retry(fn, *args, exceptions=(ValueError,), attempts=3):
    last = None
    for n in range(attempts):
        try:
            return await fn(*args)
        except exceptions as e:
            last = e
            print('attempt', n, repr(e))
    raise RuntimeError('gave up') from last
try:
    await retry(fail, 'x')
except RuntimeError as e:
    print(e, repr(e.__cause__))
print(await retry(echo, 5))
# ---
import asyncio
def cb(t): print('done', t.result())
async def f(): return 3
t = asyncio.create_task(f())
t.add_done_callback(cb)
await t
await asyncio.sleep(0)
loop = asyncio.get_event_loop()
fut = loop.create_future()
loop.call_later(0.01, fut.set_result, 'late')
print(await fut)
h = loop.call_later(5, print, 'no')
h.cancel()
print(h.cancelled())
# ---
import asyncio
q = asyncio.PriorityQueue()
for n in (3, 1, 2): q.put_nowait((n, 'j', n))
out = []
while not q.empty(): out.append(q.get_nowait())
print(out)
class Item:
    def __init__(self, p, n): self.p, self.n = p, n
    def __lt__(self, other): return self.p < other.p
q = asyncio.PriorityQueue()
for p, n in [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (2, 'e'), (1, 'f')]: await q.put(Item(p, n))
print([(await q.get()).n for _ in range(6)])
# ---
import asyncio
future = asyncio.get_running_loop().create_future()
print(isinstance(future, asyncio.Future))
print(isinstance(future, asyncio.Task))  ### Tasks and futures are of one type here
