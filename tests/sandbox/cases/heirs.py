class Config(dict):
    def describe(self):
        return ', '.join(f'{k}={v}' for k, v in sorted(self.items()))
c = Config(a=1, b=[2])
print(c, repr(c), str(c), f'{c}', len(c), 'a' in c, c['a'], c.get('z'), c.describe(), bool(c), list(c))
c['d'] = 4
del c['a']
print(c, c == {'b': [2], 'd': 4}, {'b': [2], 'd': 4} == c, c != {}, isinstance(c, dict), isinstance(c, Config), type(c).__name__)
print({**c}, dict(c), [c], {'x': c}, dict(**c), c | {'q': 1}, {'q': 2} | c, type(c | c).__name__)
for k, v in c.items(): print(k, v)
print(sorted(c), list(c.keys()), list(c.values()), c.pop('d'), c.setdefault('n', []), c)
c.update({'z': 1}, y=2); c |= {'w': 3}
print(c, c.copy(), type(c.copy()).__name__)
# ---
import json
class Config(dict):
    pass
c = Config({'a': 1, 'b': Config(x=1)})
print(json.dumps(c), json.dumps([c], indent=1, sort_keys=True))
print(issubclass(Config, dict), Config.__mro__, Config.__bases__)
# ---
class Counting(dict):
    def __missing__(self, key):
        return 0
c = Counting()
for w in 'a b a c a'.split():
    c[w] += 1
print(c, c['zzz'], c.get('zzz'), 'zzz' in c)
# ---
class SafeDict(dict):
    def __missing__(self, key):
        return '{' + key + '}'
print('{a} {b}'.format_map(SafeDict(a=1)))
print('%(a)s' % SafeDict(a=1))
# ---
class AttrDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)
a = AttrDict(x=1, y=AttrDict(z=2))
print(a.x, a.y.z, a.items())
try:
    a.q
except AttributeError as e:
    print('AE', e)
