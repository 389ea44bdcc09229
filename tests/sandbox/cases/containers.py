from collections import OrderedDict
import collections
list(OrderedDict.fromkeys([3, 1, 3])), ''.join(collections.OrderedDict.fromkeys('hello')), list(OrderedDict.fromkeys('ab', 0).items())
# ---
from collections import OrderedDict
d = OrderedDict(a=1, b=2)
d.move_to_end('a')
first = d.popitem(last=False)
first, list(d.items()), 'a' in d, isinstance(d, dict)
# ---
from collections import ChainMap
c = ChainMap({'a': 1}, {'a': 2, 'b': 3})
c['a'], c['b'], sorted(c.items()), list(c), c.get('z', 9), 'b' in c, c.maps, c.new_child({'z': 1})['z']
# ---
# A set changes where it is: whoever else has it sees the change.
def visit(seen, more):
    seen |= more
    return len(seen)
seen = {1}
other = seen
n = visit(seen, {2, 3})
seen -= {1}
groups, calls = {'a': seen}, []
def key():
    calls.append('key')
    return 'a'
groups[key()] |= {9}
groups['a'] &= {2, 9}
other ^= {9, 10}
n, sorted(seen), other is seen, groups['a'] is seen, calls
# ---
# What is no set stays as it was: numbers, frozen sets, dicts, views.
total, flags, frozen, d = 10, 6, frozenset([1]), {'a': 1}
same, was, e = frozen, set('ab'), d
keys = was
total -= len(same) + 1
total -= total // 2
flags |= 1
flags &= ~2
frozen |= {2}
d |= {'b': 2}
keys |= d.keys()
x = {1}
x |= (
    {2}  # why
    | {3}
)
class Box:
    def __init__(self):
        self.found = set()
b = Box()
held = b.found
b.found |= {5}
total, flags, sorted(frozen), sorted(same), e, sorted(keys), was is keys, sorted(x), held
# ---
s = {1}
s |= [2]  ### Operator |= is not supported
# ---
from collections import ChainMap
c = ChainMap({'a': 1}, {'b': 2, 'a': 3})
print(c, [c], len(c), list(c), dict(c), {**c, 'z': 0}, sorted(c.items()), 'b' in c, c == {'a': 1, 'b': 2}, c['b'], c.get('q', 7), c.parents, c.new_child({'q': 1}), c.maps)
c['n'] = 5
del c['a']
c.update({'k': 1}, w=2)
print(c, c['a'], c.pop('n'), c.setdefault('s', []), c.copy(), c | {'x': 1}, bool(ChainMap()), 'empty' if not ChainMap({}) else 'full', type(c).__name__)
for make in (lambda: c['zz'], lambda: c.pop('b')):
    try: make()
    except KeyError as error: print('KeyError')
def f(**words): return words
d = {}
d.update(c)
print(f(**dict(c)), d, {k: v for k, v in c.items()}, dict(c, extra=1), dict(a=1), dict([(1, 2)]))
# ---
import collections, json
c = collections.ChainMap({'debug': True}, dict(level=1))
print(json.dumps(dict(c), sort_keys=True), len(c), isinstance(c, collections.ChainMap))
# ---
from collections import OrderedDict
import json
d = OrderedDict([('a', 1), ('b', 2), ('c', 3)])
print(d.popitem(False), d.popitem(last=True), list(d.items()), list(json.loads('{"b": 1, "a": {"d": 1, "c": 2}}', object_pairs_hook=OrderedDict)))
# ---
# Items of counters and deques go.
from collections import Counter, deque
c, q, d = Counter('hello'), deque([1, 2, 3, 4]), {'k': 1}
del c['l'], c['nothing']
del q[1]
del q[-1]
del d['k']
try:
    del q[5]
except IndexError as error:
    print(error)
