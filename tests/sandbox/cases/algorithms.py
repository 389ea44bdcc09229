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
from functools import lru_cache
@lru_cache(maxsize=None)
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print([fib(i) for i in range(20)])
print(fib(80))
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
class LRUCache:
    def __init__(self, capacity: int):
        from collections import OrderedDict
        self.cap = capacity
        self.data = OrderedDict()
    def get(self, key: int) -> int:
        if key not in self.data:
            return -1
        self.data.move_to_end(key)
        return self.data[key]
    def put(self, key: int, value: int) -> None:
        if key in self.data:
            self.data.move_to_end(key)
        self.data[key] = value
        if len(self.data) > self.cap:
            self.data.popitem(last=False)
c = LRUCache(2)
c.put(1, 1); c.put(2, 2)
print(c.get(1))
c.put(3, 3)
print(c.get(2), c.get(3), list(c.data.items()))
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
class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.rank = [0] * n
        self.count = n
    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x
    def union(self, a, b):
        ra, rb = self.find(a), self.find(b)
        if ra == rb:
            return False
        if self.rank[ra] < self.rank[rb]:
            ra, rb = rb, ra
        self.parent[rb] = ra
        self.rank[ra] += self.rank[ra] == self.rank[rb]
        self.count -= 1
        return True
uf = UnionFind(8)
print([uf.union(a, b) for a, b in [(0, 1), (1, 2), (0, 2), (3, 4), (6, 7), (4, 7)]], uf.count, uf.rank)
# ---
def spiral(m):
    out = []
    while m:
        out += m.pop(0)
        m = [list(r) for r in zip(*m)][::-1]
    return out
print(spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), spiral([[1, 2, 3, 4]]))
# ---
def sieve(n):
    is_p = [True] * (n + 1)
    is_p[0] = is_p[1] = False
    p = 2
    while p * p <= n:
        if is_p[p]:
            is_p[p * p : n + 1 : p] = [False] * len(range(p * p, n + 1, p))
        p += 1
    return [i for i in range(n + 1) if is_p[i]]
print(sum(sieve(1000)), sieve(30))
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
def to_roman(n: int) -> str:
    out = ''
    for v, s in zip([1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1], 'M CM D CD C XC L XL X IX V IV I'.split()):
        q, n = divmod(n, v)
        out += s * q
    return out
def from_roman(s: str) -> int:
    vals = dict(I=1, V=5, X=10, L=50, C=100, D=500, M=1000)
    return sum(-vals[a] if vals[a] < vals.get(b, 0) else vals[a] for a, b in zip(s, s[1:] + ' '))
for n in (1994, 4, 9, 58, 3999):
    r = to_roman(n)
    print(f'{n:>5} {r:^12} {from_roman(r):05d}')
assert all(from_roman(to_roman(i)) == i for i in range(1, 200))
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
from decimal import Decimal, ROUND_HALF_UP
total = sum((Decimal(x) for x in ['1.10', '2.205', '3.33']), Decimal('0'))
print(total, total.quantize(Decimal('0.01'), rounding=ROUND_HALF_UP), f'{total:.1f}', Decimal('10') / 3, repr(total * 2))
# ---
from datetime import datetime, timedelta, date
start = date(2024, 1, 31)
for i in range(3):
    d = start + timedelta(days=30 * i)
    print(d.isoformat(), d.strftime('%a %d %b %Y'), d.weekday())
dt = datetime.strptime('2024-03-10 14:05', '%Y-%m-%d %H:%M')
print((dt - datetime(2024, 1, 1)).days, dt.isoformat(), dt.replace(hour=0), (dt - timedelta(hours=15)).date(), datetime.fromisoformat('2024-02-29T12:00:00+02:00').utcoffset())
# ---
import re
log = '''2024-01-01 ERROR [db] timeout after 30s
2024-01-01 INFO [web] GET /index 200
2024-01-02 ERROR [web] GET /x 500
2024-01-02 WARN [db] slow query 2.5s'''
pat = re.compile(r'^(?P<date>\S+) (?P<level>[A-Z]+) \[(?P<mod>\w+)\] (?P<msg>.*)$', re.M)
by = {}
for m in pat.finditer(log):
    d = m.groupdict()
    by.setdefault(d['level'], []).append((d['mod'], d['msg']))
for level, entries in sorted(by.items(), key=lambda e: -len(e[1])):
    print(f'{level:6} {len(entries)}', *(f'{m}: {msg}' for m, msg in entries), sep=' | ')
print(re.findall(r'(\d+(?:\.\d+)?)s\b', log), re.sub(r'(\w+)@(\w+)', r'\2 at \1', 'joe@home'), re.split(r'[,;]\s*', 'a, b;c'))
# ---
from itertools import groupby, accumulate, combinations, permutations, product, chain, islice, count, takewhile, zip_longest, pairwise
print([(k, len(list(g))) for k, g in groupby('aaabbc')], list(accumulate([1, 2, 3, 4], lambda a, b: a * b)), [''.join(p) for p in permutations('abc', 2)])
print(list(islice((x * x for x in count(1) if x % 3), 5)), list(takewhile(lambda x: x < 20, (n ** 2 for n in count()))), list(zip_longest([1, 2, 3], 'ab', fillvalue='-')))
print(list(chain.from_iterable([[1], [2, 3]])), list(pairwise('abcd')), sum(1 for _ in product(range(3), repeat=2)), max(combinations([3, 1, 4, 1, 5], 2), key=sum))
# ---
def solve_queens(n):
    res = []
    def place(row, cols, d1, d2, board):
        if row == n:
            res.append(board[:])
            return
        for c in range(n):
            if c in cols or row - c in d1 or row + c in d2:
                continue
            board.append(c)
            place(row + 1, cols | {c}, d1 | {row - c}, d2 | {row + c}, board)
            board.pop()
    place(0, set(), set(), set(), [])
    return res
