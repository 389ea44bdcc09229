from typing import List, Optional, Tuple, Dict
def has_close_elements(numbers: List[float], threshold: float) -> bool:
    for idx, elem in enumerate(numbers):
        for idx2, elem2 in enumerate(numbers):
            if idx != idx2 and abs(elem - elem2) < threshold:
                return True
    return False
def separate_paren_groups(s: str) -> List[str]:
    res, cur, depth = [], [], 0
    for c in s:
        if c == '(':
            depth += 1; cur.append(c)
        elif c == ')':
            depth -= 1; cur.append(c)
            if depth == 0:
                res.append(''.join(cur)); cur.clear()
    return res
def truncate(x: float) -> float: return x % 1.0
def below_zero(ops: List[int]) -> bool:
    b = 0
    for op in ops:
        b += op
        if b < 0: return True
    return False
def mad(ns): 
    m = sum(ns) / len(ns)
    return sum(abs(x - m) for x in ns) / len(ns)
assert has_close_elements([1.0, 2.8, 3.0], 0.3) is True
print(separate_paren_groups('( ) (( )) (( )( ))'), truncate(3.5), below_zero([1, 2, -4]), mad([1.0, 2.0, 3.0, 4.0]))
# ---
def find_zero(xs):
    import math
    def poly(xs, x): return sum(c * math.pow(x, i) for i, c in enumerate(xs))
    b, e = -1., 1.
    while poly(xs, b) * poly(xs, e) > 0:
        b *= 2.0; e *= 2.0
    while e - b > 1e-10:
        c = (b + e) / 2.0
        if poly(xs, c) * poly(xs, b) > 0: b = c
        else: e = c
    return b
print(round(find_zero([1, 2]), 2), round(find_zero([-6, 11, -6, 1]), 2))
def prime_fib(n):
    def is_prime(p):
        if p < 2: return False
        for k in range(2, min(int(p ** .5) + 1, p - 1)):
            if p % k == 0: return False
        return True
    f = [0, 1]
    while True:
        f.append(f[-1] + f[-2])
        if is_prime(f[-1]): n -= 1
        if n == 0: return f[-1]
print([prime_fib(i) for i in range(1, 8)])
def change_base(x, base):
    r = ''
    while x > 0:
        r = str(x % base) + r
        x //= base
    return r
print(change_base(8, 3), change_base(7, 2))
# ---
class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next
def build(xs):
    dummy = cur = ListNode()
    for x in xs:
        cur.next = ListNode(x)
        cur = cur.next
    return dummy.next
def to_list(n):
    out = []
    while n:
        out.append(n.val); n = n.next
    return out
def reverse(head):
    prev = None
    while head:
        head.next, prev, head = prev, head, head.next
    return prev
def merge(a, b):
    dummy = tail = ListNode()
    while a and b:
        if a.val <= b.val:
            tail.next, a = a, a.next
        else:
            tail.next, b = b, b.next
        tail = tail.next
    tail.next = a or b
    return dummy.next
def middle(h):
    slow = fast = h
    while fast and fast.next:
        slow, fast = slow.next, fast.next.next
    return slow.val
print(to_list(reverse(build([1, 2, 3]))), to_list(merge(build([1, 4, 6]), build([2, 3, 9]))), middle(build(range(7))))
class Solution:
    def addTwoNumbers(self, l1: 'Optional[ListNode]', l2: 'Optional[ListNode]') -> 'Optional[ListNode]':
        dummy = ListNode()
        cur, carry = dummy, 0
        while l1 or l2 or carry:
            s = (l1.val if l1 else 0) + (l2.val if l2 else 0) + carry
            carry, d = divmod(s, 10)
            cur.next = ListNode(d)
            cur = cur.next
            l1 = l1.next if l1 else None
            l2 = l2.next if l2 else None
        return dummy.next
print(to_list(Solution().addTwoNumbers(build([2, 4, 3]), build([5, 6, 4]))))
# ---
def two_sum(nums, target):
    seen = {}
    for i, n in enumerate(nums):
        if (j := seen.get(target - n)) is not None:
            return [j, i]
        seen[n] = i
