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
class Node:
    __slots__ = ('value', 'next')
    def __init__(self, value, next=None): self.value, self.next = value, next
class LinkedList:
    def __init__(self, items=()):
        self.head = None; self.size = 0
        for i in items: self.append(i)
    def append(self, v):
        n = Node(v)
        if self.head is None: self.head = n
        else:
            cur = self.head
            while cur.next: cur = cur.next
            cur.next = n
        self.size += 1
    def __iter__(self):
        cur = self.head
        while cur:
            yield cur.value
            cur = cur.next
    def __len__(self): return self.size
    def __getitem__(self, i):
        if i < 0: i += self.size
        for k, v in enumerate(self):
            if k == i: return v
        raise IndexError('out of range')
    def reverse(self):
        prev, cur = None, self.head
        while cur: cur.next, prev, cur = prev, cur, cur.next
        self.head = prev
    def __repr__(self): return ' -> '.join(map(str, self)) or 'empty'
    def __eq__(self, o): return isinstance(o, LinkedList) and list(self) == list(o)
    def __reversed__(self): return iter(list(self)[::-1])
    def __add__(self, o): return LinkedList([*self, *o])
l = LinkedList([1, 2, 3])
l.reverse()
print(l, len(l), l[0], l[-1], 2 in l, list(reversed(l)), l == LinkedList([3, 2, 1]), l + LinkedList('ab'), LinkedList(), sum(l), max(l), sorted(l), [*l], l[1:2] if 0 else '')
try: l[7]
except IndexError as e: print(e)
a, b, c = l
print(a, b, c, dict(zip('xyz', l)), {v: i for i, v in enumerate(l)})
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
from collections import OrderedDict
class LRUCache:
    def __init__(self, capacity: int):
        self.capacity = capacity
        self._d: OrderedDict = OrderedDict()
        self.hits = self.misses = 0
    def get(self, key, default=None):
        try:
            self._d.move_to_end(key)
            self.hits += 1
            return self._d[key]
        except KeyError:
            self.misses += 1
            return default
    def put(self, key, value):
        if key in self._d: self._d.move_to_end(key)
        self._d[key] = value
        if len(self._d) > self.capacity: self._d.popitem(last=False)
    def __repr__(self): return f'LRU({list(self._d.items())})'
c = LRUCache(2)
c.put('a', 1); c.put('b', 2); c.get('a'); c.put('c', 3)
print(c, c.get('b'), c.get('b', 'no'), c.hits, c.misses)
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
import math
class Vector:
    def __init__(self, *c): self.c = tuple(c)
    def __add__(self, o): return Vector(*(a + b for a, b in zip(self.c, o.c)))
    def __sub__(self, o): return Vector(*(a - b for a, b in zip(self.c, o.c)))
    def __mul__(self, k):
        if isinstance(k, Vector): return sum(a * b for a, b in zip(self.c, k.c))
        return Vector(*(a * k for a in self.c))
    __rmul__ = __mul__
    def __truediv__(self, k): return Vector(*(a / k for a in self.c))
    def __neg__(self): return self * -1
    def __abs__(self): return math.sqrt(self * self)
    def __eq__(self, o): return isinstance(o, Vector) and self.c == o.c
    def __hash__(self): return hash(self.c)
    def __getitem__(self, i): return self.c[i]
    def __len__(self): return len(self.c)
    def __iter__(self): return iter(self.c)
    def __repr__(self): return f"Vector{self.c}"
    def __bool__(self): return any(self.c)
    def __matmul__(self, o): return self * o
    def __pow__(self, n): return Vector(*(a ** n for a in self.c))
    def __round__(self, n=0): return Vector(*(round(a, n) for a in self.c))
    def __call__(self, x): return [a * x for a in self.c]
    def __iadd__(self, o): return self + o
v, w = Vector(1, 2, 2), Vector(3, 4, 5)
print(v + w, v - w, v * 2, 2 * v, v * w, v @ w, abs(v), -v, v / 2, v == Vector(1, 2, 2), v != w, len(v), list(v), v[0], v[-1], hash(v) == hash(Vector(1, 2, 2)), bool(Vector(0, 0)), v ** 2, round(v / 3, 2), v(10))
v += w
print(v, {v: 1}, sum([v, w], Vector(0, 0, 0)), sorted([w, v], key=abs), max(v, w, key=lambda x: x[2]), not Vector(0), 1 if Vector(0) else 2)
x, y, z = v
print(x, y, z, *v)
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
from enum import Enum, auto
class State(Enum):
    IDLE = auto(); RUNNING = auto(); STOPPED = auto()
