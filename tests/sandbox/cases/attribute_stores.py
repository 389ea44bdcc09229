class DotDict(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
d = DotDict(a=1)
d.b = 2
d.a += 5
d.c = DotDict()
d.c.deep = [1]
d.c.deep += [2]
print(d, d.a, d.nope, d['b'], d.c.deep)
del d.b
setattr(d, 'z', 9)
print(d, 'b' in d)
try: del d.q
except KeyError as e: print(e.args)
# ---
class AttrDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None
    def __setattr__(self, name, value):
        self[name] = value
    def __delattr__(self, name):
        try:
            del self[name]
        except KeyError:
            raise AttributeError(name)
a = AttrDict()
a.x = 1
a.y = AttrDict(z=2)
a.y.w = 3
print(a, a.y.z + a.y.w, hasattr(a, 'x'), hasattr(a, 'nope'), getattr(a, 'nope', None))
del a.x
try: del a.x
except AttributeError as e: print(e)
print(a)
# ---
class Point:
    def __init__(self, x, y):
        object.__setattr__(self, 'x', x)
        super().__setattr__('y', y)
    def __setattr__(self, name, value):
        raise AttributeError(f'cannot assign to {name!r}')
p = Point(1, 2)
for change in (lambda: setattr(p, 'x', 5), lambda: setattr(p, 'new', 5)):
    try: change()
    except AttributeError as e: print(e)
try:
    p.x = 3
except AttributeError as e: print(e)
try:
    p.x += 3
except AttributeError as e: print(e)
print(p.x, p.y)
# ---
class Checked:
    def __init__(self, age, name='n'):
        self.age = age
        self.name: str = name
    def __setattr__(self, key, value):
        if key == 'age' and value < 0:
            raise ValueError('negative')
        print('set', key, value)
        super().__setattr__(key, value)
class Sub(Checked):
    kind = 'sub'
    def __init__(self, age):
        super().__init__(age)
        self.extra = []
        self.extra += [1]
    def __setattr__(self, key, value):
        super().__setattr__(key, value)
c = Checked(3); c.age += 1
try: c.age = -1
except ValueError as e: print(e, c.age)
s = Sub(2); s.extra += [2]; print(s.extra, s.age, s.name)
Sub.kind = 'other'; print(s.kind, Checked(1, 'b').name)
class Plain: pass
q = Plain(); q.v = 1; q.v += 1; print(q.v)
def f(): return f.calls
f.calls = 3; print(f())
# ---
class Logged:
    def __init__(self):
        self.__dict__['log'] = []
    def __setattr__(self, name, value):
        self.log.append(name)
        self.__dict__[name] = value
    @property
    def size(self): return len(self.log)
    @size.setter
    def size(self, n): self.log.append(n)
l = Logged(); l.a = 1; l.b = 2
print(l.log, l.a, l.b, l.size)
# ---
class Proxy:
    def __init__(self, target):
        object.__setattr__(self, '_target', target)
    def __getattr__(self, name): return getattr(self._target, name)
    def __setattr__(self, name, value): setattr(self._target, name, value)
class T: pass
t = T(); p = Proxy(t); p.x = 5; print(t.x, p.x)
# ---
class A:
    def __setattr__(self, name, value): pass
a = A()
a.x, a.y = 1, 2  ### by a statement of its own
# ---
from dataclasses import dataclass
@dataclass
class A:  ### does not ask __setattr__ here
    x: int
    def __setattr__(self, name, value): print(name)
A(1)
# ---
from functools import cached_property
class A:
    count = 0
    def __init__(self): self.v = 1
    def __setattr__(self, n, v):
        type(self).count += 1
        object.__setattr__(self, n, v)
    @property
    def p(self): return self._p
    @p.setter
    def p(self, value): self._p = value * 2
    @cached_property
    def slow(self): return 42
    @classmethod
    def reset(cls): cls.count = 100
a = A(); a.p = 5; print(a.p, a._p, A.count, a.slow, a.slow, A.count)
A.reset(); a.v = [1]; a.v += [2]; print(a.v, A.count, vars(a) if False else '')
if a: a.v += [3]
print(a.v, f'{a.v}')
def get(): return a
get().w = 3; print(a.w)
xs = [a]; xs[0].w += 4; print(a.w)
# ---
class A:
    def __setattr__(self, n, v): print('A', n); super().__setattr__(n, v)  ### Several bases may be meant: write object.__setattr__(self, ...) here.
class B:
    def __setattr__(self, n, v): print('B', n); object.__setattr__(self, n, v)
class C(A, B):
    def __setattr__(self, n, v): print('C', n); super().__setattr__(n, v)
c = C(); c.x = 1; print(c.x)
# ---
from types import SimpleNamespace
from dataclasses import dataclass
class A:
    def __setattr__(self, n, v): super().__setattr__(n, v * 2)
@dataclass
class D:
    x: int
    def bump(self): self.x += 1; return self.x
n = SimpleNamespace(a=1); n.a = 5; n.b = 6
d = D(1); d.x = 3
a = A(); a.k = 4
print(n, d, d.bump(), a.k)
class E(Exception): pass
e = E('x'); e.code = 5; print(e.code)
# ---
class Immutable:
    __slots__ = ('x',)
    def __init__(self, x): object.__setattr__(self, 'x', x)
    def __setattr__(self, *args): raise TypeError('immutable')
i = Immutable(1)
try: i.x = 2
except TypeError as e: print(e, i.x)
# ---
class M(dict):
    def __init__(self, **kw):
        super().__init__(**kw)
        super().__setattr__('meta', 'm')
    def __setattr__(self, n, v):
        if n in self: self[n] = v
        else: super().__setattr__(n, v)
m = M(a=1); m.a = 2; m.b = 3
print(m, m.b, m.meta)
# ---
class A:
    def __setattr__(self, n, v): print(n)
class W:
    def __enter__(self): return 5
    def __exit__(self, *a): pass
a = A()
for a.x in [1, 2]: pass  ### by a statement of its own
# ---
class A:
    def __init__(self): self._d = {}
    def __setattr__(self, n, v):
        if n.startswith('_'): super().__setattr__(n, v)
        else: self._d[n] = v
    def __getattr__(self, n):
        if n.startswith('__'): raise AttributeError(n)
        return self._d[n]
a = A(); a.x = 1; a.x += 1; print(a.x, a._d)
class Node:
    def __init__(self): self.next = None
n = Node(); n.next = Node(); n.next.next = 5; print(n.next.next)
# ---
class A:
    def __setattr__(self, n, v): super().__setattr__(n, v)
    def __delattr__(self, n): super().__delattr__(n)  ### An attribute cannot be deleted here
# ---
class Lock:
    _frozen = False
    def __init__(self): self.a = 1; self._frozen = True
    def __setattr__(self, k, v):
        if self._frozen and k not in ('_frozen',): raise AttributeError('frozen: ' + k)
        super().__setattr__(k, v)
l = Lock()
try: l.a = 2
except AttributeError as e: print(e)
print(l.a, Lock._frozen)
# ---
class Meta:
    def __setattr__(self, k, v): self.__dict__[k] = v
m = Meta(); m.a = 1; m.b = m.a
print(m.a, m.b, m.__dict__, vars(m))
async def work(o):
    o.done = await get_user(1)
    o.count = (await add(1, 2)) + 1
await work(m)
print(m.done['name'], m.count)
# ---
class A:
    def __init__(self):
        self.x = self.y = 1  ### by a statement of its own
    def __setattr__(self, n, v): super().__setattr__(n, v)
A()
# ---
class E(Exception):  ### An exception does not ask __setattr__ here
    def __setattr__(self, name, value): print(name)
E().code = 5
# ---
class Node:
    __slots__ = ('val',)
    def __init__(self, val): self.val = val
class Temp:
    def __init__(self, c): self.c = c
    @property
    def f(self): return self.c * 2
    @f.setter
    def f(self, v): self.c = v / 2
x = Temp(1); x.f = 10; x.f -= 4; print(x.c, Node(3).val)
