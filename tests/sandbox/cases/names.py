# Names mean what they mean where they stand.
total = 3
'total' in globals(), 'other' in globals(), 'total' not in locals(), globals()['total']  ### There is no globals here
# ---
def f(list, len):
    return [len + x for x in list]

def g(id, type='x', max=3):
    def h():
        return id, type, max
    return h()

f([1], 2), g(1), (lambda str, dict: (str, dict))(1, 2), [sum for sum in range(2)], {min: 1 for min in 'ab'}
# ---
for filter in [1, 2]:
    map = filter * 2
filter, map
# ---
class Box:
    max = 3
    def sum(self):
        return self.max
    def items(self):
        return 'items'
    def get(self, key):
        return key

b = Box()
b.sum(), b.items(), b.get('k'), max(1, 2), sum([1])
# ---
import json as j, re
def parse(json, re):
    return json.loads + re.sub

class Own:
    loads = 1
    sub = 2

parse(Own, Own), j.loads('[1]'), re.sub('a', 'b', 'a')
# ---
def outer():
    get_user = 5
    def inner():
        return get_user
    return inner()

outer(), (await get_user(1))['name']
# ---
x = 'module'
def reads():
    return x
class K:
    x = 'class'
    y = x
    def m(self):
        return x
    z = [i for i in x]

reads(), K.y, K().m(), K.z
# ---
def counter():
    n = 0
    def up(by=1):
        nonlocal n
        n += by
        return n
    return up

a, b = counter(), counter()
a(), a(5), b(), [f() for f in [lambda i=i: i for i in range(3)]]
# ---
x, y = 1, 2
del x
try:
    print(x)
except NameError as e:
    print(e)
y
# ---
def f(n):
    total = n
    if n:
        del total
    try:
        return total
    except UnboundLocalError as e:
        return str(e)

f(0), f(1)
# ---
d, xs = {'a': 1, 'b': 2}, [1, 2, 3, 4]
del d['a'], xs[0]
del xs[1:]
d, xs
# ---
class A: pass
a = A()
a.x = 1
del a.x  ### An attribute cannot be deleted here