def three_sum(nums):
    nums.sort()
    res = set()
    for i, a in enumerate(nums):
        l, r = i + 1, len(nums) - 1
        while l < r:
            s = a + nums[l] + nums[r]
            if s == 0:
                res.add((a, nums[l], nums[r])); l += 1; r -= 1
            elif s < 0: l += 1
            else: r -= 1
    return sorted(map(list, res))
def longest_unique(s):
    last, start, best = {}, 0, 0
    for i, c in enumerate(s):
        if c in last and last[c] >= start: start = last[c] + 1
        last[c] = i
        best = max(best, i - start + 1)
    return best
def group_anagrams(ws):
    from collections import defaultdict
    d = defaultdict(list)
    for w in ws: d[tuple(sorted(w))].append(w)
    return sorted(d.values(), key=lambda g: (-len(g), g))
def max_sub(a):
    best = cur = a[0]
    for x in a[1:]:
        cur = max(x, cur + x); best = max(best, cur)
    return best
def merge_iv(ivs):
    out = []
    for s, e in sorted(ivs):
        if out and s <= out[-1][1]: out[-1][1] = max(out[-1][1], e)
        else: out.append([s, e])
    return out
print(two_sum([2, 7, 11], 9), two_sum([1], 5), three_sum([-1, 0, 1, 2, -1, -4]), longest_unique('abcabcbb'), group_anagrams(['eat', 'tea', 'tan', 'ate', 'nat', 'bat']), max_sub([-2, 1, -3, 4, -1, 2, 1, -5, 4]), merge_iv([[1, 3], [2, 6], [8, 10]]))
# ---
def knapsack(items, cap):
    dp = [0] * (cap + 1)
    for w, v in items:
        for c in range(cap, w - 1, -1):
            dp[c] = max(dp[c], dp[c - w] + v)
    return dp[-1]
def lis(a):
    import bisect
    tails = []
    for x in a:
        i = bisect.bisect_left(tails, x)
        tails[i:i + 1] = [x]
    return len(tails)
def word_break(s, words):
    words = set(words)
    ok = [True] + [False] * len(s)
    for i in range(1, len(s) + 1):
        ok[i] = any(ok[j] and s[j:i] in words for j in range(i))
    return ok[-1]
def unique_paths(m, n):
    row = [1] * n
    for _ in range(m - 1):
        for j in range(1, n): row[j] += row[j - 1]
    return row[-1]
def pascal(n):
    row = [1]
    for _ in range(n):
        yield row
        row = [a + b for a, b in zip([0] + row, row + [0])]
print(knapsack([(1, 1), (3, 4), (4, 5), (5, 7)], 7), lis([10, 9, 2, 5, 3, 7, 101, 18]), word_break('leetcode', ['leet', 'code']), unique_paths(3, 7))
for r in pascal(5): print(' '.join(map(str, r)).center(20).rstrip())
# ---
def rotate(m): return [list(r) for r in zip(*m[::-1])]
def transpose(m): return list(map(list, zip(*m)))
def islands(g):
    g = [list(r) for r in g]
    def sink(i, j):
        if 0 <= i < len(g) and 0 <= j < len(g[0]) and g[i][j] == '1':
            g[i][j] = '0'
            for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)): sink(i + di, j + dj)
            return 1
        return 0
    return sum(sink(i, j) for i in range(len(g)) for j in range(len(g[0])))
def det(m):
    if len(m) == 1: return m[0][0]
    return sum((-1) ** j * m[0][j] * det([r[:j] + r[j + 1:] for r in m[1:]]) for j in range(len(m)))
