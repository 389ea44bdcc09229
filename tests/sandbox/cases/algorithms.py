import heapq
from collections import defaultdict, deque
graph = {'A': {'B': 7, 'C': 3}, 'B': {'D': 2}, 'C': {'B': 1, 'D': 8}, 'D': {}}
def dijkstra(graph, start):
    dist = {node: float('inf') for node in graph}
    dist[start] = 0
    heap = [(0, start)]
    prev = {}
    while heap:
        d, node = heapq.heappop(heap)
        if d > dist[node]:
            continue
        for nxt, w in graph[node].items():
            nd = d + w
            if nd < dist[nxt]:
                dist[nxt] = nd
                prev[nxt] = node
                heapq.heappush(heap, (nd, nxt))
    return dist, prev
dist, prev = dijkstra(graph, 'A')
path, cur = [], 'D'
while cur:
    path.append(cur)
    cur = prev.get(cur)
print(' -> '.join(reversed(path)), dist)
for k, v in sorted(dist.items(), key=lambda kv: (-kv[1], kv[0])):
    print(f'{k:<5}|{v:>6.2f}|')
# ---
from datetime import datetime, timedelta, date
start = date(2024, 1, 31)
for i in range(3):
    d = start + timedelta(days=30 * i)
    print(d.isoformat(), d.strftime('%a %d %b %Y'), d.weekday())
dt = datetime.strptime('2024-03-10 14:05', '%Y-%m-%d %H:%M')
print((dt - datetime(2024, 1, 1)).days, dt.isoformat(), dt.replace(hour=0), (dt - timedelta(hours=15)).date(), datetime.fromisoformat('2024-02-29T12:00:00+02:00').utcoffset())
# ---
from itertools import groupby, accumulate, combinations, permutations, product, chain, islice, count, takewhile, zip_longest, pairwise
print([(k, len(list(g))) for k, g in groupby('aaabbc')], list(accumulate([1, 2, 3, 4], lambda a, b: a * b)), [''.join(p) for p in permutations('abc', 2)])
print(list(islice((x * x for x in count(1) if x % 3), 5)), list(takewhile(lambda x: x < 20, (n ** 2 for n in count()))), list(zip_longest([1, 2, 3], 'ab', fillvalue='-')))
print(list(chain.from_iterable([[1], [2, 3]])), list(pairwise('abcd')), sum(1 for _ in product(range(3), repeat=2)), max(combinations([3, 1, 4, 1, 5], 2), key=sum))
# ---
import csv, io
text = 'name,qty,price\n"Smith, J",2,3.50\nBob,1,"1,000.25"\n'
rows = list(csv.DictReader(io.StringIO(text)))
print(rows, sum(float(r['price'].replace(',', '')) * int(r['qty']) for r in rows))
out = io.StringIO()
w = csv.writer(out)
w.writerow(['a', 'b,c', 'd"e', 1.5, None])
w.writerows([[1, 2], [3, 4]])
print(repr(out.getvalue()))
