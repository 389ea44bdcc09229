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