s = solve_queens(6)
print(len(s))
for c in s[0]:
    print('.' * c + 'Q' + '.' * (6 - c - 1))
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
def count_bits(n): return bin(n).count('1')
print([count_bits(i) for i in range(16)], 0b1010 ^ 0x3, 5 & -5, ~7, 1 << 40, (255).bit_length(), (-8) >> 1, f'{37:08b} {255:x} {255:#X} {8:o}', int('ff', 16), int('-0b11', 2), hex(-255))
nums = [4, 1, 2, 1, 2]
x = 0
for n in nums:
    x ^= n
print(x)
print((10).bit_count(), (1024).to_bytes(2, 'big'), int.from_bytes(b'\x01\x00', 'big'))
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
data = [5, 3, 8, 1, 9, 2]
def quicksort(a):
    if len(a) <= 1: return a
    pivot, *rest = a
    return quicksort([x for x in rest if x < pivot]) + [pivot] + quicksort([x for x in rest if x >= pivot])
def merge_sort(a):
    if len(a) < 2: return a
    mid = len(a) // 2
    l, r = merge_sort(a[:mid]), merge_sort(a[mid:])
    out = []
    while l and r:
        out.append(l.pop(0) if l[0] <= r[0] else r.pop(0))
    return out + l + r
def bubble(a):
    a = a[:]
    for i in range(len(a)):
        swapped = False
        for j in range(len(a) - 1 - i):
            if a[j] > a[j+1]:
                a[j], a[j+1] = a[j+1], a[j]
                swapped = True
        if not swapped:
            break
    else:
        print('never')
    return a
print(quicksort(data), merge_sort(data), bubble(data), sorted(data) == bubble(data))
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
def valid(s):
    pairs = {')': '(', ']': '[', '}': '{'}
    stack = []
    for ch in s:
        if ch in '([{':
            stack.append(ch)
        elif ch in pairs:
            if not stack or stack.pop() != pairs[ch]:
                return False
    return not stack
print([valid(s) for s in ['()', '([)]', '{[]}', '(', '']])
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
from enum import Enum, auto
class State(Enum):
    IDLE = auto()
    RUNNING = auto()
    DONE = 'done'
TRANS = {(State.IDLE, 'start'): State.RUNNING, (State.RUNNING, 'finish'): State.DONE}
s = State.IDLE
for ev in ['start', 'bogus', 'finish']:
    new = TRANS.get((s, ev))
    if new is None:
        print(f'invalid {ev} in {s.name}')
        continue
    print(f'{s.name} -> {new.name}')
    s = new
print(s, s.value, State('done') is s, [m.name for m in State], State['IDLE'], repr(s))
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
if (n := len('hello world')) > 5:
    print(f'{n=} {n*2=} {"long"!r:>10}')
while (line := ['a', 'b', 'stop', 'c'][n % 4]) != 'stop':
    print(line)
    n += 1
print([y for x in range(5) if (y := x * x) > 4])
print(f'{1234567.891:,.2f}|{0.256:.1%}|{42:+d}|{"x":*^9}|{3.0:g}|{1e10:e}|{-5:05d}|{True!s:>6}|{1_000_000:_}')
w, p = 10, 3
print(f'{3.14159:{w}.{p}f}|{"ab":>{w}}|{{literal}}')
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
def parse_duration(s: str) -> int:
    import re
    units = {'h': 3600, 'm': 60, 's': 1}
    if not re.fullmatch(r'(?:\d+[hms])+', s):
        raise ValueError(f'invalid duration: {s!r}')
    return sum(int(n) * units[u] for n, u in re.findall(r'(\d+)([hms])', s))
for s in ['1h30m', '45s', 'abc', '2h5m7s']:
    try:
        print(s, parse_duration(s))
    except ValueError as e:
        print('error:', e)
    finally:
        print('-')
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
def topo(deps):
    from collections import defaultdict, deque
    indeg = defaultdict(int)
    out = defaultdict(list)
    for k, vs in deps.items():
        indeg[k] += 0
        for v in vs:
            out[v].append(k)
            indeg[k] += 1
            indeg.setdefault(v, 0)
    q = deque(sorted(k for k, n in indeg.items() if not n))
    order = []
    while q:
        x = q.popleft()
        order.append(x)
        for y in out[x]:
            indeg[y] -= 1
            if indeg[y] == 0:
                q.append(y)
    if len(order) != len(indeg):
        raise ValueError('cycle: ' + ', '.join(sorted(set(indeg) - set(order))))
    return order
print(topo({'app': ['db', 'web'], 'web': ['net'], 'db': ['net']}))
print(topo({'a': ['b'], 'b': ['a'], 'c': []}))
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
# A mark for what was not given.
_missing = object()
def lookup(table, key, default=_missing):
    found = table.get(key, _missing)
    if found is not _missing:
        return found
    if default is _missing:
        raise KeyError(key)
    return default
print(lookup({'a': None}, 'a'), lookup({}, 'b', 5), _missing == object(), isinstance(_missing, object))
lookup({}, 'c')
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
# ---
import heapq
from dataclasses import dataclass
@dataclass(order=True)
class Entry:
    rank: int
    name: str
entries = [Entry(2, 'x'), Entry(1, 'y'), Entry(1, 'b')]
entries.sort()
heapq.heapify(entries)
heapq.heappop(entries), entries
