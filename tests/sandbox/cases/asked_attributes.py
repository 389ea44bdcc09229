class Money:
    def __init__(self, a): self.a = a
    def __format__(self, spec): return f'${self.a:{spec or ".2f"}}'
print(f'{Money(3)} {Money(4):.1f}', format(Money(2), '.3f'), '{:.0f}|{}'.format(Money(2), Money(1)), f'{str(Money)[:6]}')  ### A template asks no __format__ here
# ---
class Proxy:
    def __init__(self, o): self._o = o
    def __getattr__(self, n): return getattr(self._o, n)  ### __getattr__ of a class is not asked here
class T:
    def __init__(self): self.x = 5
    def hello(self, who='you'): return f'hi {who}'
p = Proxy(T()); print(p.x, p.hello(), p.hello(who='me'), hasattr(p, 'nope'), getattr(p, 'x'), getattr(p, 'zz', 7))
try: p.nope
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
import json
class Enc(json.JSONEncoder):  ### There is no json.JSONEncoder here
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
def f(x=1): ...
print(f.__defaults__)  ### There is no __defaults__ here
