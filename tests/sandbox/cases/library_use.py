import json
from datetime import datetime, date
from decimal import Decimal
class Enc(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, (datetime, date)): return o.isoformat()
        if isinstance(o, set): return sorted(o)
        return super().default(o)
print(json.dumps({'d': date(2024,1,2), 's': {2,1}}, cls=Enc), json.dumps([{'s': {1}}], cls=Enc, indent=2, sort_keys=True))
try: json.dumps({'a': 1j}, cls=Enc)
except TypeError as e: print(e)
# ---
"""doc"""
from json import JSONEncoder, dumps
class E(JSONEncoder):
    def default(self, obj):
        if hasattr(obj, 'x'): return {'x': obj.x}
        return JSONEncoder.default(self, obj)
class P:
    def __init__(self): self.x = 1
print(dumps([P()], cls=E), E().encode({'p': P()}), E(indent=1).encode([P()]), isinstance(E(), JSONEncoder), JSONEncoder().encode([1]))
class F(E):
    def default(self, obj): return str(obj) if isinstance(obj, complex) else super().default(obj)
print(dumps([P(), 1j], cls=F))
# ---
import json
d = json.JSONDecoder(); print(d.decode('[1]'), d.raw_decode('{"a":"} \\" ]"} tail'), d.raw_decode('12,3'), d.raw_decode('x [1] y', 2), d.raw_decode('"a b" c'), d.raw_decode('true]'), d.raw_decode('-1.5e3'))
for bad in ('', ' 1', 'x', '{"a" 1}', 'nul'):
    try: d.raw_decode(bad)
    except json.JSONDecodeError as e: print(type(e).__name__)
# ---
import json, io
buf = io.StringIO(); json.dump({'a': 1, 'b': [2]}, buf, indent=1); print(buf.getvalue()); buf.seek(0); print(json.load(buf))
from json import load, dump
b = io.StringIO('{"x": [1.5]}'); print(load(b)['x'], load(io.StringIO('{"k": 1}'), object_hook=lambda d: list(d)))
# ---
from typing import TypedDict, NotRequired
class M(TypedDict, total=False):
    """doc"""
    a: int
    b: NotRequired[str]
class N(M):
    c: list[M]
P = TypedDict('P', {'x': int, 'y': int})
m: M = {'a': 1}; print(m, M(a=2), N(c=[m], a=3), P(x=1, y=2), isinstance(m, dict))
def f(p: N) -> P: return P(x=p['a'], y=len(p['c']))
print(f({'a': 1, 'c': []}))
# ---
from pathlib import Path, PurePath
p = Path('data') / 'a' / 'b.tar.gz'
print(p, p.name, p.stem, p.suffixes, p.parent.parent, str(p), p.with_suffix('.x'), p.parts, repr(p), p == Path('data/a/b.tar.gz'), p.is_relative_to('data'), p.relative_to('data'), [str(x) for x in p.parents], hash(p) == hash(Path('data/a/b.tar.gz')), sorted([Path('b'), Path('a')]), p.match('*.gz'), p.match('a/*.gz'), p.match('/x'), Path('/a/../b').as_posix(), Path('a').joinpath('b', 'c'), Path('a.txt').with_stem('b'), Path('.'), Path(), f'{p}', Path('/').is_absolute(), Path('/a b/ü').as_uri())
p = Path('/a/b/c.txt'); print(p.relative_to('/a'), p.relative_to('/a', 'b'), p.relative_to(Path('/a/b/c.txt')), p.anchor, p.root, p.drive == '', p.parents[0], p.parents[-1], len(p.parents), Path('a').parents[0], Path('a').anchor, list(Path('x/y').parents))
try: p.relative_to('/x')
except ValueError as e: print('no')
import re
print(re.compile('a+').match('aab').group(), p.match('[a-c].txt'), p.match('[!c].txt'), p.match('?.t*'))
# ---
from pathlib import Path
print(1); Path('x.txt').exists()  ### There are no files here
# ---
from pathlib import Path
base = Path('a'); print(2)
(base / 'x').write_text('a')  ### There are no files here
# ---
print(3)
with open('x.csv') as f:  ### There are no files here
    print(f.read())
