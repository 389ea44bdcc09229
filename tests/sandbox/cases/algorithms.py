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
from functools import cache
def min_coins(coins: list[int], amount: int) -> int:
    @cache
    def go(rest: int) -> float:
        if rest == 0:
            return 0
        if rest < 0:
            return float('inf')
        return min((go(rest - c) + 1 for c in coins), default=float('inf'))
    best = go(amount)
    return -1 if best == float('inf') else int(best)
print(min_coins([1, 2, 5], 11), min_coins([2], 3), min_coins([186, 419, 83], 627))
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
def life(cells):
    from collections import Counter
    counts = Counter((x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0))
    return {c for c, n in counts.items() if n == 3 or (n == 2 and c in cells)}
cells = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for gen in range(4):
    cells = life(cells)
print(sorted(cells))
for y in range(5):
    print(''.join('#' if (x, y) in cells else '.' for x in range(5)))
# ---
import json
raw = '{"users": [{"name": "Ann", "tags": ["a", "b"], "score": 9.5, "ok": true, "x": null}, {"name": "Bo\\u00e9", "tags": []}]}'
data = json.loads(raw)
for u in data['users']:
    u['n'] = len(u['tags'])
    u.setdefault('score', 0)
print(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False))
print(json.dumps({'a': (1, 2), 3: None, 'f': 1.0, True: 'x'}, separators=(',', ':')))
try:
    json.loads('{bad json}')
except json.JSONDecodeError as e:
    print('bad:', e, e.pos, e.lineno, e.msg)
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
def lcs(a, b):
    dp = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            dp[i][j] = dp[i-1][j-1] + 1 if x == y else max(dp[i-1][j], dp[i][j-1])
    i, j, out = len(a), len(b), []
    while i and j:
        if a[i-1] == b[j-1]:
            out.append(a[i-1]); i -= 1; j -= 1
        elif dp[i-1][j] >= dp[i][j-1]:
            i -= 1
        else:
            j -= 1
    return ''.join(out[::-1])
print(lcs('AGGTAB', 'GXTXAYB'), lcs('', 'x'))
# ---
match_log = []
def handle(cmd):
    match cmd.split():
        case ['go', ('north' | 'south' | 'east' | 'west') as d]:
            return f'going {d}'
        case ['take', *items] if items:
            return f'took {", ".join(items)}'
        case ['quit' | 'exit']:
            return 'bye'
        case []:
            return 'empty'
        case [first, *_]:
            return f'unknown {first!r}'
for c in ['go north', 'go up', 'take a b', 'take', 'exit', '']:
    print(handle(c))
def shape(s):
    match s:
        case {'type': 'circle', 'r': float(r) | int(r)}:
            return 3.14 * r * r
        case {'type': 'rect', 'w': w, 'h': h, **rest}:
            return (w * h, rest)
        case (x, y):
            return x + y
        case str() as t:
            return t.upper()
        case None:
            return 'none'
        case _:
            return -1
print([shape(s) for s in [{'type': 'circle', 'r': 2}, {'type': 'rect', 'w': 2, 'h': 3, 'c': 'red'}, (1, 2), 'abc', None, 7]])
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
def levenshtein(a, b):
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        cur = [i]
        for j, cb in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j-1] + (ca != cb)))
        prev = cur
    return prev[-1]
print({(a, b): levenshtein(a, b) for a, b in [('kitten', 'sitting'), ('', 'abc'), ('x', 'x')]})
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
def bfs(grid, start, goal):
    from collections import deque
    q, seen = deque([(start, 0)]), {start}
    while q:
        (r, c), d = q.popleft()
        if (r, c) == goal:
            return d
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < len(grid) and 0 <= nc < len(grid[0]) and grid[nr][nc] != '#' and (nr, nc) not in seen:
                seen.add((nr, nc))
                q.append(((nr, nc), d + 1))
    return None
grid = ['..#.', '.#..', '....', '#.#.']
print(bfs(grid, (0, 0), (0, 3)), bfs(grid, (0, 0), (3, 0)))
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