print(hasattr(a, 'x'), hasattr(a, 'nope'), getattr(a, 'nope', 5))
# ---
class D(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.log = []
    def __setitem__(self, key, value):
        self.log.append(key)
        super().__setitem__(key, value)
    def __getitem__(self, key):
        return super().__getitem__(key)
d = D(a=1)
d['b'] = 2
d.update(c=3)
print(d, d.log)
try:
    d['zz']
except KeyError as e:
    print(repr(e), e.args)
# ---
class D(dict):
    __getattr__ = dict.get
d = D(a=1)
print(d.a, d.b)
# ---
class D(dict):
    def __setitem__(self, k, v):
        dict.__setitem__(self, k.lower(), v)
    def __getitem__(self, k):
        return dict.__getitem__(self, k.lower())
d = D(); d['ABC'] = 1
print(d['aBc'], d, d.keys())
# ---
class Tree(dict):
    def __missing__(self, key):
        value = self[key] = type(self)()
        return value
t = Tree()
t['a']['b']['c'] = 1
print(t, t['a'])
# ---
class P(dict):
    pass
class Q(P):
    def get(self, k, d='dflt'):
        return super().get(k, d)
q = Q(a=1)
print(q.get('b'), q.get('a'), isinstance(q, P), isinstance(q, dict), q)
# ---
import copy
class P(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.tag = 't'
p = P(a=[1])
q = copy.copy(p); r = copy.deepcopy(p)
q['b'] = 1; r['a'].append(2)
print(p, q, r, type(q).__name__, type(r).__name__, q.tag)
# ---
from collections import Counter, ChainMap
class P(dict): pass
p = P(a=1)
x = {}
x.update(p)
print(x, Counter(p), ChainMap(p, {'b': 2})['a'], [*p], max(p), list(reversed(p)), dict.fromkeys(p), sum(p.values()))
def f(**kw): return kw
print(f(**p), f(b=2, **p))
a, = p
print(a, set(p), tuple(p), list(zip(p, [1])), list(enumerate(p)), next(iter(p)))
# ---
class P(dict): pass
print(P(), not P(), bool(P()), 'empty' if not P() else 'full', P() or 'x')
print(P([('a', 1), ('b', 2)]), P({'a': 1}, b=2), P(P(a=1)), P(zip('ab', [1, 2])))
p = P.fromkeys('ab', 0)
print(p, type(p).__name__)
print(p.__class__.__name__, vars(p), p.__dict__)
# ---
class Stack(list):
    def push(self, x):
        self.append(x)
    def peek(self):
        return self[-1]
    def is_empty(self):
        return not self
s = Stack()
print(s.is_empty(), s, len(s))
s.push(1); s.push(2); s.push(3)
print(s, s.peek(), s.pop(), s.is_empty(), s[0], s[-1], s[:1], type(s[:1]).__name__, isinstance(s, list))
s += [5, 6]; s += (7,)
print(s, type(s).__name__, s + [1], [1] + s, type(s + s).__name__, s * 2, 2 * s)
s[0] = 9; s[1:2] = [4, 4]; del s[0]
print(s, sorted(s), sorted(s, reverse=True), s.index(5), s.count(4), max(s), min(s), sum(s), s == [4, 4, 5, 6, 7], [4, 4, 5, 6, 7] == s)
s.sort(reverse=True); print(s); s.reverse(); print(s); s.extend(x for x in [1]); s.insert(0, 0); s.remove(4)
print(s, list(s), tuple(s), set(s) == {0, 4, 5, 6, 7, 1}, [*s], *s)
print(s < [100], [100] > s, s <= s, s > [0], list(reversed(s)), 4 in s, 44 in s)
a, *b = s
print(a, b)
for i, x in enumerate(s): print(i, x)
print([x * 2 for x in s], s.copy(), type(s.copy()).__name__, bool(s))
del s[1:3]; print(s); s.clear(); print(s)
# ---
class L(list):
    def __init__(self, items=()):
        super().__init__(items)
        self.name = 'n'
    def append(self, item):
        super().append(item * 2)
l = L([1])
l.append(2)
print(l, l.name)
import json
print(json.dumps(l), json.dumps({'a': l}))
# ---
class L(list):
    def __repr__(self): return f'L({list(self)!r})'
print(L([1]), [L([2])], {'a': L()})
print(','.join(L('abc')), list(map(str, L([1, 2]))), any(L([0, 1])), all(L([0, 1])))
# ---
class L(list): pass
try:
    L([1])[5]
except IndexError as e: print(e)
try:
    L([1]).remove(5)
except ValueError as e: print(e)
try:
    L().pop()
except IndexError as e: print(e)
try:
    L([1]) + (1,)
except TypeError as e: print(e)
try:
    hash(L())
except TypeError as e: print(e)
try:
    L([1]).index(4)
except ValueError as e: print(e)
try:
    L(5)
except TypeError as e: print(e)
# ---
class Grid(list):
    def __init__(self, w, h):
        super().__init__([0] * w for _ in range(h))
    def __getitem__(self, k):
        if isinstance(k, tuple):
            return list.__getitem__(self, k[1])[k[0]]
        return super().__getitem__(k)
g = Grid(3, 2)
g[1][2] = 5
print(g, g[2, 1], g[1], len(g))
# ---
class A(list): pass
class B(A):
    def first(self): return self[0] if self else None
b = B('xy')
print(b.first(), isinstance(b, A), isinstance(b, list), isinstance([], A), issubclass(B, list), issubclass(list, B), type(b) is B, type(b) == list)
from collections.abc import Sequence, Iterable, MutableSequence, Mapping
print(isinstance(b, Iterable), isinstance(b, Sequence), isinstance(b, MutableSequence), isinstance(b, Mapping))
# ---
from typing import List
class T(List[int]):
    def total(self): return sum(self)
print(T([1, 2]).total(), T([1]))
class U(list[int]):
    pass
print(U([1]))
# ---
class D(dict):
    __getattr__ = dict.get
d = D(a=1)
print(d.a, d.b)
# ---
class Inv(list):
    def __iter__(self):
        for i in range(len(self)):
            yield self[i] * 10
i = Inv([1, 2])
print(list(i), i, [*i], sorted(i), sum(i), tuple(i), [x for x in i], dict.fromkeys(i), ','.join(map(str, i)), i + [3], i == [1, 2])
import json
print(json.dumps(i))
# ---
class Inv(list):
    def __getitem__(self, k):
        return super().__getitem__(k % len(self))
i = Inv([1, 2, 3])
print(i[4], list(i), i, [*i], sorted(i), i.index(2), i.pop(), max(i), [i[k] for k in range(5)])
# ---
class CI(dict):
    def __init__(self, data=None, **kw):
        super().__init__()
        self.update(data or {}, **kw)
    def _k(self, key): return key.lower() if isinstance(key, str) else key
    def __setitem__(self, key, value): super().__setitem__(self._k(key), value)
    def __getitem__(self, key): return super().__getitem__(self._k(key))
    def __contains__(self, key): return super().__contains__(self._k(key))
    def __delitem__(self, key): super().__delitem__(self._k(key))
    def get(self, key, default=None): return super().get(self._k(key), default)
    def update(self, *args, **kwargs):
        for k, v in dict(*args, **kwargs).items():
            self[k] = v
c = CI({'Content-Type': 'x'}, Accept=1)
print(c, c['CONTENT-TYPE'], 'ACCEPT' in c, c.get('Nope', 0), len(c), dict(c), {**c})
del c['ACCEPT']
print(c, list(c), sorted(c.items()))
# ---
class E(dict):
    def __eq__(self, other): return isinstance(other, dict) and set(self) == set(other)
    def __hash__(self): return hash(frozenset(self))
e = E(a=1)
print(e == {'a': 2}, {'a': 2} == e, e != {'a': 2}, {e: 1}[E(a=5)], hash(e) == hash(E(a=3)))
# ---
class H(dict):
    def __hash__(self): return hash(tuple(sorted(self.items())))
h = H(a=1)
print({h: 5}[H(a=1)], h in {H(a=1)}, len({H(a=1), H(a=1)}), h == {'a': 1})
# ---
class K(dict):
    def keys(self): return ['x', 'y']
    def __getitem__(self, k): return k * 2
k = K(a=1)
def f(**kw): return kw
print(f(**k), dict(k), {**k}, k.items(), list(k))
import json
print(json.dumps(k))
# ---
def make():
    class Local(list):
        def total(self): return sum(self)
    return Local([1, 2])
m = make()
print(m.total(), m)
class Outer:
    class Items(dict):
        def names(self): return sorted(self)
    def __init__(self): self.items = Outer.Items(b=1, a=2)
print(Outer().items.names(), Outer().items)
# ---
class Base:
    def hello(self): return f'hello {len(self)}'
class Both(Base, list): pass
class Other(list, Base): pass
print(Both([1]).hello(), Other('ab').hello(), Both([1]), isinstance(Both(), Base), isinstance(Both(), list))
# ---
class Matrix(list):
    def __add__(self, other): return Matrix(a + b for a, b in zip(self, other))
    def __mul__(self, k): return Matrix([a * k for a in self])
    def __neg__(self): return Matrix([-a for a in self])
    def __matmul__(self, o): return sum(a * b for a, b in zip(self, o))
    def __radd__(self, other): return 'radd'
m = Matrix([1, 2])
print(m + m, m * 3, -m, m @ m, type(m + m).__name__, [1] + m)
m += [5]; print(m, type(m).__name__)
m *= 2; print(m)
# ---
class L(list): pass
l = L([1, 2, 3])
for x in l:
    if x == 2: l.append(9)
    print(x)
    if len(l) > 6: break
class D(dict): pass
d = D(a=1)
try:
    for k in d: d[k + 'x'] = 1
except RuntimeError as e: print(e)
# ---
class L(list):
    def __str__(self): return '<' + '|'.join(str(x) for x in self) + '>'
print(L([1, L([2])]), [L([1])], f'{L([3])} {L([3])!r}', str(L()), '%s' % L([4]))
# ---
class L(list): pass
a = L([1, 2]); b = a; b.append(3)
print(a is b, a, a == b, L([1]) is L([1]), [a, b].index([1, 2, 3]), a in [b], (a, 1) < ([5], 0), sorted([a, L([0])]))
x, y, z = a
print(x, y, z, {'k': a}['k'][1:], a[::2], a[-1:], [i for i in reversed(a)], list(map(lambda v: v * 2, a)), a[slice(0, 2)])
a[1:2] = L([7, 8]); print(a); a[:] = []; print(a, not a)
a += 'xy'; a.extend(L([1])); a.insert(len(a), L([2])); print(a, a[-1], type(a[-1]).__name__)
# ---
class S(list): pass
s = S([[1, 2], [3]])
print([y for x in s for y in x], sum(s, []), list(zip(*S([(1, 2), (3, 4)]))), max(s, key=len), min(S([3, 1])), s * 0, S() == [], [] == S())
print(S(['b', 'a']) < ['c'], ['a'] < S(['b']), sorted(S(['b', 'a'])), ' '.join(S(['b', 'a'])), set(S([1, 1])), tuple(S([1])), S([1]) != [1], 'a' in S(['a']))
while s: s.pop()
print(s or 'empty', s and 'full')
# ---
import json
class Model(dict):
    def to_json(self): return json.dumps(self, sort_keys=True)
    @classmethod
    def from_json(cls, t): return cls(json.loads(t))
m = Model.from_json('{"b": 1, "a": [1]}')
print(m.to_json(), m, type(m).__name__, json.loads(m.to_json()) == m)
# ---
class D(dict):
    def __missing__(self, k):
        raise KeyError(f'no {k}')
d = D()
try: d['x']
except KeyError as e: print(e, e.args)
try: D(a=1).pop('q')
except KeyError as e: print(e, e.args)
try: del d['q']
except KeyError as e: print(e.args)
try: d.popitem()
except KeyError as e: print(e.args)
# ---
class Config(dict):
    pass
c = Config(a=1, b=Config(x=[2]))
print(await echo(c), await echo([c]), await echo(value={'k': c}))
# ---
class Team(list):
    async def load(self, team):
        self.extend(await list_users(team))
    def names(self): return [u['name'] for u in self]
t = Team()
await t.load('core')
print(len(t), t.names(), t[0])
# ---
class E(dict):
    def __eq__(self, other): return isinstance(other, dict) and set(self) == set(other)
    def __hash__(self): return hash(frozenset(self))
e = E(a=1)
print(e == {'a': 2}, {'a': 2} == e, e != {'a': 2}, {e: 1}[E(a=5)])
# ---
class Outer:
    class Items(dict):
        def names(self): return sorted(self)
    def __init__(self): self.items = Outer.Items(b=1, a=2)
print(Outer().items.names(), Outer().items)
# ---
import copy
class L(list):
    def append(self, item):
        super().append(item * 2)
print(copy.copy(L([1])))  ### A copy is made with append of the class
# ---
class L(list): pass
match L([1]):  ### A pattern does not know heirs of list or dict here. Ask with isinstance.
    case [a]: print(a)
# ---
class A(dict):
    def __init__(self, **words):
        super().__init__(**words)
        self.__dict__ = self  ### The attributes of an object cannot be replaced here. Write __getattr__, which asks self[name].
print(A(x=1).x)
# ---
class S(set): pass  ### cannot inherit from set here
# ---
class S(list):
    def first(self):
        return self[0]
def shown(make):
    try:
        print(make())
    except Exception as e:
        print(type(e).__name__, e)
l = S([3, 1, 2]); shown(lambda: l[0:2] == [3, 1])
l = S([3, 1, 2]); shown(lambda: l.index(1))
l = S([3, 1, 2]); shown(lambda: l.index(9))
l = S([3, 1, 2]); shown(lambda: l.count(1))
l = S([3, 1, 2]); shown(lambda: l.copy())
l = S([3, 1, 2]); shown(lambda: l.pop())
l = S([3, 1, 2]); shown(lambda: l.pop(0))
l = S([3, 1, 2]); shown(lambda: l.pop(9))
l = S([3, 1, 2]); shown(lambda: l.remove(9))
l = S([3, 1, 2]); shown(lambda: l.insert(0, 5) or l)
l = S([3, 1, 2]); shown(lambda: l.extend('ab') or l)
l = S([3, 1, 2]); shown(lambda: l.extend(l) or l)
l = S([3, 1, 2]); shown(lambda: l.sort() or l)
l = S([3, 1, 2]); shown(lambda: l.sort(key=lambda x: -x) or l)
l = S([3, 1, 2]); shown(lambda: l.sort(key=None, reverse=True) or l)
l = S([3, 1, 2]); shown(lambda: l.reverse() or l)
l = S([3, 1, 2]); shown(lambda: l.clear() or l)
l = S([3, 1, 2]); shown(lambda: S())
l = S([3, 1, 2]); shown(lambda: S(S([1])))
l = S([3, 1, 2]); shown(lambda: S('ab'))
l = S([3, 1, 2]); shown(lambda: S(range(3)))
l = S([3, 1, 2]); shown(lambda: S(x for x in 'ab'))
l = S([3, 1, 2]); shown(lambda: S(5))
l = S([3, 1, 2]); shown(lambda: S([1], [2]))
l = S([3, 1, 2]); shown(lambda: S(a=1))
l = S([3, 1, 2]); shown(lambda: hash(l))
l = S([3, 1, 2]); shown(lambda: {l: 1})
l = S([3, 1, 2]); shown(lambda: {l})
l = S([3, 1, 2]); shown(lambda: l())
l = S([3, 1, 2]); shown(lambda: l.nope)
l = S([3, 1, 2]); shown(lambda: l['a'])
l = S([3, 1, 2]); shown(lambda: l[9])
l = S([3, 1, 2]); shown(lambda: l['a':])
l = S([3, 1, 2]); shown(lambda: -l)
l = S([3, 1, 2]); shown(lambda: l - [1])
l = S([3, 1, 2]); shown(lambda: l + 1)
l = S([3, 1, 2]); shown(lambda: 1 + l)
l = S([3, 1, 2]); shown(lambda: l * 'a')
l = S([3, 1, 2]); shown(lambda: l & l)
l = S([3, 1, 2]); shown(lambda: l > 5)
l = S([3, 1, 2]); shown(lambda: 5 > l)
l = S([3, 1, 2]); shown(lambda: int(l))
l = S([3, 1, 2]); shown(lambda: abs(l))
l = S([3, 1, 2]); shown(lambda: l.__len__())
l = S([3, 1, 2]); shown(lambda: l.__contains__(1))
l = S([3, 1, 2]); shown(lambda: l.__getitem__(0))
l = S([3, 1, 2]); shown(lambda: list.__len__(l))
l = S([3, 1, 2]); shown(lambda: list.append(l, 4) or l)
l = S([3, 1, 2]); shown(lambda: list.copy(l))
l = S([3, 1, 2]); shown(lambda: list.__repr__(l))
l = S([3, 1, 2]); shown(lambda: list.sort(l) or l)
l = S([3, 1, 2]); shown(lambda: list(map(len, [l, l])))
l = S([3, 1, 2]); shown(lambda: sorted([l, S()], key=len))
l = S([3, 1, 2]); shown(lambda: hasattr(l, 'append'))
l = S([3, 1, 2]); shown(lambda: hasattr(l, 'nope'))
l = S([3, 1, 2]); shown(lambda: getattr(l, 'append')(4) or l)
l = S([3, 1, 2]); shown(lambda: callable(l.append))
l = S([3, 1, 2]); shown(lambda: l is l)
l = S([3, 1, 2]); shown(lambda: not l)
l = S([3, 1, 2]); shown(lambda: l or 1)
# ---
class S(list):
    def first(self):
        return self[0]
def shown(make):
    try:
        print(make())
    except Exception as e:
        print(type(e).__name__, e)
l = S([3, 1, 2]); shown(lambda: S.__bases__)
l = S([3, 1, 2]); shown(lambda: S.append(l, 3) or l)
l = S([3, 1, 2]); shown(lambda: S.__len__(l))
l = S([3, 1, 2]); shown(lambda: isinstance(S, type))
l = S([3, 1, 2]); shown(lambda: isinstance(l, object))
l = S([3, 1, 2]); shown(lambda: isinstance(l, dict))
# ---
# until 3.11
from collections import OrderedDict
class LRUCache(OrderedDict):
    def __init__(self, capacity):
        super().__init__()
        self.capacity = capacity
    def get(self, key):
        if key not in self:
            return -1
        self.move_to_end(key)
        return self[key]
    def put(self, key, value):
        if key in self:
            self.move_to_end(key)
        self[key] = value
        if len(self) > self.capacity:
            self.popitem(last=False)
c = LRUCache(2)
c.put(1, 1); c.put(2, 2)
print(c.get(1), c, len(c), list(c))
c.put(3, 3)
print(c.get(2), c, c == {1: 1, 3: 3}, dict(c), list(c.items()), 3 in c, bool(c), isinstance(c, dict), type(c).__name__)
# ---
# until 3.11
from collections import OrderedDict
class LRU(OrderedDict):
    'Limit size, evicting the least recently looked-up key when full'
    def __init__(self, maxsize=128, /, *args, **kwds):
        self.maxsize = maxsize
        super().__init__(*args, **kwds)
    def __getitem__(self, key):
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if len(self) > self.maxsize:
            oldest = next(iter(self))
            del self[oldest]
x = LRU(2, a=1, b=2, c=3)
print(x, x['b'], x, x.maxsize)
print(dict(x), x, {**x}, x)
y = {}
y.update(x)
print(y, x, list(x.values()), x.pop('b'), x)
try: x['q']
except KeyError as e: print(e.args)
# ---
# until 3.11
from collections import OrderedDict
class O(OrderedDict): pass
a, b = O(x=1, y=2), O(y=2, x=1)
print(a == b, a == dict(b), dict(a) == b, a == OrderedDict(x=1, y=2), OrderedDict(y=2, x=1) == a, a != b, a == 5)
print(a | {'z': 1}, {'z': 1} | a, a.copy(), type(a.copy()).__name__, O(), O([('p', 1)]), O(a, z=3), O.fromkeys('ab', 0))
a |= {'q': 1}; print(a, a.setdefault('n', 5), a.setdefault('x', 9), a.popitem(), a.popitem(last=False), a)
a.move_to_end('y'); print(a); a.move_to_end('y', last=False); print(a, list(reversed(a)))
for call in (lambda: a.move_to_end('nope'), lambda: O().popitem(), lambda: a.pop('nope'), lambda: a['nope']):
    try: call()
    except KeyError as e: print(e.args)
import json
print(json.dumps(a), f'{a}', [a], str(a), sorted(a), len(a), a.get('zz', 4))
def f(**kw): return kw
print(f(**a), dict(**a), list(a.keys()), 'y' in a.keys())
# ---
from collections import OrderedDict
class O(OrderedDict): pass
import copy
copy.copy(O())  ### A copy is made with __init__ of the class
# ---
from collections import OrderedDict
class Upper(OrderedDict):
    def __setitem__(self, k, v): super().__setitem__(k.upper(), v)
    def __missing__(self, k): return f'no {k}'
u = Upper(a=1); u.update(b=2); u.update([('c', 3)]); u.setdefault('d', 4)
print(list(u.items()), u['zz'], u.get('zz'))
print(await echo(dict(u)))
# ---
class V:
    def __init__(self, n): self.n = n
    def __lt__(self, o): return self.n < o.n
    def __eq__(self, o): return self.n == o.n
    def __repr__(self): return f'V{self.n}'
class L(list): pass
l = L([V(2), V(1)])
l.sort(); print(l, l.index(V(2)), V(1) in l, l.count(V(1)), min(l), sorted(l))
l.sort(key=lambda v: -v.n); print(l)
l.sort(reverse=True); print(l)