# ---
from dataclasses import dataclass, fields, MISSING, field
@dataclass
class P:
    x: int
    y: int = 2
    z: list = field(default_factory=list)
    w: str = field(default='q', repr=False)
print([(f.name, f.default if f.default is not MISSING else '-', f.default_factory is list) for f in fields(P)], P(1))
# ---
import time
def slow(x): time.sleep(0); return x * 2
print(list(map(slow, [1,2])), sorted([2,1], key=slow), [slow(x) for x in [1]], sum(slow(x) for x in [1,2]), any(slow(x) > 2 for x in [1, 2]), max([1,2], key=slow), list(filter(slow, [0, 1])), {k: slow(k) for k in [1]})
# ---
import time
def g():
    for i in range(2):
        time.sleep(0)
        yield i
for x in g(): print(x)
# ---
import time
def slow(x): time.sleep(0); return x * 2
print(list(map(slow, [1,2])), sorted([2,1], key=slow), [slow(x) for x in [1]])
# ---
import time
def slow(x): time.sleep(0); return x * 2
print(sum(slow(x) for x in [1,2]), any(slow(x) > 2 for x in [1, 2]))
# ---
import time
class A:
    def __enter__(self): time.sleep(0); return self
    def __exit__(self, *a): time.sleep(0)
    def __iter__(self): time.sleep(0); return iter([1])  ### Nothing can wait in __iter__ here.
with A() as a: print(list(a))
# ---
# until 3.11
import sys
sys.setrecursionlimit(10**6)
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
print(depth(3000), sys.getrecursionlimit())
class N:
    def __init__(self, k): self.k = k
    def d(self): return 1 + self.k.d() if self.k else 1
n = None
for _ in range(2000): n = N(n)
print(n.d())
from functools import lru_cache
@lru_cache(maxsize=None)
def f(n): return n if n < 2 else f(n-1) + f(n-2)
print(f(900) % 1000007)
def walk(t):
    if t:
        yield t[0]
        yield from walk(t[1])
t = None
for i in range(60): t = (i, t)
print(sum(walk(t)))
def loop(): return loop()
try: loop()
except RecursionError as e: print(type(e).__name__)
# ---
from numbers import Number, Integral, Real
import numbers
from fractions import Fraction
from decimal import Decimal
print([isinstance(x, Number) for x in (1, 1.5, 'x', 1j, Decimal(1), Fraction(1), None, True)], [isinstance(x, (str, Real)) for x in (1, 's', Decimal(1), Fraction(1))], isinstance(True, Integral), issubclass(int, Number), issubclass(str, numbers.Real), isinstance(2.5, numbers.Integral | str) if False else 0)
# ---
import types
def f(): pass
print(isinstance(f, types.FunctionType), isinstance((x for x in []), types.GeneratorType), type(None) is types.NoneType, isinstance(lambda: 1, types.LambdaType), isinstance(len, types.BuiltinFunctionType), isinstance(1, types.FunctionType))
def g(): yield 1
print(isinstance(g(), types.GeneratorType), isinstance([1], (types.GeneratorType, list)))
# ---
from functools import singledispatch
@singledispatch
def show(x): return 'obj'
@show.register
def _(x: int): return 'int'
@show.register(list)
def _(x): return 'list of ' + str(len(x))
@show.register(str)
@show.register(bytes)
def both(x): return 'text'
class A: pass
class B(A): pass
@show.register
def _(x: A, y: int = 1): return f'A {y}'
show.register(float, lambda x: 'fl')
show.register(type(None), lambda x: 'none')
print(show(1), show([1,2]), show('s'), show(True), show(b''), show(1.5), show(None), show({}), show(B()), show(A(), 2), show.__name__)
# ---
import warnings
with warnings.catch_warnings():
    warnings.simplefilter('ignore'); print('x')
def old(): warnings.warn('old', DeprecationWarning, stacklevel=2); return 1
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always'); old()
    print(len(w), w[0].message, w[0].category.__name__, issubclass(w[-1].category, DeprecationWarning))
