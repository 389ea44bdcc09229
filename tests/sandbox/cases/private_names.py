class Account:
    __count = 0
    def __init__(self, b): self.__balance = b; Account.__count += 1
    def __check(self, amt): return 0 < amt <= self.__balance
    def withdraw(self, amt):
        if not self.__check(amt): raise ValueError(f'no {self.__balance}')
        self.__balance -= amt
        return self.__balance
    @property
    def balance(self): return self.__balance
    @classmethod
    def made(cls): return cls.__count
    @staticmethod
    def __secret(x): return x * 2
    def double(self): return self.__secret(self.__balance)
class Savings(Account):
    def __init__(self, b):
        super().__init__(b)
        self.__balance = 'mine'
    def both(self): return self.__balance, self.balance
a, s = Account(10), Savings(5)
try: print(a.__balance)
except AttributeError as e: print(e)
try: a.withdraw(100)
except ValueError as e: print(e)
try: a.__check(1)
except AttributeError: print('private')
a.__balance = 99
# ---
class _Hidden:
    def __init__(self): self.__x = 1
    def get(self, __y=2): return self.__x + __y
    def __len__(self): return 3
    def __str(self): return f'{self.__x:>3}|{self.__x!r}'
    def show(self): return self.__str()
h = _Hidden()
print(h.get(), h._Hidden__x, len(h), h.show())
# ---
import asyncio
q = asyncio.Queue()
q._put_after(1, 10**12)  ### _put_after is a private member of what the library makes. Use its public ones.
# ---
from types import SimpleNamespace
from dataclasses import dataclass
from collections import namedtuple
import enum, asyncio
@dataclass
class Row:
    _items: int
    _state: str = 'new'
class Hidden:
    _kind = 'k'
    __slots__ = ('_callbacks',)
    def __init__(self): self._callbacks = [1]
    def _finish(self): return self._callbacks
class Color(enum.Enum):
    RED = 1
P = namedtuple('P', 'x y')
r, h = Row(3), Hidden()
print(r._items, r._state, h._kind, h._callbacks, h._finish(), getattr(h, '_finish')(), hasattr(r, '_items'))
print(P(1, 2)._replace(x=5), P._fields, P(1, 2)._asdict(), P._make([3, 4]), Color.RED._value_, Color.RED._name_)