class Event(Enum):
    START = 'start'
    STOP = 'stop'
    RESET = 'reset'
class Machine:
    TRANSITIONS = {
        (State.IDLE, Event.START): State.RUNNING,
        (State.RUNNING, Event.STOP): State.STOPPED,
        (State.STOPPED, Event.RESET): State.IDLE,
    }
    def __init__(self): self.state = State.IDLE; self.log = []
    def fire(self, ev):
        key = (self.state, ev)
        if key not in self.TRANSITIONS: raise ValueError(f'invalid: {self.state.name} --{ev.value}-->')
        old, self.state = self.state, self.TRANSITIONS[key]
        self.log.append(f'{old.name}->{self.state.name}')
        return self.state
m = Machine()
print(m.fire(Event.START), m.fire(Event('stop')), m.log, m.state is State.STOPPED)
try: m.fire(Event.START)
except ValueError as e: print(e)
print({s.name: s.value for s in State}, [e.value for e in Event], Machine.TRANSITIONS[(State.IDLE, Event.START)])
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
class Tokenizer:
    def __init__(self, text): self.text, self.pos = text, 0
    def __iter__(self): return self
    def __next__(self):
        while self.pos < len(self.text) and self.text[self.pos].isspace(): self.pos += 1
        if self.pos >= len(self.text): raise StopIteration
        ch = self.text[self.pos]
        if ch.isdigit():
            start = self.pos
            while self.pos < len(self.text) and (self.text[self.pos].isdigit() or self.text[self.pos] == '.'): self.pos += 1
            return ('NUM', float(self.text[start:self.pos]))
        self.pos += 1
        return ('OP', ch)
class Parser:
    def __init__(self, text): self.toks = list(Tokenizer(text)); self.i = 0
    def peek(self): return self.toks[self.i] if self.i < len(self.toks) else (None, None)
    def eat(self): t = self.peek(); self.i += 1; return t
    def expr(self):
        v = self.term()
        while self.peek()[1] in ('+', '-'):
            op = self.eat()[1]; r = self.term()
            v = v + r if op == '+' else v - r
        return v
    def term(self):
        v = self.factor()
        while self.peek()[1] in ('*', '/'):
            op = self.eat()[1]; r = self.factor()
            v = v * r if op == '*' else v / r
        return v
    def factor(self):
        k, v = self.eat()
        if k == 'NUM': return v
        if v == '(':
            r = self.expr(); assert self.eat()[1] == ')', 'expected )'
            return r
        if v == '-': return -self.factor()
        raise SyntaxError(f'unexpected {v!r}')
print(Parser('2 + 3 * (4 - 1) / 2').expr(), Parser('-(1+2)*3').expr(), list(Tokenizer('1 + 22')))
try: Parser('2 + )').expr()
except SyntaxError as e: print('SE', e)
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
class Money:
    def __init__(self, amount, currency='USD'): self.amount, self.currency = round(amount, 2), currency
    def _check(self, o):
        if not isinstance(o, Money): return NotImplemented
        if o.currency != self.currency: raise ValueError(f'{self.currency} vs {o.currency}')
    def __add__(self, o):
        if (r := self._check(o)) is NotImplemented: return r
        return Money(self.amount + o.amount, self.currency)
    def __radd__(self, o): return self if o == 0 else NotImplemented
    def __sub__(self, o): self._check(o); return Money(self.amount - o.amount, self.currency)
    def __mul__(self, k): return Money(self.amount * k, self.currency)
    __rmul__ = __mul__
    def __eq__(self, o): return isinstance(o, Money) and (self.amount, self.currency) == (o.amount, o.currency)
    def __lt__(self, o): self._check(o); return self.amount < o.amount
    def __le__(self, o): return self < o or self == o
    def __hash__(self): return hash((self.amount, self.currency))
    def __str__(self): return f'{self.amount:.2f} {self.currency}'
    def __repr__(self): return f'Money({self.amount}, {self.currency!r})'
    def __bool__(self): return self.amount != 0
    def __neg__(self): return Money(-self.amount, self.currency)
    def __abs__(self): return Money(abs(self.amount), self.currency)
    def __float__(self): return float(self.amount)
    def __int__(self): return int(self.amount)