m = [[1, 2, 3], [4, 5, 6], [7, 8, 10]]
print(rotate(m), transpose(m), islands(['110', '010', '101']), det(m), [r[i] for i, r in enumerate(m)], sum(map(sum, m)))
for row in m: print(*(f'{x:>3}' for x in row), sep='|')
grid = [['.'] * 4 for _ in range(2)]
grid[1][2] = 'X'
print('\n'.join(''.join(r) for r in grid))
flat = [x for row in m for x in row if x % 2]
print(flat, [[x * 2 for x in row] for row in m], list(zip(*[iter(range(6))] * 2)))
# ---
s = 'The Quick brown fox'
words = s.split()
print({w: len(w) for w in words}, sorted(words, key=str.lower), sorted(words, key=lambda w: (-len(w), w)), ' '.join(w[::-1] for w in words), max(words, key=len), [w for w in words if w.istitle()])
freq = {}
for ch in s.lower():
    if ch.isalpha(): freq[ch] = freq.get(ch, 0) + 1
top = sorted(freq.items(), key=lambda kv: (-kv[1], kv[0]))[:3]
print(top, *[f'{c}:{"*" * n}' for c, n in top], sep='\n')
def rle(s):
    out, i = '', 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]: j += 1
        out += s[i] + (str(j - i) if j - i > 1 else '')
        i = j
    return out
print(rle('aaabccdddd'), ''.join(dict.fromkeys('mississippi')), 'racecar' == 'racecar'[::-1], any(map(str.isdigit, 'ab1')), list(enumerate('ab', 1)), dict(zip('abc', range(3))))
# ---
class Shape:
    def area(self) -> float:
        raise NotImplementedError
    def describe(self) -> str:
        return f'{self.__class__.__name__} area={self.area():.2f}'
class Circle(Shape):
    def __init__(self, r): self.r = r
    def area(self): return 3.14159 * self.r ** 2
class Rect(Shape):
    def __init__(self, w, h): self.w, self.h = w, h
    def area(self): return self.w * self.h
class Square(Rect):
    def __init__(self, s):
        super().__init__(s, s)
    def describe(self):
        return super().describe() + '!'
shapes = [Circle(1), Rect(2, 3), Square(2)]
for s in shapes: print(s.describe())
print(sorted(shapes, key=lambda s: s.area())[0].describe(), isinstance(shapes[2], Rect), issubclass(Square, Shape), hasattr(shapes[0], 'r'))
try:
    Shape().area()
except NotImplementedError as e:
    print('abstract', repr(e))
# ---
inventory = {'apple': {'qty': 5, 'price': 1.2}, 'pear': {'qty': 0, 'price': 2}, 'fig': {'qty': 12, 'price': 0.35}}
total = sum(i['qty'] * i['price'] for i in inventory.values())
print(f'{total:.2f}', {k: v for k, v in inventory.items() if v['qty']}, sorted(inventory, key=lambda k: inventory[k]['price']))
inventory['pear'] |= {'qty': 3}
removed = inventory.pop('apple', None)
print(removed, inventory.get('nope'), list(inventory), len(inventory), 'fig' in inventory)
for name, info in inventory.items():
    info['value'] = round(info['qty'] * info['price'], 2)
print(inventory, min(inventory.items(), key=lambda kv: kv[1]['value'])[0])
nested = {}
for path, v in [('a/b/c', 1), ('a/b/d', 2), ('e', 3)]:
    *parents, leaf = path.split('/')
    d = nested
    for p in parents: d = d.setdefault(p, {})
    d[leaf] = v
print(nested)
inv = {}
for k, v in {'x': 1, 'y': 2, 'z': 1}.items(): inv.setdefault(v, []).append(k)
print(inv, dict(sorted(inv.items(), reverse=True)), {**inv, 3: []}, inv.popitem())
# ---
# until 3.11
from datetime import datetime, date, timedelta
import calendar
events = [('2024-02-28', 'a'), ('2023-12-31', 'b'), ('2024-02-29', 'c')]
parsed = sorted((datetime.strptime(d, '%Y-%m-%d').date(), n) for d, n in events)
print(parsed[0][0].year, [(d.strftime('%b %d'), n) for d, n in parsed], (parsed[-1][0] - parsed[0][0]).days)
def age(born, today): return today.year - born.year - ((today.month, today.day) < (born.month, born.day))
print(age(date(2000, 5, 17), date(2024, 5, 16)), calendar.monthrange(2024, 2), calendar.isleap(1900), date(2024, 1, 1).isocalendar()[1])
d = date(2024, 5, 1)
bdays = 0
while bdays < 10:
    d += timedelta(days=1)
    if d.weekday() < 5: bdays += 1
