# Names mean what they mean where they stand.
total = 3
'total' in globals(), 'other' in globals(), 'total' not in locals(), globals()['total']  ### There is no globals here
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