a, b = Money(10), Money(5.5)
print(a + b, a - b, 2 * a, a * 3, sum([a, b]), a > b, a >= b, a <= a, sorted([a, b]), max(a, b), -a, abs(-a), bool(Money(0)), float(a), int(b), {a: 1}[Money(10)], a == 10, a != b)
try: a + 5
except TypeError as e: print('TE', e)
try: a + Money(1, 'EUR')
except ValueError as e: print('VE', e)
if not Money(0): print('zero')
print([m for m in (a, Money(0), b) if m], any([Money(0)]), all([a, b]), Money(0) or 'none')
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
class Rational:
    def __init__(self, n, d=1):
        from math import gcd
        if d == 0: raise ZeroDivisionError('denominator')
        g = gcd(n, d) * (1 if d > 0 else -1)
        self.n, self.d = n // g, d // g
    def _co(self, o): return o if isinstance(o, Rational) else Rational(o)
    def __add__(self, o): o = self._co(o); return Rational(self.n * o.d + o.n * self.d, self.d * o.d)
    __radd__ = __add__
    def __sub__(self, o): o = self._co(o); return self + Rational(-o.n, o.d)
    def __rsub__(self, o): return Rational(o) - self
    def __mul__(self, o): o = self._co(o); return Rational(self.n * o.n, self.d * o.d)
    __rmul__ = __mul__
    def __truediv__(self, o): o = self._co(o); return Rational(self.n * o.d, self.d * o.n)
    def __rtruediv__(self, o): return Rational(o) / self
    def __pow__(self, k): return Rational(self.n ** k, self.d ** k)
    def __eq__(self, o): o = self._co(o); return (self.n, self.d) == (o.n, o.d)
    def __lt__(self, o): o = self._co(o); return self.n * o.d < o.n * self.d
    def __le__(self, o): return self < o or self == o
    def __gt__(self, o): return not self <= o
    def __ge__(self, o): return not self < o
    def __hash__(self): return hash((self.n, self.d))
    def __float__(self): return self.n / self.d
    def __repr__(self): return f'{self.n}/{self.d}' if self.d != 1 else str(self.n)
    def __neg__(self): return Rational(-self.n, self.d)
    def __abs__(self): return Rational(abs(self.n), self.d)
h = Rational(1, 2)
print(h + 1, 1 + h, 1 - h, h * 2, 3 * h, 1 / h, h / 3, h ** 3, h == Rational(2, 4), h < 1, 1 > h, h >= Rational(1, 2), sorted([h, Rational(1, 3), Rational(3)]), sum([h, h]), float(h), -h, abs(-h), {h: 'x'}[Rational(1, 2)], max(h, 1), 2 <= Rational(5, 2) <= 3)
try: Rational(1, 0)
except ZeroDivisionError as e: print(e)
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
class Retry:
    def __init__(self, n): self.n = n; self.tries = []
    async def run(self, fn, *args):
        for i in range(self.n):
            try:
                self.tries.append(i)
                return await fn(*args)
            except ValueError as e:
                last = e
        raise RuntimeError(f'gave up after {self.n}: {last}') from last
r = Retry(2)
print(await r.run(add, 1, 2), r.tries)
try: await r.run(fail, 'no')
except RuntimeError as e: print(e, repr(e.__cause__))
# ---
class Trie:
    def __init__(self): self.root = {}
    def insert(self, w):
        n = self.root
        for ch in w: n = n.setdefault(ch, {})
        n['$'] = True
    def search(self, w, prefix=False):
        n = self.root
        for ch in w:
            if ch not in n: return False
            n = n[ch]
        return prefix or '$' in n
    def words(self, node=None, pre=''):
        node = self.root if node is None else node
        for k in sorted(node):
            if k == '$': yield pre
            else: yield from self.words(node[k], pre + k)
    def __contains__(self, w): return self.search(w)
