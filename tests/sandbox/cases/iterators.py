# An iterator gives each value once.
m = map(str, [1, 2])
[list(m), list(m)]
# ---
it = iter([1, 2, 3, 4, 5])
list(zip(it, it)), next(it, 'over')
# ---
any(1 / x > 0 for x in [1, 0]), all(x for x in [0, 'a'])
# ---
next(filter(lambda x: x > 5, [1, 2]), None), next(filter(None, [0, 3]))
# ---
import itertools
next(x for x in itertools.count() if x * x > 50)
# ---
def f(x):
    print('f', x)
    return x * 2

m = map(f, [1, 2, 3])
print('made')
print(next(m))
for x in m:
    print('got', x)
# ---
def f(x):
    print('f', x)
    return x > 1

print(any(f(x) for x in [1, 2, 3]))
print(all(map(f, [1, 2])))
print(next((x for x in [1, 2, 3] if f(x)), None))
print(2 in (y for y in [1, 2, 3] if f(y)))
print([x for x in filter(f, [1, 2])])
# ---
for x in map(int, ['1', '2', 'z']):  ### ValueError
    print(x)
# ---
xs = [1, 2, 3]
for i, x in enumerate(xs):
    if len(xs) < 5:
        xs.append(9)
    print(i, x)
# ---
xs = [1, 2, 3, 4]
for x in reversed(xs):
    if x % 2:
        xs.remove(x)
    print(x)
xs
# ---
g = ((x, y) for x in range(3) if x for y in range(x) if y != 1)
print(next(g))
list(g), list(g)
# ---
rows = [{'a': 1}, {'a': 2}, {}]
next((r for r in rows if r['a'] == 2), None), any(r['a'] == 1 for r in rows)
# ---
xs = [3, 1, 2]
e = enumerate(xs, start=1)
z = zip(xs, 'abc', strict=True)
r = reversed(xs)
next(e), list(e), next(z), list(z), next(r), list(r), list(r)
# ---
try:
    list(zip([1], [1, 2], strict=True))
except ValueError as e:
    print(e)
try:
    for a, b in zip([1, 2], [1], strict=True):
        print(a, b)
except ValueError as e:
    print(e)
# ---
n = 10
g = (x * n for x in [1, 2])
n = 100
list(g)
# ---
def squares(xs):
    return (x * x for x in xs)

sum(squares([1, 2])), max(squares([3, -4])), ','.join(str(x) for x in squares([5])), sorted(squares([3, 1]))
# ---
a, b = map(int, '3 4'.split())
first, *rest = (x + 1 for x in range(4))
a, b, first, rest
# ---
from collections import Counter, deque
Counter(map(len, ['a', 'bb', 'cc'])), deque(x for x in [1, 2]), dict(zip('ab', [1, 2])), set(map(abs, [-1, 1]))
# ---
xs = [1]
xs.extend(x + 1 for x in xs[:])
xs += map(str, [7])
xs
# ---
def lines():
    print('open')
    yield 'a=1'
    yield 'b=2'
    print('close')

pairs = (line.split('=') for line in lines())
print('lazy')
dict(pairs)
# ---
class A:
    def __init__(self, xs):
        self.xs = xs
    def __iter__(self):
        return iter(self.xs)
    def evens(self):
        return filter(lambda x: x % 2 == 0, self)

a = A([1, 2, 4])
list(a.evens()), sum(1 for _ in a), list(map(lambda x, y: x + y, a, a.evens()))
# ---
import itertools
def f(x):
    print('f', x)
    return x
list(itertools.islice(map(f, itertools.count(1)), 3)), list(itertools.takewhile(lambda x: x < 3, (f(x) for x in range(9))))
# ---
def str_len(str):
    return str.split(' ')

def total(sum, list):
    return [sum + x for x in list]

str_len('a b'), total(1, [2]), (lambda len: len + 1)(2), [max for max in [1, 2]]
# ---
any(await echo(x) for x in [1]) if False else any([await echo(x) for x in [0, 2]])
# ---
any(next_number() == 2 for _ in range(5)), next_number()
# ---
class Update:
    def update(self, x):
        return ('own', x)
    def difference(self, *xs):
        return xs
    def popitem(self, last=True):
        return last
    def sub(self, f, s):
        return f(s)
    def is_integer(self):
        return 'mine'

u = Update()
u.update(1), u.difference(1, 2), u.popitem(last=False), u.sub(lambda x: x, 's'), u.is_integer(), (3.0).is_integer()
# ---
def count_up(limit):
    yield from range(limit)

[*count_up(2), *count_up(1)], dict(enumerate(count_up(2))), list(reversed([1, 2])), [*reversed('ab')], list(reversed({'a': 1, 'b': 2}))
# ---
it = (x for x in [1, 2, 3])
for x in it:
    break
list(it), bool(x for x in []), isinstance(iter([1]), object)
# ---
matrix = [[1, 2], [3, 4]]
[list(row) for row in zip(*matrix)], [sum(col) for col in zip(*matrix)], list(map(list, zip(*matrix)))
# ---
total = 0
for i, (a, b) in enumerate(zip([1, 2], [3, 4]), 1):
    total += i * a * b