# ---
from functools import *
from math import *
from collections import *
from itertools import *
from typing import *
print(sorted([3,1,2], key=cmp_to_key(lambda a,b: b-a)), sqrt(16), pi > 3, floor(2.5), Counter('aab').most_common(1), deque([1]), list(chain([1],[2])), reduce(lambda a, b: a + b, [1,2]), gcd(12, 18))
d = defaultdict(list); d['a'].append(1)
def f(xs: List[int], m: Optional[int] = None) -> Dict[str, int]: return {str(x): x for x in xs}
print(d, f([1]), OrderedDict(a=1)['a'], factorial(5), inf)
@lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(30))
# ---
from datetime import *
from statistics import *
from random import *
from string import *
from re import *
seed(1); print(date(2024, 1, 1) + timedelta(days=1), mean([1, 2]), stdev([1, 2, 3]), randint(1, 6), ascii_lowercase[:3], datetime(2024,1,1).replace(2020), findall('a', 'aba'), sub('a', 'b', 'aa'))
# ---
from collections import deque
d = deque([1,2,3]); d.insert(1, 9); print(d); d.remove(9); d.reverse(); print(d, d[0], d[-1], list(d), len(d), 2 in d, d.copy(), d == deque([3,2,1]), bool(deque()), d + deque([5]), d * 2, max(d), sorted(d))
d.rotate(-1); d.clear(); d.extend('ab'); d += ['c']; print(d, d.pop(), d.popleft(), [x for x in d], deque('abc', 2), deque(maxlen=2).maxlen, tuple(d)); d[0] = 'z'; del d[0]; print(d)
try: d.pop()
except IndexError as e: print(e)
# ---
from collections import deque
q = deque([(0, 'a')]); seen = set()
graph = {'a': ['b', 'c'], 'b': ['d'], 'c': ['d'], 'd': []}
# ---
import re
print(re.findall(rb'\d+', b'a1'))  ### decode the bytes, and search the text
# ---
from datetime import datetime, date, time
d = datetime(2024,1,2,3,4); print(d.replace(2023), d.replace(2020, 5, 6), d.date().replace(2021), d.replace(2020, day=9), time(1, 2).replace(5), 'a-b'.replace('-', '+'), [x.replace(x[0], 'z') for x in ['ab']])
# ---
import math
from fractions import Fraction
print(math.sqrt(Fraction(1,4)), math.floor(Fraction(7,2)), math.ceil(Fraction(7,2)), math.isclose(Fraction(1,2), 0.5), math.log(Fraction(1,2)) < 0, math.pow(Fraction(1,2), 2), math.sqrt(4))
# ---
from dataclasses import dataclass, field, fields
@dataclass
class C:
    n: int = field(default=0, metadata={'unit': 'kg', 'help': 'weight'})
    s: str = 'x'
    t: list = field(default_factory=list, repr=False, metadata=dict(a=[1]))
for f in fields(C): print(f.name, f.metadata.get('unit'), dict(f.metadata), f.default == 0)
print(C(), C(5), C(1) == C(1), [f.metadata['help'] for f in fields(C()) if 'help' in f.metadata])
@dataclass
class D(C):
    z: int = field(default=1, metadata={'q': 1})
