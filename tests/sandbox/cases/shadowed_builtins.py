# A variable may have a builtin's name, and modules and generators still compute with the builtin.
import heapq, re, statistics, textwrap
xs, heap = [3, 1, 2], []
sum = len = max = 0
for x in xs:
    sum, len, max = sum + x, len + 1, x if x > max else max
    heapq.heappush(heap, x)
list, str, isinstance, range, sorted, dict, min = ['a1', 'b2'], 'x', 3, (1, 5), False, {'a': 1}, None
print(sum / len, max, statistics.mean(xs), heapq.heappop(heap), heapq.nsmallest(1, heap))
[re.sub(r'\d', '#', s) for s in list], re.findall(r'\w', 'a b'), textwrap.fill('hello world', 8), round(2.675, 2)
# ---
def count(n):
    for i in (1, 2, 3)[:n]:
        yield i
type, iter, next, hasattr, getattr, tuple = 'admin', 5, None, 0, 1, ()
index, total = [1, 2].index, 0
for x in count(3):
    total += x
try:
    raise KeyError('x')
except KeyError as error:
    print(error.args)
[x for x in count(2)], index(2), total, type
# ---
import asyncio
list, set, len, any, bool, max = [1], 2, 3, 4, 5, 6
async def later(value):
    await asyncio.sleep(0)
    return value
task = asyncio.create_task(later(1))
await task, await asyncio.gather(later(2), later(3)), list