print(d, d.strftime('%A'), date.fromisoformat('2024-12-25') > d, timedelta(hours=25, minutes=3), str(timedelta(seconds=3661)), timedelta(days=1).total_seconds(), datetime(2024, 1, 1, 9, 5).strftime('%H:%M %p %j'), repr(d))
months = {}
for dd, n in parsed: months.setdefault(dd.strftime('%Y-%m'), []).append(n)
print(months, f'{d:%d/%m/%Y}', d.replace(day=1) - timedelta(days=1), datetime(2024, 3, 1) - timedelta(microseconds=1))
# ---
def bin_search(a, t):
    lo, hi = 0, len(a) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if a[mid] == t: return mid
        lo, hi = (mid + 1, hi) if a[mid] < t else (lo, mid - 1)
    return ~lo
def factors(n):
    f, d = {}, 2
    while d * d <= n:
        while n % d == 0: f[d] = f.get(d, 0) + 1; n //= d
        d += 1
    if n > 1: f[n] = f.get(n, 0) + 1
    return f
def collatz(n):
    steps = 0
    while n != 1: n = n // 2 if n % 2 == 0 else 3 * n + 1; steps += 1
    return steps
def egcd(a, b): return (b, 0, 1) if a == 0 else (lambda g, y, x: (g, x - (b // a) * y, y))(*egcd(b % a, a))
perfect = [n for n in range(2, 500) if sum(d for d in range(1, n) if n % d == 0) == n]
print(bin_search([1, 3, 5], 3), bin_search([1, 3, 5], 4), factors(360), max(range(1, 30), key=collatz), egcd(30, 20), perfect, pow(3, 200, 13), pow(3, -1, 11), divmod(-7, 2), -7 // 2, -7 % 3, 7.5 // 2, round(2.5), round(-0.5), round(1234, -2), 10 ** 20, 2 ** -1, 1e16, 0.1 + 0.2, int(-3.7), float('1e3'), abs(-2), 17 / 4)
import math
print(math.comb(5, 2), math.isqrt(50), math.gcd(12, 18), math.ceil(2.1), math.floor(-2.1), math.hypot(3, 4), f'{math.pi:.4f}', math.prod([1, 2, 3]), math.inf > 1, math.isclose(.1 + .2, .3), math.log2(8), math.factorial(10), math.lcm(4, 6), sum(int(d) for d in str(2 ** 50)), complex(1, 2) * 2j)
# ---
from dataclasses import dataclass, field, replace, astuple
from typing import Optional, ClassVar
@dataclass
class Task:
    title: str
    priority: int = 3
    done: bool = False
    deps: list['Task'] = field(default_factory=list)
    parent: Optional['Task'] = None
    counter: ClassVar[int] = 0
    def __post_init__(self):
        if not self.title.strip(): raise ValueError('empty title')
        Task.counter += 1
    @property
    def ready(self) -> bool: return all(d.done for d in self.deps)
    def complete(self) -> 'Task':
        if not self.ready: raise RuntimeError(f'{self.title} blocked')
        self.done = True
        return self
a = Task('design'); b = Task('build', 1, deps=[a])
try: b.complete()
except RuntimeError as e: print(e)
a.complete(); b.complete()
print(a, b.done, Task.counter, replace(a, title='z'), a == Task('design', done=True))
@dataclass(frozen=True)
class Point:
    x: int = 0
    y: int = 0
    def __add__(self, o): return Point(self.x + o.x, self.y + o.y)
pts = {Point(1, 2), Point(1, 2), Point()}
print(len(pts), Point(1) + Point(0, 5), astuple(Point(3, 4)))
try:
    Point().x = 5
except Exception as e:
    print(type(e).__name__, e)
Task('')
# ---
class Bank:
    def __init__(self): self.accounts = {}
    def open(self, name, bal=0):
        if name in self.accounts: raise ValueError(f'{name} exists')
        self.accounts[name] = bal
    def transfer(self, a, b, amt):
        if amt <= 0: raise ValueError('amount must be positive')
        if self.accounts[a] < amt: raise ValueError('insufficient')
        self.accounts[a] -= amt; self.accounts[b] += amt
b = Bank(); b.open('x', 100); b.open('y')
for args in [('x', 'y', 30), ('y', 'x', 50), ('x', 'z', 5), ('x', 'y', -1)]:
    try: b.transfer(*args)
    except (ValueError, KeyError) as e: print(type(e).__name__, e, args)
print(b.accounts)
# ---
import re
from collections import namedtuple
Token = namedtuple('Token', ['type', 'value', 'line', 'col'])
spec = [('NUM', r'\d+(\.\d*)?'), ('ASSIGN', r':='), ('END', r';'), ('ID', r'[A-Za-z_]\w*'), ('OP', r'[+\-*/]'), ('NL', r'\n'), ('SKIP', r'[ \t]+'), ('BAD', r'.')]
rx = re.compile('|'.join(f'(?P<{n}>{p})' for n, p in spec))
def lex(code):
    line, start = 1, 0
    for m in rx.finditer(code):
        kind, val, col = m.lastgroup, m.group(), m.start() - start
        if kind == 'NUM': val = float(val) if '.' in val else int(val)
        elif kind == 'NL': start = m.end(); line += 1; continue
        elif kind == 'SKIP': continue
        elif kind == 'BAD': raise RuntimeError(f'{val!r} unexpected on line {line}')
        yield Token(kind, val, line, col)
for t in lex('x := 3 + 4.5;\ny := x * 2;'): print(t.type, t.value, t.line, t.col, sep=':', end=' ')
print(next(lex('a')))
list(lex('a ? b'))
# ---
def solve(board):
    def ok(r, c, v):
        return all(board[r][j] != v for j in range(4)) and all(board[i][c] != v for i in range(4)) and all(board[r // 2 * 2 + i][c // 2 * 2 + j] != v for i in range(2) for j in range(2))
    for r in range(4):
        for c in range(4):
            if board[r][c] == 0:
                for v in range(1, 5):
                    if ok(r, c, v):
                        board[r][c] = v
                        if solve(board): return True
                        board[r][c] = 0
                return False
    return True
b = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]
print(solve(b)); print(*b, sep='\n')
# ---
import itertools as it
from collections import Counter, OrderedDict, defaultdict
words = 'apple banana cherry avocado blueberry cranberry'.split()
idx = {k: list(v) for k, v in it.groupby(sorted(words), key=lambda w: w[0])}
print(idx, list(it.starmap(pow, [(2, 3), (3, 2)])), list(it.compress('ABCD', [1, 0, 1, 0])), list(it.dropwhile(lambda x: x < 3, [1, 3, 2])))
a, b = it.tee(iter([1, 2, 3])); next(b, None)
print([y - x for x, y in zip(a, b)], list(it.filterfalse(str.isupper, 'aBc')), [next(c) for c in [it.cycle('xy')] for _ in range(3)], list(it.repeat(0, 3)), list(it.combinations_with_replacement('ab', 2)), list(it.chain('ab', [1])), list(it.accumulate([3, 1, 4], max)), list(it.accumulate([1, 2], initial=10)))
tree = lambda: defaultdict(tree)
t = tree(); t['a']['b']['c'] = 1
import json
print(json.dumps(t), Counter('hello').most_common(), sum(Counter(a=2, b=1).values()), sorted(Counter('abca').elements()), Counter([1, 1, 2]) == Counter({1: 2, 2: 1}))
dd = defaultdict(lambda: 'n/a', x=1); print(dd['q'], len(dd), dd.get('zz'), dict(dd))
# ---
def process(records):
    ok, bad = [], []
    for i, rec in enumerate(records):
        try:
            name, raw, *tags = rec.split('|')
            value = float(raw)
            if value < 0: raise ValueError('negative')
        except ValueError as e:
            bad.append((i, str(e)))
            continue
        else:
            ok.append({'name': name.strip().title(), 'value': value, 'tags': tags})
    return ok, bad
ok, bad = process(['ann |1.5|x|y', 'bob|abc', 'cy', 'dee|-1', 'eve|2'])
print(ok); print(bad)
print(f"{sum(r['value'] for r in ok)=:.1f}", [t for r in ok for t in r['tags']])
# ---
def compress(s):
    from itertools import groupby
    return ''.join(f'{k}{n}' if (n := len(list(g))) > 1 else k for k, g in groupby(s))
def decode(s):
    stack, cur, num = [], '', 0
    for c in s:
        if c.isdigit(): num = num * 10 + int(c)
        elif c == '[': stack.append((cur, num)); cur, num = '', 0
        elif c == ']': prev, n = stack.pop(); cur = prev + cur * n
        else: cur += c
    return cur
def zigzag(s, n):
    rows, r, d = [''] * n, 0, 1
    for c in s:
        rows[r] += c
        if r == 0: d = 1
        elif r == n - 1: d = -1
        r += d
    return ''.join(rows)
def words(n):
    ones = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split()
    tens = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split()
    if n < 20: return ones[n]
    if n < 100: return tens[n // 10] + ('-' + ones[n % 10] if n % 10 else '')
    if n < 1000: return ones[n // 100] + ' hundred' + (' ' + words(n % 100) if n % 100 else '')
    return words(n // 1000) + ' thousand' + (' ' + words(n % 1000) if n % 1000 else '')
def is_pal(s): return (t := [c for c in s.lower() if c.isalnum()]) == t[::-1]
def luhn(s): return sum(d if i % 2 == 0 else sum(divmod(d * 2, 10)) for i, d in enumerate(map(int, reversed(s)))) % 10 == 0
def pig(w): return w + 'way' if w[0] in 'aeiou' else next((w[i:] + w[:i] + 'ay' for i, c in enumerate(w) if c in 'aeiouy'), w)
print(compress('aaabbc'), decode('3[a2[c]]x'), zigzag('PAYPALISHIRING', 3), words(12345), is_pal('A man, a plan, a canal: Panama'), luhn('4539578763621486'), ' '.join(map(pig, 'the quick apple'.split())))
print({n: bin(n)[2:].rjust(4, '0') for n in (1, 5)}, int('1010', 2), ord('a'), chr(8364), 'é'.encode(), b'\xc3\xa9'.decode(), 'ß'.upper(), 'a\tb'.expandtabs(4), repr('it\'s "q"\n'))
# ---
class Timer:
    def __enter__(self): print('enter'); return self
    def __exit__(self, t, v, tb):
        print('exit', t.__name__ if t else None, v)
        return t is ValueError
with Timer() as t:
    raise ValueError('swallowed')
with Timer():
    print('body')
from contextlib import suppress
with suppress(KeyError, ZeroDivisionError):
    {}['x']
def f():
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: return i
        finally: print('fin', i)
print(f())
with Timer(): {}['gone']
# ---
async def with_retry(call, tries=3):
    last = None
    for attempt in range(1, tries + 1):
        try:
            return await call(attempt)
        except ValueError as e:
            last = e
            print(f'attempt {attempt}: {e}')
    raise RuntimeError(f'gave up after {tries}') from last
async def shaky(n):
    if n < 3:
        await fail(message=f'busy {n}')
    return await add(a=n, b=1)
async def never(n):
    await fail(message='down')
print(await with_retry(shaky))
await with_retry(never, tries=2)
# ---
import asyncio
async def safe(i):
    if i % 2:
        await fail(message=f'odd {i}')
    return await slow(value=i)
results = await asyncio.gather(*map(safe, range(4)), return_exceptions=True)
print([r if not isinstance(r, Exception) else f'{type(r).__name__}: {r}' for r in results])
data = await echo(value={'a': {'b': [{'c': 1}, {'c': 2}]}})
print(data['a']['b'][-1]['c'], data.get('x', {}).get('y', 'none'), sum(d['c'] for d in data['a']['b']))
data['a']['z']
