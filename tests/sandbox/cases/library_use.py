import json
d = json.JSONDecoder(); print(d.decode('[1]'), d.raw_decode('{"a":"} \\" ]"} tail'), d.raw_decode('12,3'), d.raw_decode('x [1] y', 2), d.raw_decode('"a b" c'), d.raw_decode('true]'), d.raw_decode('-1.5e3'))  ### There is no json.JSONDecoder here
# ---
import json, io
buf = io.StringIO(); json.dump({'a': 1, 'b': [2]}, buf, indent=1); print(buf.getvalue()); buf.seek(0); print(json.load(buf))
from json import load, dump
b = io.StringIO('{"x": [1.5]}'); print(load(b)['x'], load(io.StringIO('{"k": 1}'), object_hook=lambda d: list(d)))
# ---
from pathlib import Path, PurePath
p = Path('/a/b/c.txt'); print(p.relative_to('/a'), p.relative_to('/a', 'b'), p.relative_to(Path('/a/b/c.txt')), p.anchor, p.root, p.drive == '', p.parents[0], p.parents[-1], len(p.parents), Path('a').parents[0], Path('a').anchor, list(Path('x/y').parents))  ### Too many positional arguments to bound method PurePath.relative_to: expected 2, got 3
# ---
import time
def slow(x): time.sleep(0); return x * 2
print(list(map(slow, [1,2])), sorted([2,1], key=slow), [slow(x) for x in [1]], sum(slow(x) for x in [1,2]), any(slow(x) > 2 for x in [1, 2]), max([1,2], key=slow), list(filter(slow, [0, 1])), {k: slow(k) for k in [1]})
# ---
class A:
    def __enter__(self): time.sleep(0); return self
    def __exit__(self, *a): time.sleep(0)
    def __iter__(self): time.sleep(0); return iter([1])  ### time.sleep cannot be called in __iter__
# ---
from numbers import Number, Integral, Real  ### There is no module numbers here
# ---
import types
def f(): pass
print(isinstance(f, types.FunctionType), isinstance((x for x in []), types.GeneratorType), type(None) is types.NoneType, isinstance(lambda: 1, types.LambdaType), isinstance(len, types.BuiltinFunctionType), isinstance(1, types.FunctionType))  ### There is no types.FunctionType here
# ---
import warnings
with warnings.catch_warnings():  ### There is no warnings.catch_warnings here
    warnings.simplefilter('ignore'); print('x')
# ---
from functools import *
from math import *
from collections import *
from itertools import *
print(sorted([3,1,2], key=cmp_to_key(lambda a,b: b-a)), sqrt(16), pi > 3, floor(2.5), Counter('aab').most_common(1), deque([1]), list(chain([1],[2])), reduce(lambda a, b: a + b, [1,2]), gcd(12, 18))  ### Name cmp_to_key used when not defined
d = defaultdict(list); d['a'].append(1)
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
from functools import cmp_to_key
xs = ['3', '30', '34', '5', '9']; xs.sort(key=cmp_to_key(lambda a, b: (b + a > a + b) - (b + a < a + b))); print(''.join(xs))
