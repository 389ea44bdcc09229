next(filter(lambda x: x > 5, [1, 2]), None), next(filter(None, [0, 3]))
# ---
for x in map(int, ['1', '2', 'z']):  ### ValueError
    print(x)
# ---
xs = [1, 2, 3, 4]
for x in reversed(xs):
    if x % 2:
        xs.remove(x)
    print(x)
xs
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
a, b = map(int, '3 4'.split())
first, *rest = (x + 1 for x in range(4))
a, b, first, rest
# ---
xs = [1]
xs.extend(x + 1 for x in xs[:])
xs += map(str, [7])
xs
# ---
any(await echo(x) for x in [1]) if False else any([await echo(x) for x in [0, 2]])
# ---
any(next_number() == 2 for _ in range(5)), next_number()
# ---
def count_up(limit):
    yield from range(limit)

[*count_up(2), *count_up(1)], dict(enumerate(count_up(2))), list(reversed([1, 2])), [*reversed('ab')], list(reversed({'a': 1, 'b': 2}))
# ---
matrix = [[1, 2], [3, 4]]
[list(row) for row in zip(*matrix)], [sum(col) for col in zip(*matrix)], list(map(list, zip(*matrix)))
# ---
total = 0
for i, (a, b) in enumerate(zip([1, 2], [3, 4]), 1):
    total += i * a * b
total
# ---
def gen(rows):
    for y in (z for r in rows if (z := r + 1) > 2): yield y
print(list(gen([1,2,3])), ','.join(u for w in 'ab' if (u := w.upper())))
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
def f(x):
    print('f', x)
    if x == 3: raise ValueError(x)
    return x
for work in (lambda: sum(f(i) for i in range(5)), lambda: max(f(i) for i in [1, 2]), lambda: max((f(i) for i in []), default=None), lambda: sum(f(i) for i in 5), lambda: sum([[1], [f(2)]], []), lambda: sum(([f(i)] for i in (1, 2)), []), lambda: min(f(i) for i in (1, 'a')), lambda: any(f(i) > 1 for i in range(5)), lambda: all(f(i) < 1 for i in range(5)), lambda: sum(map(f, (1, 2))), lambda: list(map(f, 'ab')), lambda: tuple(map(f, [0, 3, 4])), lambda: sorted(map(f, [2, 1])), lambda: max(map(f, [2, 1]), default=3), lambda: sum(map(lambda x: f(x) * 2, [1, 2])), lambda: sum(f(x) for x in [1, 2, 4] if f(x) % 2 == 0), lambda: sum(a * f(b) for a, b in [(1, 2), (2, 4)]), lambda: [sum(f(y) for y in xs) for xs in [[1], [2, 4]]], lambda: sum(sum(f(y) for y in xs) for xs in [[1], [2, 4]]), lambda: max(f(x) for x in {1: 2, 5: 6}), lambda: sum(f(x) for x in {1, 2}), lambda: set(map(f, [1, 1])), lambda: list(map(f, [1], )), lambda: list(map(f, [1], [2])), lambda: max(f(x) for x in iter([1, 2])), lambda: min((f(x), -x) for x in (2, 1)), lambda: max((f(x) for x in (2, 1)), key=lambda v: -v), lambda: any(f(x) for x in [0, '', 7, 8]), lambda: sum(True for x in (1, 2) if f(x)), lambda: list(map(str, [1])), lambda: list(map(f, map(f, [1, 2])))):
    try: print(work())
    except Exception as e: print(type(e).__name__, e)
# ---
xs = [1, 2]
found = (last := x for x in xs)  ### Write a loop.
print(list(found), last)
# ---
it = (await echo(x) for x in [1])  ### Write a list comprehension, or an async def function that yields.
# ---
[id for id in [1]]  ### A comprehension cannot name its variable id, as a builtin: rename it.
# ---
def f(ids): return [id for id in ids]
print(f([1]))
