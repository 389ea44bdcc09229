class Bag:
    def __init__(self, *xs): self.xs = list(xs)
    def __iadd__(self, o): self.xs.append(o); return self
    def __isub__(self, o): self.xs.remove(o); return self
    def __ior__(self, o): return NotImplemented
    def __or__(self, o): return 'or'
    def __len__(self): return len(self.xs)
    def __getitem__(self, i): return self.xs[i]
    def __delitem__(self, i): del self.xs[i]
    def __ne__(self, o): return 'ne'
    def __eq__(self, o): return isinstance(o, Bag) and self.xs == o.xs
b = Bag(1, 2); c = b
b += 3; b -= 1
print(b.xs, c is b, list(reversed(b)))
del b[0]
print(b.xs, b != c, b == c, 1 != 2, [1] != [1])
b |= 3
print(b)
d = {'x': Bag()}; d['x'] += 5
l = [1]; m = l; l += [2]; l += (3,); n = 1; n += 1; s = 'a'; s += 'b'; st = {1}; st2 = st; st |= {2}; st -= {1}
print(d['x'].xs, l, m, n, s, st, st2)
del d['x']; del l[0:1]; del l[-1]
print(d, l)
class H:
    def __init__(self): self.bag = Bag()
    def go(self): self.bag += 1; self.bag += 2; return self.bag.xs
print(H().go())
# ---
class R:
    def __init__(self, n): self.n = n
    def __reversed__(self): return iter(range(self.n))
    def __iter__(self): return iter(range(self.n))
print(list(reversed(R(3))), [x for x in reversed(R(2))], list(reversed([1, 2])), list(reversed('ab')))
for x in reversed(R(2)): print(x)
# ---
class Acc:
    def __init__(self, b): self._b = b; self.n = 0
    @property
    def balance(self): return self._b
    @balance.setter
    def balance(self, v): self._b = v * 10
class Err(Exception):
    def __init__(self, balance, amount):
        super().__init__('x')
        self.balance, self.amount = balance, amount
a = Acc(1); a.balance, a.n = 5, 6
e = Err(1, 2)
print(a.balance, a.n, e.balance, e.amount)
a.balance, z = z0 = (7, 8)  ### a statement of its own
# ---
class Acc:
    def __init__(self, b): self._b = b; self.n = 0
    @property
    def balance(self): return self._b
    @balance.setter
    def balance(self, v): self._b = v * 10
class Err(Exception):
    def __init__(self, balance, amount):
        super().__init__('x')
        self.balance, self.amount = balance, amount
a = Acc(1); a.balance, a.n = 5, 6
e = Err(1, 2)
print(a.balance, a.n, e.balance, e.amount)
# ---
class C:
    def __init__(self, **k): self.d = k
    def keys(self): return self.d.keys()
    def __getitem__(self, k): return self.d[k]
def f(**kw): return kw
c = C(a=1, b=2)
print({**c, 'z': 1}, dict(c), dict(c, q=1), f(**c, x=2), {**{'m': 1}}, dict([(1, 2)]), dict(a=1), f(**{'y': 1}))
# ---
def g(): pass
class A:
    def __init__(self, name): self.name = name
    def __repr__(self): return f"A('{self.name}')"
    def go(self): pass
print(getattr(g, '__name__', 'none'), getattr(A('x'), '__name__', 'none'), getattr(A, '__name__'), getattr(len, '__name__', 0), hasattr(g, '__name__'), hasattr(A('x'), '__name__'), getattr(lambda: 0, '__name__', '?'), g.__name__)
try: A('q').__name__
except AttributeError as e: print('AE', e)
def deco(f):
    def w(*a):
        print('call', f.__name__)
        return f(*a)
    return w
@deco
def h(x): return x + 1
print(h(1), [f.__name__ for f in (g, len, A, str)])
# ---
def f(*a, **kw): return a, kw
def g(x, y=1, **kw): return x, y, kw
d = {'a': 1}
print(f(**d, x=2), f(1, z=0, **d, x=2, **{'q': 1}), g(**d, x=5), f(*[1, 2], **d, b=3))
try: f(**d, a=2)
except TypeError as e: print('TE')
