# A script waits inside of iterators: for a tool without `await`, for `time.sleep`, for the host's library.
def numbers(n):
    for _ in range(n):
        yield next_number()

for x in numbers(2):
    print(x)
print([x * 2 for x in numbers(2)], sum(numbers(2)), list(numbers(1)), sorted(numbers(2), reverse=True))
a, b = numbers(2)
print(a, b, [*numbers(1)], max(numbers(3)), ','.join(str(x) for x in numbers(2)), dict(zip('ab', numbers(2))))
# ---
from datetime import datetime
from itertools import chain, islice, takewhile
def parsed(lines):
    for line in lines:
        yield datetime.strptime(line, '%Y-%m-%d')
def late(items):
    for item in items:
        if item.month > 6:
            yield item
days = ['2024-01-02', '2024-07-08', '2024-09-10']
for day in late(parsed(days)):
    print(day.isoformat())
    continue
print([d.day for d in islice(parsed(days), 2)], [d.day for d in takewhile(lambda d: d.month < 8, parsed(days))])
print([d.day for d in chain(parsed(days[:1]), parsed(days[1:]))], list(islice(parsed(days), 1, None)))
stamps = map(lambda line: datetime.strptime(line, '%Y-%m-%d'), days)
print(next(stamps).day, [s.day for s in stamps])
print(max(datetime.strptime(day, '%Y-%m-%d') for day in days).day, sum(1 for d in parsed(days) if d.day > 5))
# ---
class Pages:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1
        return next_number()
    def items(self):
        for page in self:
            yield page * 10
print([p for p in Pages(2)])
for item in Pages(2).items(): print(item)
for _ in Pages(1): break
else: print('never')
# ---
import asyncio
async def work(n):
    await asyncio.sleep(0)
    return n * 2
def started(n):
    for i in range(n):
        yield asyncio.create_task(work(i))
for task in started(2):
    print(await task)
print(await asyncio.gather(*started(2)))
found = dict((n, asyncio.create_task(work(n))) for n in [1, 2])
print([await t for t in found.values()])
# ---
# The keys are computed before.
from datetime import datetime
import statistics
def rank(x):
    return -next_number()
xs = ['b', 'a', 'c']
print(sorted(xs, key=rank), sorted(xs, key=lambda x: next_number(), reverse=True), min(xs, key=rank))
xs.sort(key=rank)
print(xs, max([], key=rank, default='none'), max([[1, 5], [1, 2]], key=statistics.mean))
print(min(['2024-03-01', '2024-01-02'], key=lambda day: datetime.strptime(day, '%Y-%m-%d')))
# ---
import itertools
print([k for k, _ in itertools.groupby([1], key=lambda x: next_number())])
# ---
from collections import defaultdict
d = defaultdict(lambda: next_number())  ### Compute the values in a list first.
print(d['a'])
