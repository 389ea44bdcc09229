d={'x':{3,1,2},'y':[{9,8}]}
print(d, [{5,4}], ({2,1},), str(d), f"{d['x']} {d}", '%s' % {3,2,1}, '%s and %s' % ({3,1},{2,1}), '{} {}'.format({2,1},{7,5}))
from collections import defaultdict, deque, namedtuple
g=defaultdict(set); g['a'].add(20); g['a'].add(3); print(g, dict(g), deque([{2,1}]), g['a'])
P=namedtuple('P','s'); print(P({2,1}), [P({4,3})])
for k in g:
    for v in g[k]: print(k,v)
from dataclasses import dataclass, field
@dataclass
class D:
    items:set=field(default_factory=set)
    def add(self,*x): self.items.update(x)
x=D(); x.add(40,30,2); print(x, [x], x.items, f'{x.items=}')
s={2,1}
print(f'{s=} {s!r} {s!s}')
class C:
    def __init__(self): self.s={9,1}
    def __repr__(self): return f'C({self.s})'
print(C(), [C()])
# ---
# until 3.11
from collections import OrderedDict
def show(d): print(d, [d], str(d), repr(d), f'{d}')
o=OrderedDict(b=1,a=2); show(o); show(OrderedDict()); show(o.copy()); show(dict(o))
print(o==OrderedDict(a=2,b=1), o=={'a':2,'b':1}, o!=OrderedDict(b=1,a=2), OrderedDict([('a',1)])==OrderedDict(a=1), [o]==[o])
o.move_to_end('b'); print(o, list(o), o.popitem(last=False), o)
class LRU:
    def __init__(self,n): self.n=n; self.d=OrderedDict()
    def put(self,k,v):
        self.d[k]=v; self.d.move_to_end(k)
        if len(self.d)>self.n: self.d.popitem(last=False)
    def __repr__(self): return f'LRU({self.d})'
l=LRU(2)
for i in range(4): l.put(i,i*i)
print(l, l.d)
import json
print(json.loads('{"a":{"b":1}}', object_pairs_hook=OrderedDict), json.dumps(o), OrderedDict.fromkeys('ab'))
# ---
class A: pass
class B(A): pass
reg=[A,B]; print(reg, {'a':A}, (A,B), {A:1}, [type(A())], [int,A])
d={}
d['k']=B; print(d, d['k'], f'{reg}')
def kinds(xs): return [type(x) for x in xs]
print(kinds([1,A(),'s']))
xs=[]; xs.append(A); print(xs)
# ---
from types import SimpleNamespace
n=SimpleNamespace(a=1)
n.b=2
print(n)
print(n==SimpleNamespace(a=1,b=2), n==SimpleNamespace(a=1), n==3, n!=SimpleNamespace(a=1), [n])
m=SimpleNamespace()
for k,v in {'z':1,'y':[2]}.items(): setattr(m,k,v)
m.q=SimpleNamespace(u=1)
m.q.u+=1
# ---
import types
def make(**k):
    o=types.SimpleNamespace(**k)
    o.total=sum(k.values())
    return o
print(make(a=1,b=2), repr(make()))
# ---
from datetime import date, datetime
print(date(2024, 1, 2).timetuple(), [datetime(2024, 1, 2, 3, 4, 5).timetuple()])
# ---
import time
t=time.gmtime(0)
print(len(t), tuple(t), t[0], t.tm_year, t)
y,m,d,*r=t
print(y,m,d,r, time.strftime('%Y-%m-%d', t), time.asctime(t), t.tm_wday, t[:3], isinstance(t, tuple), list(t), t == time.gmtime(0), time.gmtime(86400*365)[:6])
# ---
from collections import namedtuple
P = namedtuple('P', 'x y')
print(type(P(1, 2)), [P], P)
# ---
# until 3.12
# What exceptions and types of the library show, and what its functions are called.
import asyncio, base64, binascii, collections, fractions, json, operator, re, statistics, uuid
from decimal import Decimal, InvalidOperation

found = [re.compile('a'), re.match('a', 'a'), fractions.Fraction(1, 2), collections.Counter(), uuid.UUID(int=1)]
print([type(value) for value in found], *(type(value) for value in found), str(type(found[0])), f'{type(found[1])}')
for attempt in (
    lambda: json.loads('{'),
    lambda: re.compile('['),
    lambda: Decimal('x'),
    lambda: base64.b64decode('a'),
    lambda: statistics.mean([]),
):
    try:
        attempt()
    except Exception as error:
        print(repr(error), f'{error!r}', [error], type(error), f'{type(error)} {error}', type(error).__name__)
for function in (statistics.mean, operator.add, round, hash, sorted, len, json.dumps):
    print(function.__name__)
try:
    raise asyncio.CancelledError
except asyncio.CancelledError as error:
    print(type(error))
# ---
# Of an exception that is shown, nothing else is asked for.
import json

for text in ['{"a": 1}', '{bad']:
    try:
        print(json.loads(text))
    except ValueError as error:
        print(repr(error))
# ---
# Lists and dicts that hold themselves.
from collections import OrderedDict, deque

own = [1]
own.append(own)
own.append([own])
print(own, str(own), repr(own), f'{own} {own!r} {own=}', [own], '%s' % (own,), '{}'.format(own))
node = {'name': 'a', 'kids': []}
kid = {'name': 'b', 'up': node}
node['kids'].append(kid)
print(node, str(kid), (kid,), *[node])
users = await list_users()
for user in users:
    user['peers'] = [other for other in users if other['team'] == user['team']]
users
# ---
# until 3.11
# The same, beside what is shown otherwise.
from collections import OrderedDict, deque

data = {'l': [], 's': {3, 1, 2}}
data['l'].append(data)
pair = ([], {2, 1})
pair[0].append(pair)
known = OrderedDict(a=1)
known['self'] = known
waiting = deque([1])
waiting.append(waiting)
print(data, f'{data}', pair, known, waiting)
# ---
print(type(object()).__name__)
type(object()).__qualname__
