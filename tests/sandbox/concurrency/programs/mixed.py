import asyncio
from contextlib import asynccontextmanager, contextmanager, suppress, closing, nullcontext, ExitStack, AsyncExitStack
@asynccontextmanager
async def session(name):
    await tool(f'open {name}', 0.1)
    try:
        yield name.upper()
    except ValueError as e:
        print('swallow', e)
    finally:
        await tool(f'close {name}', 0.1)
@contextmanager
def timer(label):
    print('start', label)
    try:
        yield {'label': label}
    finally:
        print('stop', label)
async def main():
    async with session('a') as a, session('b') as b:
        print(a, b)
        with timer('x') as t, suppress(KeyError):
            t['n'] = 1
            raise KeyError('gone')
        raise ValueError('bad')
    async with AsyncExitStack() as stack:
        names = [await stack.enter_async_context(session(n)) for n in 'cd']
        stack.callback(print, 'callback')
        stack.push_async_callback(tool, 'async callback', 0.1)
        print(names)
    with ExitStack() as stack:
        for i in range(2): stack.enter_context(timer(i))
    with nullcontext(5) as n: print(n)
await main()
# ---
import asyncio, time
async def main():
    loop = asyncio.get_event_loop()
    start = loop.time()
    done, pending = await asyncio.wait([asyncio.create_task(tool(n, s), name=n) for n, s in (('a', 1), ('b', 2), ('c', 3))], return_when=asyncio.FIRST_COMPLETED)
    print([t.get_name() for t in done], len(pending))
    for p in pending: p.cancel()
    r = await asyncio.gather(*pending, return_exceptions=True)
    print(sorted(type(x).__name__ for x in r), all(isinstance(x, asyncio.CancelledError) for x in r))
asyncio.run(main())
# ---
import asyncio
async def first(*coros):
    tasks = [asyncio.ensure_future(c) for c in coros]
    for f in asyncio.as_completed(tasks):
        try:
            r = await f
            break
        except ValueError: print('skip')
    for t in tasks: t.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return r
print(await first(fail('x', 0.1), tool('y', 0.2), tool('z', 5)))
# ---
import asyncio
cache = {}
lock = asyncio.Lock()
async def get(k):
    async with lock:
        if k not in cache: cache[k] = await tool(k, 0.1)
    return cache[k]
print(await asyncio.gather(get('a'), get('a'), get('b')), lock.locked())
t = asyncio.create_task(tool('bg', 10))
t.add_done_callback(lambda t: print('done', t.cancelled()))
await asyncio.sleep(0.1)
print(t.done(), t.cancel())
try: await t
except asyncio.CancelledError: print('cancelled')
await asyncio.sleep(0)
print(asyncio.iscoroutine(t), t.cancelled())
x = await asyncio.shield(tool('s', 0.1))
print(x, await asyncio.to_thread(lambda a: a * 2, 4), asyncio.current_task() is not None)
# ---
import io
from contextlib import redirect_stdout
buf = io.StringIO()
with redirect_stdout(buf):
    print('hidden', 1)
text = buf.getvalue()
print('shown', text.upper())
# ---
import asyncio
async def pipeline():
    async def stage(name, src, dst):
        while (x := await src.get()) is not None:
            await dst.put(f'{name}({await tool(x, 0.1)})')
        await dst.put(None)
    a, b, c = asyncio.Queue(2), asyncio.Queue(2), asyncio.Queue()
    async def feed():
        for i in range(4): await a.put(f'i{i}')
        await a.put(None)
    await asyncio.gather(feed(), stage('p', a, b), stage('q', b, c))
    out = []
    while not c.empty(): out.append(c.get_nowait())
    return out
print(await pipeline())
