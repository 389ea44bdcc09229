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
future = asyncio.get_running_loop().create_future()  ### There is no create_future here
# ---
# A cancelled call of a tool ends in the turn in which it ends in Python.
import asyncio
async def f():
    log=[]
    async def w():
        try:
            await slow(1,0.2)
        except asyncio.CancelledError:
            log.append('c'); raise
        finally:
            log.append('f')
    t=asyncio.create_task(w())
    await asyncio.sleep(0.01)
    t.cancel()
    log.append('after cancel')
    await asyncio.sleep(0)
    log.append('turn1')
    await asyncio.sleep(0)
    log.append('turn2')
    try: await t
    except asyncio.CancelledError: log.append('x')
    print(log)
await f()
# ---
import asyncio
async def other():
    print('other')
async def main():
    task = asyncio.create_task(other())
    print(await asyncio.gather(*[asyncio.to_thread(lambda n: n * 2, i) for i in range(3)]))
    await task
await main()
# ---
# A thread that sleeps lets others go on, which there is nobody to do here.
import asyncio, time


def work(number):
    time.sleep(0.01)
    return number


await asyncio.gather(*[asyncio.to_thread(work, number) for number in range(2)])  ### There are no threads here, and time.sleep would let nothing else run
# ---
from concurrent.futures import ThreadPoolExecutor  ### There is no concurrent.futures.ThreadPoolExecutor here
with ThreadPoolExecutor() as pool:
    print(list(pool.map(abs, range(3))))
# ---
import asyncio
async def ticks():
    await asyncio.sleep(0)
    print('tick')
    await asyncio.sleep(5)
    print('never')
# What is left at the end is cancelled; what never began does not begin.
left = [asyncio.create_task(ticks()), asyncio.create_task(ticks())]
await asyncio.sleep(0)
await asyncio.sleep(0)
late = asyncio.create_task(ticks())
print('end')
# ---
import asyncio
async def caught():
    try:
        await asyncio.sleep(5)
    except asyncio.CancelledError:
        print('cancelled')
        raise
    finally:
        print('closed')
task = asyncio.create_task(caught())
await asyncio.sleep(0)
print('end')
# ---
import asyncio
try:
    await asyncio.sleep(0)
except SystemExit:  ### SystemExit cannot be told from a cancellation here: catch asyncio.CancelledError, and let a script end with its last line
    pass
await asyncio.create_task(echo(1))
# ---
import asyncio
print(1)
asyncio.get_running_loop().create_future()  ### There is no create_future here. Wait for an asyncio.Event
# ---
import asyncio
asyncio.get_running_loop().call_later(1, print, 'x')  ### There is no call_later here. Create a task
# ---
import asyncio
asyncio.Future()  ### Scripts make tasks with asyncio.create_task here
# ---
import asyncio
async with asyncio.timeout(5) as bound:
    bound.reschedule(None)  ### A timeout keeps its deadline here. Enter another asyncio.timeout(seconds).
# ---
import asyncio
asyncio.current_task().uncancel()  ### A function that catches asyncio.CancelledError raises it again.
# ---
import asyncio
t = asyncio.create_task(echo(1))
try:
    await t
except SystemExit:  ### SystemExit cannot be told from a cancellation here
    print('never')
# ---
import contextlib
contextlib.ExitStack().pop_all()  ### There is no pop_all here. Enter the contexts where they are left.
