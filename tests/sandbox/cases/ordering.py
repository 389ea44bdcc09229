from dataclasses import dataclass, field
import heapq, bisect
@dataclass(order=True)
class T:
    p: int
    name: str = field(default='x')
h = []
for i in [3,1,2]: heapq.heappush(h, T(i, str(i)))
print([heapq.heappop(h) for _ in range(3)])
xs = [T(2), T(1)]; xs.sort(); print(xs, max(xs), min(T(5), T(4)), T(1) < T(2) <= T(3), sorted(xs, key=lambda t: -t.p))
bisect.insort(xs, T(0)); print(xs, bisect.bisect(xs, T(1)), heapq.nlargest(2, xs), heapq.nsmallest(1, xs, key=lambda t: -t.p))
try: T(1) < 5
except TypeError as e: print(e)
xs = ['b', 'a', 'b', 'c']; print(max(sorted(set(xs)), key=xs.count), sorted(xs, key=xs.count), [*map((1, 2, 2).count, (2, 1, 3))], [*map('abca'.count, xs)])
print(max([], default=3), max(3, 1), min('abc'), sorted('bca', reverse=True), 1 < 2 < 3, 1 < 3 > 2 == 2)
# ---
from functools import total_ordering
@total_ordering
class V:
    def __init__(self, *p): self.p = p
    def __eq__(self, o):
        if not isinstance(o, V): return NotImplemented
        return self.p == o.p
    def __lt__(self, o):
        if not isinstance(o, V): return NotImplemented
        return self.p < o.p
    def __repr__(self): return f'V{self.p}'
print(V(1) <= V(2), V(2) > V(1), V(1) >= V(1), max(V(1), V(3)), sorted([V(2), V(1, 5)]), V(1) < V(2) <= V(2))
try: V(1) >= 1
except TypeError as e: print(e)
try: 3 < V(1)
except TypeError as e: print(e)
# ---
class M:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return self.v < (o.v if isinstance(o, M) else o)
    def __gt__(self, o): return self.v > (o.v if isinstance(o, M) else o)
    def __repr__(self): return f'M{self.v}'
print(M(1) < 2, 2 > M(1), 3 < M(5), sorted([M(3), 2, M(1)]), (1, M(2)) < (1, M(3)), [M(1)] < [M(1), 2], sorted([(2, M(1)), (1, M(9)), (1, M(3))]))
d = {'a': M(3), 'b': M(1)}
print(sorted(d.items(), key=lambda kv: kv[1]), min(d, key=d.get), max(d.values()))
