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
# ---
class C:
    def __init__(self, **k): self.d = k
    def keys(self): return self.d.keys()
    def __getitem__(self, k): return self.d[k]
def f(**kw): return kw
c = C(a=1, b=2)
print({**c, 'z': 1}, dict(c), dict(c, q=1), f(**c, x=2), {**{'m': 1}}, dict([(1, 2)]), dict(a=1), f(**{'y': 1}))
