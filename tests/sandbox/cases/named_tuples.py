from typing import NamedTuple
class Emp(NamedTuple):
    name: str
    pay: float
    def __str__(self): return f'{self.name}!'  ### A named tuple cannot define __str__ here
    def __lt__(self, o): return self.pay < o.pay
    def raised(self, pct): return self._replace(pay=round(self.pay * (1 + pct / 100), 2))
