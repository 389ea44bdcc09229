# Names mean what they mean where they stand.
total = 3
'total' in globals(), 'other' in globals(), 'total' not in locals(), globals()['total']  ### There is no globals here
# ---
for filter in [1, 2]:
    map = filter * 2
filter, map
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
d, xs = {'a': 1, 'b': 2}, [1, 2, 3, 4]
del d['a'], xs[0]
del xs[1:]
d, xs
# ---
class A: pass
a = A()
a.x = 1
del a.x  ### An attribute cannot be deleted here
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
