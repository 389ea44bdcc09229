class Money:
    def __init__(self, a): self.a = a
    def __format__(self, spec): return f'${self.a:{spec or ".2f"}}'
print(f'{Money(3)} {Money(4):.1f}', format(Money(2), '.3f'), '{:.0f}|{}'.format(Money(2), Money(1)), f'{str(Money)[:6]}')
# ---
from datetime import date
class D:
    def __init__(self, y): self.y = y
    def __format__(self, f): return f'<{self.y}:{f}>'
d = D(2024); items = [D(1), D(2)]
print(f'{d:%Y} {items[0]!s:.1} {d}', ' '.join(f'{i:x}' for i in items), f'{5:>3} {"a":>3}')
# ---
class Proxy:
    def __init__(self, o): self._o = o
    def __getattr__(self, n): return getattr(self._o, n)
class T:
    def __init__(self): self.x = 5
    def hello(self, who='you'): return f'hi {who}'
p = Proxy(T()); print(p.x, p.hello(), p.hello(who='me'), hasattr(p, 'nope'), getattr(p, 'x'), getattr(p, 'zz', 7))
try: p.nope
except AttributeError as e: print(e)
# ---
class Config:
    def __init__(self, d): self._d = d
    def __getattr__(self, k):
        try: v = self._d[k]
        except KeyError: raise AttributeError(f'no {k}') from None
        return Config(v) if isinstance(v, dict) else v
c = Config({'db': {'host': 'h', 'port': 5}, 'n': 1}); print(c.db.host, c.n, c.db.port + 1, f'{c.db.host}')
try: c.zip
except AttributeError as e: print(e)
# ---
class Chain:
    def __init__(self, path=''): self.path = path
    def __getattr__(self, n): return Chain(f'{self.path}/{n}')
    def __call__(self, x): return Chain(f'{self.path}/{x}')
    def __str__(self): return self.path
print(Chain().users(3).posts.list)
# ---
class Lazy:
    def __getattr__(self, name):
        print('load', name); v = name.upper(); setattr(self, name, v); return v
l = Lazy(); print(l.abc, l.abc)
# ---
class V:
    def __init__(self, x, y): self.x, self.y = x, y
    def __format__(self, s):
        if s == 'p': return f'r={(self.x**2 + self.y**2) ** .5:.3f}'
        return f'({self.x:{s}}, {self.y:{s}})' if s else str(self)
    def __str__(self): return f'V{self.x},{self.y}'
class W(V): pass
v = W(3, 4); w = 8; name = 'ab'; n = None
print(f'{v} {v:p} {v:.1f} {v!s:>10} {name:>{w}}|{w:0{w}d} {(v):p} {[1]} {n} {v.x + 1:.1f}', '{:p} and {}'.format(v, name), '{a:.1f} {b:>5}'.format(a=v, b='x'), format(v), format(3.14159, '.2f'))
try: print(f'{n:>5}')
except TypeError as e: print(e)
rows = [('a', V(1, 2))]
for k, x in rows: print(f'{k:<4}|{x:.0f}|' + f"{k}" f'{x:p}')
# ---
class Meta:
    def __init__(self): self.d = {}
    def __getattr__(self, name):
        if name.startswith('_'): raise AttributeError(name)
        return lambda *a: (name, a)
m = Meta(); print(m.foo(1), m.bar(), m.d, [1,2].count(1), 'a,b'.split(','), {'k': 1}.items(), m.split(','), m.items(), m.append(3), hasattr(m, '_x'), f'{m.d} {m.zip()}')
xs = []; xs.append(m.keys()); print(xs)
import math; print(math.floor(2.5))
class Sub(Meta):
    extra = 5
    @property
    def p(self): return 'prop'
    def __init__(self): super().__init__(); self.z = 1
s = Sub(); print(s.extra, s.p, s.z, s.w(2))
f = m.method; print(f(3)); print(getattr(m, 'dyn')(4), getattr(m, '_no', 'dflt'))
# ---
class Record:
    def __init__(self, **kw): self.__dict__.update(kw)
    def __getattr__(self, name): raise AttributeError(f'{type(self).__name__} has no field {name!r}')
r = Record(a=1); print(r.a)
try: r.b
except AttributeError as e: print(e)
