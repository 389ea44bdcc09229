# until 3.12
from typing import NamedTuple, Optional
import json
class P(NamedTuple):
    """A point."""
    x: int
    y: int = 0
    label: Optional[str] = None
    @property
    def norm(self): return self.x + self.y
    def plus(self, o): return P(self.x + o.x, self.y + o.y)
    @classmethod
    def origin(cls): return cls(0, 0)
    @staticmethod
    def parse(s): return P(*map(int, s.split(',')))
p = P(1, 2)
print(p, p.norm, p.plus(P(3)), p._replace(x=5), p._asdict(), p == (1, 2, None), (1, 2, None) == p, P._fields, p[0], p[-1], p[:2], len(p), p == P(1, 2), p != P(1, 3))
x, y, z = p
print(x, y, z, isinstance(p, tuple), isinstance(p, P), {p: 1}[(1, 2, None)], {(1, 2, None): 3}[p], P.origin(), P.parse('3,4'), list(p), tuple(p), [*p], 2 in p, p.index(2), p.count(1), p + (1,), hash(p) == hash((1, 2, None)))
print(sorted([P(3, 1), P(1, 2), P(1, 1)]), max(P(1), P(2)), P(1) < P(2), P(1, 2) < (1, 3), json.dumps({'p': p, 'l': [p]}), str(p), f'{p}', [p], P(x=1, label='q'), P._make([7, 8, 9]), P._field_defaults)
for a, b, c in [p, P(5)]: print(a, b, c)
print(dict(zip(P._fields, p)), {k: v for k, v in zip('abc', p)}, sum(P(1, 2)[:2]), bool(p), (lambda *a: a)(*p), min(p[:2]), any(p))
try: p.x = 5
except AttributeError: print('AE')
match p:
    case P(x=1, y=yy): print('m', yy)
try: p._replace(zz=1)
except ValueError as e: print(e)
def mk(*a, **k): return P(*a, **k)
for bad in (lambda: mk(), lambda: mk(1, 2, 3, 4)):
    try: bad()
    except TypeError as e: print('TE')
# ---
from typing import NamedTuple
class Emp(NamedTuple):
    name: str
    pay: float
    def __str__(self): return f'{self.name}!'
    def __lt__(self, o): return self.pay < o.pay
    def raised(self, pct): return self._replace(pay=round(self.pay * (1 + pct / 100), 2))
es = [Emp('b', 10.0), Emp('a', 20.0)]
print(sorted(es), str(es[0]), es[0].raised(10), es, min(es), max(es, key=lambda e: e.name))
by = {e.name: e for e in es}
print(by['a'].pay, [n for n, _ in es], sum(e.pay for e in es))
# ---
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int
    def f(self): return 1
match P(1, 2):
    case (a, b): print(a)
