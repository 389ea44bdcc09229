# until 3.12
for work in [
    lambda: 1 // 0,
    lambda: 1 % 0,
    lambda: 1 / 0,
    lambda: 1.0 / 0,
    lambda: 1 // 0.0,
    lambda: 1.0 % 0,
    lambda: divmod(1, 0),
    lambda: divmod(1.0, 0),
    lambda: [1, 2].index(4),
    lambda: ['name', 'age'].index('team'),
    lambda: (1,).index(4),
    lambda: 'a'.index('b'),
    lambda: '%s of %s' % ('a', 5),
]:
    try:
        print(work())
    except Exception as error:
        print(type(error).__name__, error)
# ---
# until 3.13
def ratio(total, count):
    try:
        total /= count
        return f'{total / count:.1f}'
    except ZeroDivisionError as error:
        return f'none: {error}'


print([ratio(10, 2), ratio(10, 0), ratio(2.5, 0)])
# ---
# until 3.13
import asyncio


async def share(whole, parts):
    return whole // parts


results = await asyncio.gather(share(10, 5), share(1, 0), return_exceptions=True)
print([str(result) for result in results])
# ---
# until 3.13
class Refused(Exception):
    pass


def ratio(a, b):
    try:
        return (a) / (b)
    except ZeroDivisionError as error:
        raise Refused(f'no ratio: {error}') from error


try:
    ratio(1.0, 0)
except Refused as error:
    print(error, '|', error.__cause__)
# ---
# What is wrong with a text that is no JSON, and where.
import json

for text in [
    '{"a": 1,', '{"a": 1, ', '[1, ', '[1,', "{'a': 1}", '{bad}', '{"a" 1}', '{"a": }', '[1 2]', '', 'nul', 'None',
    '"abc', '"a\nb"', '{"a": 1} x', '{"a"', '{', '[', '01', '1.', '-', '+1', '{"a": tru}', '{"a": 1 "b": 2}',
    '<html>', '"\\x"', '"\\u12"', '{1: 2}', '[,]', '{,}', '[1,\n\n  x]', '{"a": [1, {"b": -}]}', '[1e, 2]',
]:  # fmt: skip
    try:
        print(json.loads(text))
    except json.JSONDecodeError as error:
        print(error.msg, error.pos, error.lineno, error.colno, error)
# ---
# until 3.12
import json

for text in ['{"a": 1,}', '[1, 2,]', '{"a": 1,\n}', '[{"a": 1},\n ]']:
    try:
        print(json.loads(text))
    except ValueError as error:
        print(error)
# ---
# until 3.12
import datetime as dt

for work in [
    lambda: dt.date(0, 1, 1),
    lambda: dt.date(2024, 13, 1),
    lambda: dt.date(2024, 2, 30),
    lambda: dt.date(2024, 1, 31).replace(month=2),
    lambda: dt.datetime(2024, 1, 1, 24),
    lambda: dt.datetime(2024, 1, 1, 1, 60),
    lambda: dt.datetime.fromisoformat('2024-02-30'),
    lambda: dt.datetime.strptime('2024-02-30', '%Y-%m-%d'),
    lambda: dt.datetime.strptime(None, '%Y-%m-%d'),
    lambda: dt.datetime(2024, 1, 1) < dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc),
    lambda: dt.datetime(2024, 1, 1) - dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc),
    lambda: dt.datetime(2024, 1, 1) > dt.date(2024, 1, 1),
    lambda: dt.timedelta(1) / 0,
]:
    try:
        print(work())
    except (ArithmeticError, TypeError, ValueError) as error:
        print(type(error).__name__, error)
# ---
class Account:
    def __init__(self, owner, *, limit=0):
        self.owner = owner

    def pay(self, amount, note=''):
        return amount


class Shop:
    def __init__(self, name, town):
        self.name = name


class Savings(Account):
    pass


def outer():
    def inner(a, b):
        return a

    return inner


def plain(a):
    return a


for work in [
    lambda: Account(),
    lambda: Account(1, 2),
    lambda: Savings(),
    lambda: Shop(1),
    lambda: Account('x').pay(),
    lambda: Account('x').pay(1, 2, 3),
    lambda: Account('x').pay(1, amount=3),
    lambda: outer()(1),
    lambda: plain(),
]:
    try:
        print(work())
    except TypeError as error:
        print(error)
# ---
class Refused(Exception):
    def __init__(self, code):
        super().__init__(f'refused: {code}')
        self.code = code


class Gate:
    def enter(self, name):
        raise Refused(name)


for work in [lambda: Gate().enter(), lambda: Gate().enter('x'), lambda: Refused()]:
    try:
        work()
    except Refused as error:
        print(error.code, error)
    except TypeError as error:
        print('wrong', error)
# ---
try:
    b'\xff'.decode('utf-8')
except UnicodeDecodeError as e:
    print(e.reason, e.start, e.end, e.encoding, e)
try:
    'é'.encode('ascii')
except UnicodeEncodeError as e:
    print(e.reason, e.start, e.end, e.encoding, e)
try:
    'aééb'.encode('ascii')
except UnicodeError as e:
    print(e.reason, e.start, e.end, e.encoding, e)
try: b'ab\xe2\x82'.decode()
except UnicodeError as e:
    print(e.reason, e.start, e.end, e.encoding, e)
# ---
# until 3.11
import json, random
def t(f):
    try: return f()
    except Exception as e: return f'{type(e).__name__}: {e}'
from typing import Any
one: Any = 'a'
print(t(lambda: json.dumps({'a': object()})), t(lambda: json.dumps(float('nan'), allow_nan=False)), t(lambda: random.randint(5, 1)), t(lambda: b'a' + one), t(lambda: json.dumps([1j])), t(lambda: json.dumps({1, 2})))
