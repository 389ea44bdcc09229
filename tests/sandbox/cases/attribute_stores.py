class DotDict(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__  ### There is no dict.__setitem__ here
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
class AttrDict(dict):  ### A class cannot inherit from dict here
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
    def __setattr__(self, name, value):  ### __setattr__ of a class is not asked here
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
