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
# ---
import json
class Enc(json.JSONEncoder):  ### There is no json.JSONEncoder here
    def default(self, o):
        if hasattr(o, 'to_json'): return o.to_json()
        if isinstance(o, (set, frozenset)): return sorted(o)
        return super().default(o)
# ---
def f(x=1): ...
print(f.__defaults__)  ### There is no __defaults__ here