print([(f.name, dict(f.metadata)) for f in fields(D)], D())
# ---
from functools import cmp_to_key
import functools
def by(a, b): return (a > b) - (a < b)
key = cmp_to_key(by)
print(sorted([3, 1, 2], key=key), max([1, 3, 2], key=key), min('cab', key=key), sorted(['b', 'a'], key=cmp_to_key(lambda a, b: by(b, a)), reverse=True), key(1) < key(2), key(1) == key(1), max([2, 9], key=functools.cmp_to_key(by)), min([], key=key, default='none'))
xs = ['3', '30', '34', '5', '9']; xs.sort(key=key); print(xs); xs.sort(key=cmp_to_key(lambda a, b: (b + a > a + b) - (b + a < a + b))); print(''.join(xs))
keys = {'asc': key, 'desc': cmp_to_key(lambda a, b: b - a)}; print(sorted([1, 3, 2], key=keys['desc']), sorted([(1, 'b'), (1, 'a')], key=lambda t: (t[0], key(t[1]))))
import heapq; h = [key(3), key(1)]; heapq.heapify(h); print(heapq.heappop(h).obj if hasattr(h[0], 'obj') else '')
# ---
from functools import cmp_to_key
print(max(['a', 'B'], key=cmp_to_key(lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))), min([3, 1], key=cmp_to_key(lambda a, b: b - a)), 1 < 2)
try: max([], key=cmp_to_key(lambda a, b: 0))
except ValueError as e: print('empty')
# ---
import warnings
warnings.warn('x'); warnings.warn('y', DeprecationWarning)
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always'); warnings.warn('plain'); warnings.warn('dep', DeprecationWarning)
    print([(str(x.message), x.category.__name__) for x in w], w[0].category is UserWarning)
with warnings.catch_warnings(): warnings.simplefilter('ignore'); warnings.warn('z'); print(1)
# ---
from functools import cmp_to_key
xs = ['3', '30', '34', '5', '9']; xs.sort(key=cmp_to_key(lambda a, b: (b + a > a + b) - (b + a < a + b))); print(''.join(xs))
# ---
s = 'Hello world'
for op in ['upper', 'lower', 'title', 'swapcase', 'split']: print(op, getattr(s, op)())
print(getattr('a,b', 'split')(','), getattr([3, 1], 'index')(1), getattr({'a': 1}, 'get')('z', 5), getattr(s, 'nope', 'dflt'), getattr([], 'append', None) is not None)
xs = []; getattr(xs, 'append')(4); put = getattr(xs, 'append'); put(5); print(xs)
class A:
    x = 1
    def upper(self): return 'UP'
    def get(self, k): return k
a = A()
print(getattr(a, 'upper')(), getattr(a, 'x'), getattr(a, 'get')(3), [getattr(a, n) for n in ('x',)], getattr(a, 'missing', None))
def run(obj, method, *args, **kw): return getattr(obj, method)(*args, **kw)
print(run('a-b', 'replace', '-', '+'), run([1, 2, 1], 'count', 1), run('x', 'center', 5, '*'), run({'k': 1}, 'items'))
try: getattr(a, 'zz')
except AttributeError as e: print(e)
try: getattr('a', 'zz')
except AttributeError as e: print(e)
import math; print(getattr(math, 'sqrt')(4), getattr(math, 'pi') > 3)
# ---
import json
class E(json.JSONEncoder):
    def default(self, obj):
        if hasattr(obj, '__dict__'): return obj.__dict__
        return json.JSONEncoder.default(self, obj)
class P:
    def __init__(self): self.a = 1; self.kids = []
p = P(); p.kids.append(P())
print(json.dumps([p], cls=E), E().encode({'p': P()}), E(default=str).encode([1]))
try: json.dumps({1j}, cls=E)
except TypeError as e: print(e)
# ---
import json
class E(json.JSONEncoder):
    def default(self, o):
        try: return o.to_dict()
        except AttributeError: return o.__dict__ if hasattr(o, '__dict__') else super().default(o)
class A:
    def __init__(self, x): self.x = x
    def to_dict(self): return {'x': self.x}
class B:
    def __init__(self): self.a = A(1)
print(json.dumps({'a': A(1), 'b': B()}, cls=E), json.JSONEncoder(default=lambda o: 'd').encode([1j]))
# ---
import datetime, decimal
from dataclasses import dataclass
from collections import namedtuple
class P:
    x = 1
class S:
    __slots__ = ['a']
    def __init__(self): self.a = 1
@dataclass
class D:
    a: int = 1
N = namedtuple('N', 'a')
print([hasattr(o, '__dict__') for o in (P(), D(), S(), N(1), 1, 'a', [], {}, None, (1,), {1}, datetime.date(2024, 1, 1), decimal.Decimal(1), 1.5, b'', range(2))], hasattr(P, '__dict__'), hasattr(len, '__dict__'))
