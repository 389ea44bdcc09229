from typing import NamedTuple
class Emp(NamedTuple):
    name: str
    pay: float
    def __str__(self): return f'{self.name}!'  ### A named tuple cannot define __str__ here
    def __lt__(self, o): return self.pay < o.pay
    def raised(self, pct): return self._replace(pay=round(self.pay * (1 + pct / 100), 2))
es = [Emp('b', 10.0), Emp('a', 20.0)]
print(sorted(es), str(es[0]), es[0].raised(10), es, min(es), max(es, key=lambda e: e.name))
by = {e.name: e for e in es}
print(by['a'].pay, [n for n, _ in es], sum(e.pay for e in es))
