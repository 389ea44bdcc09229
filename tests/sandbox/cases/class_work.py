# What models write with classes.
class Inventory:
    def __init__(self): self.items = {}
    def add(self, sku, qty, price=0.0):
        if qty <= 0: raise ValueError(f"bad qty {qty}")
        entry = self.items.setdefault(sku, {'qty': 0, 'price': price})
        entry['qty'] += qty
        return self
    def remove(self, sku, qty):
        if sku not in self.items: raise KeyError(sku)
        if self.items[sku]['qty'] < qty: raise ValueError('insufficient stock')
        self.items[sku]['qty'] -= qty
        if not self.items[sku]['qty']: del self.items[sku]
    @property
    def total(self): return sum(e['qty'] * e['price'] for e in self.items.values())
    def __len__(self): return len(self.items)
    def __contains__(self, sku): return sku in self.items
    def __iter__(self): return iter(sorted(self.items))
    def __repr__(self): return f"Inventory({self.items!r})"
inv = Inventory().add('a', 5, 1.5).add('b', 2, 10)
inv.remove('a', 2)
print(inv, len(inv), 'a' in inv, list(inv), inv.total, bool(inv), bool(Inventory()))
for call in (lambda: inv.remove('z', 1), lambda: inv.remove('b', 99), lambda: inv.add('q', 0)):
    try: call()
    except (KeyError, ValueError) as e: print(type(e).__name__, e, e.args)
if not Inventory(): print('empty')
# ---
import heapq
class Task:
    def __init__(self, pri, name): self.pri, self.name = pri, name
    def __lt__(self, o): return (self.pri, self.name) < (o.pri, o.name)
    def __repr__(self): return f'{self.name}:{self.pri}'
class PQ:
    def __init__(self): self._h = []; self._n = 0
    def push(self, t): heapq.heappush(self._h, t)
    def pop(self): return heapq.heappop(self._h)
    def __len__(self): return len(self._h)
    def __bool__(self): return len(self._h) > 0
q = PQ()
for p, n in [(3, 'c'), (1, 'a'), (2, 'b'), (1, 'z')]: q.push(Task(p, n))
out = []
while q: out.append(q.pop())
print(out, len(q), heapq.nsmallest(2, out), heapq.nlargest(1, out), sorted(out, reverse=True), list(heapq.merge([Task(1, 'x')], [Task(0, 'y')])))
h = [(2, Task(1, 'q')), (1, Task(5, 'r')), (1, Task(2, 's'))]; heapq.heapify(h); print(heapq.heappop(h), heapq.heappushpop(h, (0, Task(0, 't'))))
# ---
class UserService:
    def __init__(self): self._cache = {}; self.calls = 0
    async def get(self, uid):
        if uid not in self._cache:
            self.calls += 1
            self._cache[uid] = await get_user(uid)
        return self._cache[uid]
    async def names(self, *ids): return [(await self.get(i))['name'] for i in ids]
    async def __aenter__(self): return self
    async def __aexit__(self, *e): self.closed = True
class Report:
    def __init__(self, svc): self.svc = svc; self.lines = []
    async def build(self):
        for u in await list_users():
            full = await self.svc.get(u['id'])
            self.lines.append(f"{full['name']:<5}|{full['age']:>3}")
        return self
    def __str__(self): return '\n'.join(self.lines)
async with UserService() as s:
    print(await s.names(1, 2, 1), s.calls)
    print(await Report(s).build())
print(s.closed, s.calls)
# ---
from enum import Enum
class E(Enum):
    A = 1; B = 2
    @property
    def f(self): return self.value * 2
    @classmethod
    def of(cls, n): return cls[n.upper()]
print(E.A.f, E.of('b'), [e.f for e in E])
from dataclasses import dataclass
@dataclass
class D:
    a: int; b: str = 'x'
    def f(self): return self.a
@dataclass
class F(D):
    c: float = 1.5
    def e(self): return super().f()
print(D(1), F(1, 'y', 2.0), F(2).e(), F(1) == F(1))
# ---
def deco(n):
    def d(f):
        def w(*a): return f(*a) * n
        return w
    return d
class B:
    @classmethod
    @deco(2)
    @deco(3)
    def g(cls, x): return x
    @property
    @deco(2)
    def p(self): return 1
    async def m(self, a, /, *b, **kw):  ### A function with / cannot take ** here
        "doc"
        return a, b, kw
    def n(self, x, /, y=1, **kw):
        @deco(2)
        def inner(): return x
        return inner(), y, kw
    def gen(self, x, /, **kw):
        while x: yield x, kw; x -= 1