c, q, d
# ---
# until 3.11
# An ordered dict in an attribute is one.
from collections import OrderedDict
class Cache:
    def __init__(self):
        self.items = OrderedDict()
    def put(self, key, value):
        self.items[key] = value
        self.items.move_to_end(key)
        return len(self.items)
cache = Cache()
cache.put('a', 1)
print(cache.items)
# ---
xs, letters, slice = [0, 1, 2, 3, 4, 5], list('abcdef'), 'own'
del xs[::2], letters[1:5:3], letters[0]
print(xs, letters)
del xs[::-1]
xs
# ---
print(range(5)[::2], range(10)[1:5], range(10)[::-1], range(0,10,3)[1:], range(0,10,3)[::-1], range(10)[8:2:-3], range(10)[-3::2], range(0)[::2], range(5,0,-1)[::2], range(10)[20::3], range(10)[:-20:2], range(3)[::-2])
r=range(0,100,7)
print(r[::3], r[2:9:4], r[-1], len(r[::5]), 'abc'[::2], [1,2,3][::-1], r[::2][::2], r[::2].stop)
# ---
d={1:'a'}
d[True]='b'
print(d)
# ---
d={}
for k in [1,1.0,True,2]:
    d[k]=d.get(k,0)+1
print(d)
c={}
for k in [True,1,0,False,0.0]: c[k]=c.get(k,0)+1
print(c)
e={0:1}; e[False]+=1; e[0.0]=5; print(e)
# ---
# Of equal keys the first one stays, whatever made the dict.
from collections import Counter, defaultdict

rows = [{'price': float(text), 'name': name} for text, name in [('1', 'a'), ('2', 'b')]] + [{'price': 1, 'name': 'c'}]
by_price, total = {}, defaultdict(int)
for row in rows:
    by_price[row['price']] = row['name']
    total[row['price']] += 1
print(by_price, dict(total), {row['price']: 1 for row in rows}, {(row['price']): 1 for row in rows})
print(dict((row['price'], row['name']) for row in rows), dict(zip([0, 0.0, False], 'abc')), dict.fromkeys([1, 1.0]))
counts = Counter(row['price'] for row in rows)
counts.update([1, 5, 5.0])
known = {1: 'a'}
known.update({1.0: 'b', 2.5: 'c'})
known.update([(True, 'd')], x=1)
print(counts, known, Counter([True, 1, 1.0]))
# ---
# The first key is asked for once, and whatever else a subscript may be stays what it is.
grid, asked = [[0.0] * 2 for _ in range(2)], []


def key():
    asked.append(1)
    return 2.0


class Table:
    def __setitem__(self, key, value):
        asked.append((key, value))


d = {2: 'a', 'x': 1}
d[key()] = 'b'
grid[1][0] = 5
Table()[1.0] = 2
d, grid, asked
# ---
# until 3.11
from collections import OrderedDict
import copy

first, second = OrderedDict(b=1, a=2), OrderedDict(c=1)
both = first | second
print(both, first | {'z': 1}, {'z': 1} | first, 5 | 2, type(both).__name__, type(both), type({}), type(both.copy()))
kept = first
kept |= {'d': 4}
print(kept is first, first, copy.copy(first), copy.deepcopy([first, {'x': first}]), '%s' % first, '%s' % {})
flags = 1
flags |= 4
flags
# ---
# Equal keys that look otherwise: from data, in merged dicts, of own classes, and of numbers of any kind.
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

values = await echo(value=[1, True, 1.0, 0, False, '1', None, 2, 2.0])
counts = {}
for value in values:
    counts[value] = counts.get(value, 0) + 1
print(counts, {value: 1 for value in values}, dict.fromkeys(values), dict((v, n) for n, v in enumerate(values)))
first, second = {v: 1 for v in values[:1]}, {v: 2 for v in values[1:]}
print({**first, **second}, {**second, **first, 'x': 1}, first | second, {True: 'a'} | {1: 'b'}, {1: 'a', True: 'b'}, f'{ {**first, **second} }')
first |= second
print(first, {values[0]: 'x', (values[1]): ('y')})
flags = dict(zip([True, False, True], 'abc'))
flags.update(zip([1, 0, 2], 'xyz'))
print(flags)


