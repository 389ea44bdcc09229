# Asynchronous generators and iterators, and what becomes of those that are left.
class Pages:
    def __init__(self, n): self.n, self.i = n, 0
    def __aiter__(self): return self
    async def __anext__(self):
        if self.i >= self.n: raise StopAsyncIteration
        self.i += 1
        return await echo(self.i)
print([x async for x in Pages(3)])
async for p in Pages(2):
    print(p)
else:
    print('else')
it = aiter(Pages(1))
print(await anext(it), await anext(it, 'end'))
try:
    await anext(it)
except StopAsyncIteration as e:
    print(repr(e), type(e).__name__)
# ---
async def gen():
    x = yield 1
g = gen()
await g.asend(None)  ### There is no asend here
# ---
async def gen():
    yield 1
k = gen()
await k.aclose()
try:
    await k.__anext__()
except StopAsyncIteration: print('over')
# ---
async def bad():
    yield 1
    raise StopAsyncIteration
try:
    async for x in bad(): print(x)
except RuntimeError as e: print(e)
async def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2
g = stubborn()
await anext(g)
try:
    await g.aclose()
except RuntimeError as e: print(e)
# ---
async def ticker(n):
    try:
        for i in range(n): yield i
    finally: print('closed')
async def stage(src, fn):
    async for x in src: yield fn(x)
print([x async for x in stage(stage(ticker(4), lambda v: v * 10), str)])