total
# ---
d = {'a': 1, 'b': 2}
inverted = dict(map(lambda kv: (kv[1], kv[0]), d.items()))
sorted(((v, k) for k, v in d.items()), reverse=True), inverted, min(d, key=lambda k: d[k]), max((v for v in d.values()), default=0)
# ---
nums = [3, 8, 12, 15]
def log(x): print('see', x); return x
if any((big := log(n)) > 10 for n in nums): print('found', big)
print(all((bad := log(n)) < 10 for n in nums), bad)
# ---
def find(xs):
    if any((hit := x) % 5 == 0 for x in xs): return hit
    return None
print(find([1,10,3,5]), find([1]))
# ---
print({(k := c.upper()): k + '!' for c in 'ab'}, sum((s := i) for i in range(4)), s)
# ---
import re
lines = ['a=1', 'x', 'b=2']
print([m.group(1) for l in lines if (m := re.match(r'(\w)=', l))], next((m.group(0) for l in lines if (m := re.search('b.*', l))), None))
def first(lines): return next((m.group(2) for l in lines if (m := re.match(r'(\w)=(\d)', l))), 'none')
print(first(lines), first([]))
# ---
def f(x): return x*2 if x > 2 else None
xs=[1,2,3,4]
if any((m := f(x)) for x in xs):
    print(m)
grid = [[1,2],[3,4]]
if any((at := (i, j)) and v == 3 for i, row in enumerate(grid) for j, v in enumerate(row)): print(at)
print(next((w for x in xs if (w := x * x) > 5), None), w)
try: next((w for x in xs if (w := x) > 50))
except StopIteration: print('stop', w)
# ---
def g(rows):
    return [r for r in rows if any((c := v) > 2 for v in r) and c != 9]
print(g([[1,3],[1],[9]]))
def total(rows): return sum(t for r in rows if (t := r.get('v')) is not None)
print(total([{'v':1},{},{'v':3}]), max((l := len(w)) for w in ['a','bbb','cc']), l)
# ---
def gen(rows):
    for y in (z for r in rows if (z := r + 1) > 2): yield y
print(list(gen([1,2,3])), ','.join(u for w in 'ab' if (u := w.upper())))
# ---
xs = ['1', 'b', '3']
def num(s): return int(s) if s.isdigit() else None
nums = list(n for s in xs if (n := num(s)) is not None); print(nums, n)
it = (q for s in xs if (q := num(s))); print(next(it), list(it))
# ---
def ok(x): return x > 1
assert any((p := x) and ok(x) for x in [1,2,3]), 'none'
print(p)
async def main():
    if not any((t := x) == 2 for x in [1,2,3]): return
    return t
print(await main())
# ---
# What is combined by loops: in the same order, with the same errors, and as deep as calls go.
class M:
    def __init__(self, n): self.n = n
    def __add__(self, o): return M(self.n + (o.n if isinstance(o, M) else o))
    __radd__ = __add__
    def __bool__(self): return self.n > 0
    def __lt__(self, o): return self.n < o.n
    def __gt__(self, o): return self.n > o.n
    def __repr__(self): return f'M{self.n}'
def mk(n):
    print('mk', n)
    return M(n)
print(sum(mk(i) for i in range(3)), sum((mk(i) for i in range(2)), M(10)), sum(map(mk, [1, 2])), sum((mk(1) for _ in 'a'), start=M(5)))
print(min(mk(i) for i in (3, 1, 2)), max(mk(i) for i in (3, 1)), max((mk(i) for i in ()), default='none'))
print(any(mk(i) for i in (0, 1, 2)), all(mk(i) for i in (1, 0, 2)), any(map(mk, [0, 3, 4])), all(map(mk, [])))
# ---
class Tree:
    def __init__(self, v, *kids): self.v, self.kids = v, kids
    def size(self): return 1 + sum(k.size() for k in self.kids)
    def depth(self): return 1 + max((k.depth() for k in self.kids), default=0)
    def total(self): return self.v + sum(map(Tree.total, self.kids))
    def find(self, x): return self.v == x or any(k.find(x) for k in self.kids)
    def leaves(self): return [self.v] if not self.kids else [x for k in self.kids for x in k.leaves()]
t = Tree(0)
for i in range(60): t = Tree(i, t, Tree(-1))
print(t.size(), t.depth(), t.find(30), t.find(999), len(t.leaves()))
# ---
def depth(d): return 1 + max(map(depth, d.values()), default=0) if isinstance(d, dict) else 0
def total(x): return sum(map(total, x)) if isinstance(x, list) else x
def count(n): return 1 if n < 2 else sum(count(n - k) for k in (1, 2) if n - k >= 0)
d = {}
for _ in range(50): d = {'k': d}
x = [1]
for i in range(50): x = [x, i]
print(depth(d), total(x), count(15))
def norm(x): return {k: norm(v) for k, v in x.items()} if isinstance(x, dict) else tuple(map(norm, x)) if isinstance(x, list) else x
print(norm({'a': [1, [2, {'b': [3]}]]}), len(repr(norm(x))))
async def go(n): return n
print(max(len(w) for w in ['a', 'bb']), sum(len(str(f)) for f in (1, 22)))
