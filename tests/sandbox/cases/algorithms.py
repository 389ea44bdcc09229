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
class TrieNode:
    def __init__(self):
        self.children = {}
        self.is_end = False
class Trie:
    def __init__(self):
        self.root = TrieNode()
    def insert(self, word):
        node = self.root
        for ch in word:
            node = node.children.setdefault(ch, TrieNode())
        node.is_end = True
    def _find(self, prefix):
        node = self.root
        for ch in prefix:
            if ch not in node.children:
                return None
            node = node.children[ch]
        return node
    def search(self, word):
        node = self._find(word)
        return node is not None and node.is_end
    def starts_with(self, prefix):
        return self._find(prefix) is not None
    def words(self, prefix=''):
        def walk(node, acc):
            if node.is_end:
                yield acc
            for ch in sorted(node.children):
                yield from walk(node.children[ch], acc + ch)
        node = self._find(prefix)
        return list(walk(node, prefix)) if node else []
t = Trie()
for w in 'apple app apply ape bat bath'.split():
    t.insert(w)
print(t.search('app'), t.search('ap'), t.starts_with('ba'), t.words('ap'), t.words('z'))
# ---
def spiral(m):
    out = []
    while m:
        out += m.pop(0)
        m = [list(r) for r in zip(*m)][::-1]
    return out
print(spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), spiral([[1, 2, 3, 4]]))
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
class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]
    def __matmul__(self, o):
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __add__(self, o):
        return Matrix([[a + b for a, b in zip(x, y)] for x, y in zip(self.rows, o.rows)])
    def __eq__(self, o):
        return isinstance(o, Matrix) and self.rows == o.rows
    def __getitem__(self, ij):
        i, j = ij
        return self.rows[i][j]
    def __repr__(self):
        return f'Matrix({self.rows})'
    @classmethod
    def identity(cls, n):
        return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def T(self):
        return Matrix(zip(*self.rows))
m = Matrix([[1, 2], [3, 4]])
print(m @ m, m + m, m.T, m @ Matrix.identity(2) == m, m[1, 0])
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
# ---
a = {1, 2, 3, 4}
b = {3, 4, 5}
print(sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), a <= {1, 2, 3, 4, 5}, a.isdisjoint({9}), frozenset(b) == b)
first, *mid, last = [1, 2, 3, 4, 5]
(x, y), z = (1, 2), 3
print(first, mid, last, x, y, z, *range(3), sep=',')
d1, d2 = {'a': 1, 'b': 2}, {'b': 3, 'c': 4}
print({**d1, **d2}, d1 | d2, {v: k for k, v in d1.items()}, d1.keys() & d2.keys(), sorted(d1.items() - d2.items()))
# ---
class Account:
    interest = 0.02
    def __init__(self, owner, balance=0.0):
        self.owner, self._balance = owner, balance
        self.history: list[tuple[str, float]] = []
    @property
    def balance(self): return self._balance
    @balance.setter
    def balance(self, v):
        if v < 0: raise ValueError('negative balance')
        self._balance = v
    def deposit(self, amt):
        self.balance += amt
        self.history.append(('deposit', amt))
    def withdraw(self, amt):
        if amt > self.balance:
            raise InsufficientFunds(self.balance, amt)
        self.balance -= amt
        self.history.append(('withdraw', -amt))
class InsufficientFunds(Exception):
    def __init__(self, have, want):
        super().__init__(f'have {have:.2f}, want {want:.2f}')
        self.have, self.want = have, want
class Savings(Account):
    def add_interest(self):
        self.deposit(self.balance * self.interest)
s = Savings('Ann', 100)
s.deposit(50)
s.add_interest()
try:
    s.withdraw(1000)
except InsufficientFunds as e:
    print('!', e, e.want - e.have)
print(s.balance, s.history, isinstance(s, Account), type(s).__name__)
s.balance = -1
# ---
# Heaps and sorts ask objects how they compare, and tuples ask what they hold.
import heapq
class Job:
    def __init__(self, rank, name):
        self.rank, self.name = rank, name
    def __lt__(self, other):
        return self.rank < other.rank
    def __repr__(self):
        return self.name
jobs = [Job(3, 'c'), Job(1, 'a'), Job(2, 'b'), Job(1, 'd')]
heap, pairs = [], []
for number, job in enumerate(jobs):
    heapq.heappush(heap, job)
    heapq.heappush(pairs, (number % 2, job))
jobs.sort()
print([heapq.heappop(heap) for _ in range(4)], [heapq.heappop(pairs) for _ in range(4)], jobs)
jobs.sort(reverse=True)
print(jobs, heapq.nsmallest(2, jobs), heapq.nlargest(2, jobs), sorted([(1, jobs[0]), (1, jobs[3])]), max(jobs))
print(heapq.heappushpop(heap, jobs[0]), list(heapq.merge([jobs[3]], [jobs[0]])))
