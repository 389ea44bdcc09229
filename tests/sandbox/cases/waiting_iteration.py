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
import itertools
print([k for k, _ in itertools.groupby([1], key=lambda x: next_number())])
