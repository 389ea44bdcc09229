print({10,20,30,40,50}, {100,5,200}, {9,8,7,33}, {(0,1),(1,0),(0,-1),(-1,0)}, {1.5,2.5,0.5}, {10,5,20,100,7})
for x in {9,8,7,33}: print(x)
for x in {10,20,30,40,50}: print(x)
a={10,20,30,40,50}; b={40,50,60,70}
print(a|b, a&b, a-b, a^b, a.union(b), a.copy(), set(a), frozenset(b), list(a), sorted(a), [x for x in b])
# ---
nums=[15,3,99,42,8,77,1,15]
s=set(nums); print(s); t=set()
for n in nums: t.add(n)
print(t, s==t, s|{1000,2000}, {x*x for x in range(12)}, {x%7 for x in nums}, set(range(0,100,7)))
print([x for x in s], *s, list(map(str,s)), ','.join(str(x) for x in s), sum(s), tuple(s), dict.fromkeys(s), list(enumerate(s)), next(iter(s)))
while s: print(s.pop(), end=' ')
print()
a,b,*c={300,200,100,50}
print(a,b,c)
# ---
class P:
    def __init__(self,x,y): self.x,self.y=x,y
    def __hash__(self): return hash((self.x,self.y))
    def __eq__(self,o): return (self.x,self.y)==(o.x,o.y)
    def __repr__(self): return f'P({self.x},{self.y})'
print({P(1,2),P(3,4),P(1,2),P(0,0),P(5,5)}, hash(P(1,2)), hash((1,(2,3))), hash(-1), hash(()), hash(2.5), hash(1e300), hash(-0.75), hash(frozenset([1,2,300])), hash(float('inf')), hash(10**30))
# ---
def f(a,b): return a|b
print(f(1,2), f({1},{2}), f({'a':1},{'b':2}), 6|1, True|False)
flags=1|4; print(flags&4, flags^1)
x={1,2}; x|={3}; x-={1}; x&={2,3}; x^={9}; print(x)
# ---
def uniq(xs):
    seen=set(); out=[]
    for x in xs:
        if x not in seen: seen.add(x); out.append(x)
    return out
print(uniq([3,1,3,2]), list(dict.fromkeys([3,1,3])), len(set('hello')), sorted(set('hello')), max({3,9,1}), set() == set(), {1}<{1,2})
print(' '.join(sorted({'b','a'})), {*[1,2],3}, set(map(abs,[-1,1,-2])), set(zip([1,2],[3,4]))=={(1,3),(2,4)})
# ---
s = {1, 2}
try:
    for k in s:
        s.add(k + 10)
except RuntimeError as e:
    print('RE', e)
# ---
nums=[15,3,99,42,8,77,1,15]
s=set(nums)
while s: print(s.pop(), end=' ')
# ---
s=set(range(30)); s.pop(); s.pop(); s.discard(5); print(s.pop(), s.pop(), s.pop(), s.pop(), len(s)); s.add(0); print(s.pop())
for i in range(100,160): s.add(i)
print([s.pop() for _ in range(40)])
# ---
a={101,205,309,412,33,64}; b={205,33,7}
print(a-b, a&b, a^b, b^a, b-a, (a|b)-{7}, a-b-{101}, {200,100,300}-{100}, set([1000,500,50])&{50,500})
c=a-b; c.add(900); print(c, list(c))
n=5-3; print(n, 6&3, 6^3)
# ---
a={1,2,3,4,5}; b={4,5,6,7,8}
print(a|b, a&b, a-b, a^b, b-a, a.symmetric_difference(b), a.intersection([4,9]), a.union([10],[11]), a.issubset(range(10)))
# ---
evens={x for x in range(20) if x%2==0}; odds=set(range(20))-evens
print(evens, odds, evens|odds, evens & {2,4,100}, {x//3 for x in range(20)})
# ---
ids={101,205,309,412}; new={205,500}
print(ids-new, new-ids, ids&new, ids|new, sorted(ids^new), list(ids), [i for i in ids if i>200])
# ---
x={5,3,9,1}
it=iter(x); print(next(it), list(it)); a,*b=x; print(a,b); print(*x, sep=','); print(min(x),max(x),sum(x),len(x), tuple(x), [*x,0], {*x,100})
x.discard(3); x.add(200); x.add(64); print(x); x.update([7,8,300]); print(x)
# ---
from collections import defaultdict
adj=defaultdict(set)
for a,b in [(1,5),(1,3),(2,3),(5,9),(3,9)]: adj[a].add(b); adj[b].add(a)
print(dict(adj)); order=[]
def dfs(n,seen):
    seen.add(n); order.append(n)
    for m in adj[n]:
        if m not in seen: dfs(m,seen)
dfs(1,set()); print(order)
# ---
s={40,8,16,24,32,5}
out=[]
while s:
    x=s.pop(); out.append(x)
    if x%8==0 and x<100: s.add(x+101)
print(out)
# ---
# until 3.11
# What was taken away leaves its place behind, and a table stays as large as it was.
s = set(range(20))
for n in range(0, 20, 3):
    s.discard(n)
s.add(100)
s.add(33)
print(s, list(s))
s.clear()
for n in [64, 0, 32, 8, 40]:
    s.add(n)
print(s)
s.update({1000, 2000, 24, 16})
s.update([72, 80, 88])
print(s)
s -= {64, 0}
s |= {3, 11, 19}
print(s)
s &= {3, 11, 72, 2000, 1000, 5}
print(s)
s ^= {3, 4, 12, 20}
print(s)
s.update({40: 1, 8: 2, 0: 3})
s.difference_update({40, 8})
print(s)
s.intersection_update([0, 11, 24, 4, 12, 1000])
s.symmetric_difference_update({0, 5, 13})
print(s, s.pop(), s)
# ---
# until 3.11
class Graph:
    def __init__(self):
        self.seen = set()


graph, groups = Graph(), {'a': set(range(10))}
for n in range(0, 300, 9):
    graph.seen.add(n)
for n in range(0, 300, 27):
    graph.seen.remove(n)
graph.seen.add(27)
groups['a'].discard(3)
groups['a'].add(40)
groups['a'].add(3)
print(graph.seen, groups, set({40: 1, 8: 2, 0: 3, 16: 4, 24: 5}))
names, numbers = {'a'}, [1, 2, 3]
names.discard('a')
numbers.remove(2)
names, numbers
# ---
# Of hundreds of numbers, too.
some = set(range(0, 3000, 7))
others = {n * 13 for n in some}
print(list(others), list(some | others))
print(list(some & others), list(some - others), list(some ^ others), list(set(others)))
# ---
# What is changed by signs stays a set; one is told from another one by a method, too.
some = {3, 1, 2}
print(some ^ {9}, some.symmetric_difference([17]), frozenset([1, 2]).symmetric_difference({8}))
some |= {10}
some -= {1}
print(some ^ {9}, some - {2, 40}, some & {10, 3, 18}, some)
# ---
s = {1, 2, 3}
try: print([s.add(x + 10) for x in s])
except RuntimeError as e: print(e)
try:
    for x in (t := {1, 2, 3}): t.add(x + 10)
except RuntimeError as e: print(e)
try: print({x: s.discard(x) for x in s if x})
except RuntimeError as e: print(e)
names = {'a', 'b'}
try: print([names.add(x + '1') for x in names])
except RuntimeError as e: print(e)
print([s.add(x) or x for x in s], s.add(99), sum(x for x in s if not s.add(99)))
