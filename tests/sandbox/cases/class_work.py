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
class TreeNode:
    def __init__(self, key):
        self.key = key; self.left = None; self.right = None
class BST:
    def __init__(self): self.root = None; self._n = 0
    def insert(self, key):
        self.root = self._insert(self.root, key)
        return self
    def _insert(self, node, key):
        if node is None:
            self._n += 1
            return TreeNode(key)
        if key < node.key: node.left = self._insert(node.left, key)
        elif key > node.key: node.right = self._insert(node.right, key)
        return node
    def __iter__(self): yield from self._walk(self.root)
    def _walk(self, node):
        if node:
            yield from self._walk(node.left)
            yield node.key
            yield from self._walk(node.right)
    def height(self):
        def h(n): return 0 if n is None else 1 + max(h(n.left), h(n.right))
        return h(self.root)
    def __contains__(self, key):
        n = self.root
        while n:
            if key == n.key: return True
            n = n.left if key < n.key else n.right
        return False
    def __len__(self): return self._n
    def levels(self):
        from collections import deque
        q, out = deque([(self.root, 0)]), {}
        while q:
            n, d = q.popleft()
            if n is None: continue
            out.setdefault(d, []).append(n.key)
            q.append((n.left, d + 1)); q.append((n.right, d + 1))
        return out
t = BST()
for k in [50, 30, 70, 20, 40, 60, 80, 30]: t.insert(k)
print(list(t), t.height(), 60 in t, 65 in t, len(t), t.levels(), min(t), next(iter(t)))
# ---
class EventBus:
    def __init__(self): self._h = {}
    def on(self, name):
        def deco(fn):
            self._h.setdefault(name, []).append(fn)
            return fn
        return deco
    def emit(self, name, *args, **kw):
        return [h(*args, **kw) for h in self._h.get(name, [])]
bus = EventBus()
@bus.on('greet')
def hello(n): return f'hello {n}'
@bus.on('greet')
def bye(n, *, loud=False): return f'bye {n}'.upper() if loud else f'bye {n}'
class Listener:
    def __init__(self, name): self.name = name; self.seen = []
    def handle(self, n): self.seen.append(n); return self.name
l = Listener('L')
bus.on('greet')(l.handle)
print(bus.emit('greet', 'Bob'), l.seen, bus.emit('none'))
# ---
class Visitor:
    def visit(self, node):
        m = getattr(self, 'visit_' + type(node).__name__, self.generic)
        return m(node)
    def generic(self, node): raise NotImplementedError(type(node).__name__)
class Num:
    def __init__(self, v): self.v = v
class Add:
    def __init__(self, l, r): self.l, self.r = l, r
class Mul(Add): pass
class Neg:
    def __init__(self, x): self.x = x
class Eval(Visitor):
    def visit_Num(self, n): return n.v
    def visit_Add(self, n): return self.visit(n.l) + self.visit(n.r)
    def visit_Mul(self, n): return self.visit(n.l) * self.visit(n.r)
class Show(Visitor):
    def visit_Num(self, n): return str(n.v)
    def visit_Add(self, n): return f'({self.visit(n.l)} + {self.visit(n.r)})'
    def visit_Mul(self, n): return f'{self.visit(n.l)} * {self.visit(n.r)}'
    def generic(self, n): return '?'
e = Add(Num(2), Mul(Num(3), Num(4)))
print(Eval().visit(e), Show().visit(e), Show().visit(Neg(1)))
try: Eval().visit(Neg(1))
except NotImplementedError as x: print('NI', x)
# ---
class Registry:
    def __init__(self): self._c = {}
    def register(self, name=None):
        def wrap(cls):
            self._c[name or cls.__name__.lower()] = cls
            return cls
        return wrap
    def create(self, name, *a, **k):
        if name not in self._c: raise LookupError(f'unknown {name!r}; have {sorted(self._c)}')
        return self._c[name](*a, **k)
    def __getitem__(self, n): return self._c[n]
    def __iter__(self): return iter(self._c)
reg = Registry()
class Shape:
    def describe(self): return f'{type(self).__name__} area={self.area():.2f}'
@reg.register()
class Circle(Shape):
    def __init__(self, r): self.r = r
    def area(self): return 3.14159 * self.r ** 2
@reg.register('box')
class Rect(Shape):
    def __init__(self, w, h=1): self.w, self.h = w, h
    def area(self): return self.w * self.h
print(reg.create('circle', 2).describe(), reg.create('box', w=3, h=4).describe(), list(reg), reg['box'].__name__)
try: reg.create('tri')
except LookupError as e: print(type(e).__name__, e)
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
class Config:
    _defaults = {'debug': False, 'port': 80}
    def __init__(self, **kw):
        self._v = {**self._defaults, **kw}
    def __getitem__(self, k): return self._v[k]
    def __setitem__(self, k, v): self._v[k] = v
    def __contains__(self, k): return k in self._v
    def __iter__(self): return iter(self._v)
    def __len__(self): return len(self._v)
    def keys(self): return self._v.keys()
    def items(self): return self._v.items()
    def get(self, k, d=None): return self._v.get(k, d)
    def update(self, other=None, **kw): self._v.update(other or {}, **kw)
    def __or__(self, o): return Config(**{**self._v, **o._v})
    def __eq__(self, o): return self._v == o._v
c = Config(port=8080)
c['host'] = 'h'; c.update({'x': 1}, y=2)
print(c['port'], 'host' in c, list(c), len(c), dict(c.items()), {**c}, dict(c), c.get('nope', 5), (c | Config(z=9))['z'], c == c, sorted(c.keys()))
try: c['none']
except KeyError as e: print(repr(e))
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
class Undo:
    def __init__(self): self.v = 0; self._undo, self._redo = [], []
    def do(self, f):
        self._undo.append(self.v); self._redo.clear(); self.v = f(self.v); return self
    def undo(self):
        if not self._undo: return False
        self._redo.append(self.v); self.v = self._undo.pop(); return True
    def redo(self):
        if not self._redo: return False
        self._undo.append(self.v); self.v = self._redo.pop(); return True
u = Undo().do(lambda v: v + 5).do(lambda v: v * 3)
print(u.v, u.undo(), u.v, u.undo(), u.undo(), u.redo(), u.v)
# ---
# names that hide in syntax
class A:
    def __init__(self): self._d = 1
    @property
    def e(self): return self._d
    @e.setter
    def e(self, s): self._d = s
    @property
    def de(self): return self._d * 2
    @de.setter
    def de(self, v): self._d = v
    @classmethod
    def c(cls): return cls()
    @staticmethod
    def s(x): return x
class B(A):
    def a(self): return super().e
    @property
    def p(self): return 'p'
b = B(); b.e = 5; b.de = 6; print(b.e, b.de, b.a(), B.c().e, B.s(3), b.p)
class l(A): pass
class s(l):
    def f(self): return 'f'
print(s().f(), s().e, isinstance(s(), l))
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
