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
# ---
import re, json
from collections import Counter, defaultdict
from dataclasses import dataclass, field, asdict
from typing import Any, Callable
registry: dict[str, Callable[..., Any]] = {}
def command(name=None, **meta):
    def deco(fn):
        fn.command_name = name or fn.__name__
        fn.meta = meta
        registry[fn.command_name] = fn
        return fn
    return deco
@command(help='adds')
def plus(a: int, b: int = 1) -> int: return a + b
@command('shout', aliases=['s'])
def loud(text): return text.upper()
for n, fn in sorted(registry.items()): print(n, fn.meta, fn.__name__, fn.command_name)
print(registry['plus'](2), registry['shout']('x'))
# ---
from functools import wraps
def rate(calls):
    def deco(fn):
        @wraps(fn)
        def w(*a, **k):
            if w.used >= calls: raise RuntimeError(f'{fn.__name__} limit')
            w.used += 1
            return fn(*a, **k)
        w.used = 0
        w.reset = lambda: setattr(w, 'used', 0)
        return w
    return deco
@rate(2)
def hit(): return 'ok'
print(hit(), hit())
try: hit()
except RuntimeError as e: print(e)
hit.reset(); print(hit(), hit.used)
# ---
def trace(fn):
    depth = 0
    def w(*a):
        nonlocal depth
        print('  ' * depth + f'{fn.__name__}{a}'); depth += 1
        try: return fn(*a)
        finally: depth -= 1
    w.__wrapped_fn = fn
    return w
@trace
def fact(n): return 1 if n < 2 else n * fact(n - 1)
print(fact(3))
# ---
class Api:
    def __init__(self, base='/'): self.base = base
    def __getattr__(self, name): return Api(f'{self.base}{name}/')
    def __getitem__(self, k): return Api(f'{self.base}{k}/')
    def __repr__(self): return f'Api({self.base})'
    def get(self, **q): return self.base + '?' + '&'.join(f'{k}={v}' for k, v in q.items())
api = Api(); print(api.users[3].posts, api.v1.items.get(page=2), api.keys, [a.base for a in (api.x, api.y)])
# ---
import json
class Enc(json.JSONEncoder):
    def default(self, o):
        if hasattr(o, 'to_json'): return o.to_json()
        if isinstance(o, (set, frozenset)): return sorted(o)
        return super().default(o)
class P:
    def __init__(self, x): self.x = x
    def to_json(self): return {'x': self.x, 'tags': {'b', 'a'}}
print(json.dumps({'p': P(1), 'ps': [P(2)]}, cls=Enc, sort_keys=True), json.dumps(P(3), cls=Enc, indent=1))
try: json.dumps(object(), cls=Enc)
except TypeError as e: print('TypeError')
# ---
rows = [{'n': 'a', 'v': None}, {'n': 'b', 'v': 3}]
if (row := next((r for r in rows if r['v']), None)) is not None: print(row['n'])
print([v for r in rows if (v := r.get('v')) is not None], any((last := r['n']) == 'b' for r in rows) and last)
while (n := len(rows)) > 1: rows.pop()
print(n, all((seen := r['n']) for r in rows), seen)
# ---
def f(): ...


class A:
    def m(self): ...


names = ('__call__', '__name__', '__doc__', '__eq__', '__hash__', '__str__', '__len__', '__init__', '__closure__', '__code__')
for value in (f, 5, 'a', [], None, A, A(), len, lambda: 1, {}, 2.5):
    print([hasattr(value, name) for name in names], hasattr(value, '__closure__'))
# ---
def f(x=1): ...
print(f.__defaults__)  ### What a function is made of cannot be seen here.
