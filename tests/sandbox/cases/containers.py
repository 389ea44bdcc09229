from collections import OrderedDict
import collections
list(OrderedDict.fromkeys([3, 1, 3])), ''.join(collections.OrderedDict.fromkeys('hello')), list(OrderedDict.fromkeys('ab', 0).items())
# ---
from collections import OrderedDict
d = OrderedDict(a=1, b=2)
d.move_to_end('a')
first = d.popitem(last=False)
first, list(d.items()), 'a' in d, isinstance(d, dict)
# ---
from collections import ChainMap
c = ChainMap({'a': 1}, {'a': 2, 'b': 3})
c['a'], c['b'], sorted(c.items()), list(c), c.get('z', 9), 'b' in c, c.maps, c.new_child({'z': 1})['z']
# ---
# A set changes where it is: whoever else has it sees the change.
def visit(seen, more):
    seen |= more
    return len(seen)
seen = {1}
other = seen
n = visit(seen, {2, 3})
seen -= {1}
groups, calls = {'a': seen}, []
def key():
    calls.append('key')
    return 'a'
groups[key()] |= {9}
groups['a'] &= {2, 9}
other ^= {9, 10}
n, sorted(seen), other is seen, groups['a'] is seen, calls
# ---
s = {1}
s |= [2]  ### Operator |= is not supported
# ---
import collections, json
c = collections.ChainMap({'debug': True}, dict(level=1))
print(json.dumps(dict(c), sort_keys=True), len(c), isinstance(c, collections.ChainMap))
# ---
# Items of counters and deques go.
from collections import Counter, deque
c, q, d = Counter('hello'), deque([1, 2, 3, 4]), {'k': 1}
del c['l'], c['nothing']
del q[1]
del q[-1]
del d['k']
try:
    del q[5]
except IndexError as error:
    print(error)
c, q, d
# ---
r = range(10, 0, -3)
r.index(4)  ### range has no index here
# ---
def f():
    print([range(3).count(1)])  ### range has no count here