t = Trie()
for w in 'car cart dog do'.split(): t.insert(w)
print(list(t.words()), 'car' in t, 'ca' in t, t.search('ca', True), sum(1 for _ in t.words()), next(t.words()))
# ---
class Interval:
    def __init__(self, lo, hi):
        if lo > hi: raise ValueError(f'{lo} > {hi}')
        self.lo, self.hi = lo, hi
    def __contains__(self, x): return self.lo <= x <= self.hi
    def __and__(self, o):
        lo, hi = max(self.lo, o.lo), min(self.hi, o.hi)
        return Interval(lo, hi) if lo <= hi else None
    def __or__(self, o): return Interval(min(self.lo, o.lo), max(self.hi, o.hi))
    def __lt__(self, o): return (self.lo, self.hi) < (o.lo, o.hi)
    def __eq__(self, o): return (self.lo, self.hi) == (o.lo, o.hi)
    def __repr__(self): return f'[{self.lo},{self.hi}]'
    def __len__(self): return self.hi - self.lo
    def __bool__(self): return True
def merge(xs):
    out = []
    for x in sorted(xs):
        if out and x.lo <= out[-1].hi: out[-1] = out[-1] | x
        else: out.append(x)
    return out
print(merge([Interval(1, 3), Interval(2, 6), Interval(8, 9)]), 2 in Interval(1, 3), Interval(1, 3) & Interval(2, 5), Interval(1, 2) & Interval(3, 4), len(Interval(2, 7)), bool(Interval(1, 1)), Interval(1, 2) == Interval(1, 2), 0 < 1 < 2)
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
class Temperature:
    def __init__(self, c): self.c = c
    @classmethod
    def from_f(cls, f): return cls((f - 32) * 5 / 9)
    @staticmethod
    def valid(c): return c > -273.15
    @property
    def f(self): return self.c * 9 / 5 + 32
    @f.setter
    def f(self, v): self.c = (v - 32) * 5 / 9
    def __eq__(self, o): return isinstance(o, Temperature) and abs(self.c - o.c) < 1e-9
    def __lt__(self, o): return self.c < o.c
    def __add__(self, o): return Temperature(self.c + (o.c if isinstance(o, Temperature) else o))
    __radd__ = __add__
    def __neg__(self): return Temperature(-self.c)
    def __abs__(self): return Temperature(abs(self.c))
    def __round__(self, n=0): return Temperature(round(self.c, n))
    def __int__(self): return int(self.c)
    def __float__(self): return float(self.c)
    def __hash__(self): return hash(round(self.c, 6))
    def __str__(self): return f'{self.c:.1f}°C'
    def __call__(self, unit): return self.f if unit == 'F' else self.c
t = Temperature.from_f(212); t.f = 50; print(t, t.f, Temperature.valid(-300), t == Temperature(10), sorted([t, Temperature(5)])[0].c, sum([t, t]).c, -t, abs(Temperature(-3)), round(Temperature(1.26), 1).c, int(t), float(t), t('F'), str(t), f'{t}', 5 + t, {t: 1}[Temperature(10)], max(t, Temperature(1)), t != Temperature(1), Temperature(1) < t, t > Temperature(1))
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
def d(f):
    def de(*a): return f(*a) + 1
    return de
@d
def e(x): return x
class E(Exception): pass
try: raise E('x')
except E as e2: print(e2, e(1))
def ef(x, e=2, *, d=3): return x + e + d
print(ef(1), ef(1, d=0))
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
def log(f):
    def w(*a):
        print('call', f.__name__)
        return f(*a)
    return w
class A:
    @staticmethod
    @log
    def f(x): return x + 1
    @classmethod
    @log
    def g(cls, x): return cls.__name__ + str(x)
    @log
    def h(self): return 'h'
    @property
    @log
    def p(self): return 'p'
print(A.f(1), A().f(2), A.g(3), A().h(), A().p)
# ---
def log(f):
    def w(*a): return f(*a)
    return w
class A:
    @log
    @staticmethod  ### Write staticmethod above the other decorators of f
    def f(x): return x + 1
print(A.f(1))
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
    async def m(self, a, /, *b, **kw):
        "doc"
        return a, b, kw
    def n(self, x, /, y=1, **kw):
        @deco(2)
        def inner(): return x
        return inner(), y, kw
    def gen(self, x, /, **kw):
        while x: yield x, kw; x -= 1
class C(B): pass
print(C.g(1), B().g(2), C().p, await B().m(1, 2, a=3), C().n(4, x=1, y=2), list(C().gen(2, x=0)))
