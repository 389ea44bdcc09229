# Methods of builtin types may be kept, passed on and called later.
seen, out = set(), []
add, append = seen.add, out.append
for word in 'to be or not to be'.split():
    if word not in seen:
        add(word)
        append(word)
sorted(out), [w for w in ['a', 'b', 'a'] if w in seen or add(w)]
# ---
actions = {'sort': (numbers := [3, 1, 2]).sort, 'push': numbers.append, 'pop': numbers.pop}
actions['sort'](reverse=True)
actions['push'](9)
actions['pop'](0), numbers
# ---
from datetime import datetime
rank = {'low': 0, 'high': 2}.get
sorted(['high', 'low'], key=rank), rank('no', 7), list(map(datetime.fromisoformat, ['2024-01-02'])), list(map(int.bit_length, [5]))
# ---
# What a class of the script calls so is its own.
class Box:
    def __init__(self):
        self.items, self.count = [1], 5
        self.put = self.items.append

    def index(self):
        return 'own'
box = Box()
box.put(2)
items, index = box.items, box.index
items, index(), (box.count, box.items), f'{box.count}'
# ---
try:
    append = (5).append
    append(1)
except AttributeError:
    print('no such method')