@dataclass(frozen=True)
class Key:
    number: int
    label: str = field(compare=False)


class Kind(StrEnum):
    RED = 'red'


known = {}
for number in range(4):
    known[Key(number % 2, str(number))] = number
known.pop(Key(0, 'x'))
known[Key(0, 'new')] = 5
known[Key(0, 'newer')] = 6
print(known)
kinds = {Kind.RED: 1}
kinds['red'] = 2
money = {Decimal('2'): 'a', Fraction(1, 2): 'b'}
money[2], money[0.5] = 'c', 'd'
print(kinds, money, {**{Decimal('2.0'): 1}, **{2: 2}})
noon = datetime(2024, 1, 1, 12, tzinfo=timezone.utc)
print({noon: 1, noon.astimezone(timezone(timedelta(hours=1))): 2})
# ---
# Where a key is stored in what an expression gives, the expression is computed once.
users, asked = await list_users(), []


def teams(found):
    asked.append(len(found))
    return found


groups = {}
for user in users:
    teams(groups).setdefault(user['team'], {})[user['id']] = user['name']
    teams(groups)[user['team']][user['id'] == 1] += '!'if user['id'] == 1 else ''
grid = {(1, True): 'a'}
grid[True, 1] = 'b'
rows, table = [{}], [[0.0] * 2 for _ in range(2)]
rows[0][1.0], table[1][True] = 2, 5
rows[0][1] = 3
groups, asked, grid, rows, table
# ---
a = []; a.append(a); b = []; b.append(b)
for first, second in ((a, b), (b, a)):
    try: print(first == second)
    except RecursionError as e: print(e)
try: print(a != b)
except RecursionError as e: print(e)
print(a == a, a != a, a == [], a != [1, 2], [a] == [a], a == 5)
c, d = {'x': 1}, {'x': 1}
c['me'], d['me'] = c, d
try: print(c == d)
except RecursionError as e: print(e)
d['x'] = 2
print(c == d, c == {'x': 1}, (c, 1) == (c, 1))
# ---
rows, seen = [[1, 2], [3, 'a']], []
seen.append(rows); rows.append(seen[:0])
others = [list(row) for row in rows]
print(rows == others, rows != others, seen == [others], [(1, [2.5])] == [(1.0, [2.5])])
others[1].append(rows)
print(rows == others, rows != others, (rows) == (others), not rows == others)
# ---
r = range(10, 0, -3)
print('first')
r.index(4)  ### A range has no index here. Write list(...).index(...) of it.
# ---
def f():
    print([range(3).count(1)])  ### A range has no count here
f()
# ---
r = range(3)
r = [*r]
print(r.index(2), list(range(4)).index(3))
# ---
from collections import deque
def thrice(rows): rows *= 3
row = same = [1]; row *= 2; thrice(row); print(same, row is same)
table = {'a': [0], 'n': 2}; kept = table['a']; table['a'] *= (1 +
    1); table['n'] *= 3; print(kept, table)
class Box:
    def __init__(self): self.items, self.size = [1], 1.5
box = Box(); items = box.items; box.items *= 2; box.size *= 2; print(items, box.size)
queue = deque([1, 2], maxlen=3); other = queue; queue *= 2; print(other)
text, pair, number = 'ab', (1,), 3; text *= 2; pair *= 2; number *= 2.5; print(text, pair, number)
for times in (0, -1, True, 1.5, 'a'):
    row = same = [1, 2]
    try: row *= times; print(same)
    except TypeError as error: print(error, row)
def doubled(rows):
    for row in rows:
        row *= 2
        yield row
rows = [[1], [2]]; print(list(doubled(rows)), rows)
# ---
data = bytearray(b'ab'); same = data; data *= 2; row = other = [1]; row *= 2; print(same, other)
