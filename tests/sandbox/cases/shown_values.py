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
