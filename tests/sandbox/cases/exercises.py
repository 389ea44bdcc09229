class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next
def build(xs):
    dummy = cur = ListNode()
    for x in xs:
        cur.next = ListNode(x)
        cur = cur.next
    return dummy.next
def to_list(n):
    out = []
    while n:
        out.append(n.val); n = n.next
    return out
def reverse(head):
    prev = None
    while head:
        head.next, prev, head = prev, head, head.next
    return prev
def merge(a, b):
    dummy = tail = ListNode()
    while a and b:
        if a.val <= b.val:
            tail.next, a = a, a.next
        else:
            tail.next, b = b, b.next
        tail = tail.next
    tail.next = a or b
    return dummy.next
def middle(h):
    slow = fast = h
    while fast and fast.next:
        slow, fast = slow.next, fast.next.next
    return slow.val
print(to_list(reverse(build([1, 2, 3]))), to_list(merge(build([1, 4, 6]), build([2, 3, 9]))), middle(build(range(7))))
class Solution:
    def addTwoNumbers(self, l1: 'Optional[ListNode]', l2: 'Optional[ListNode]') -> 'Optional[ListNode]':
        dummy = ListNode()
        cur, carry = dummy, 0
        while l1 or l2 or carry:
            s = (l1.val if l1 else 0) + (l2.val if l2 else 0) + carry
            carry, d = divmod(s, 10)
            cur.next = ListNode(d)
            cur = cur.next
            l1 = l1.next if l1 else None
            l2 = l2.next if l2 else None
        return dummy.next
print(to_list(Solution().addTwoNumbers(build([2, 4, 3]), build([5, 6, 4]))))
# ---
inventory = {'apple': {'qty': 5, 'price': 1.2}, 'pear': {'qty': 0, 'price': 2}, 'fig': {'qty': 12, 'price': 0.35}}
total = sum(i['qty'] * i['price'] for i in inventory.values())
print(f'{total:.2f}', {k: v for k, v in inventory.items() if v['qty']}, sorted(inventory, key=lambda k: inventory[k]['price']))
inventory['pear'] |= {'qty': 3}
removed = inventory.pop('apple', None)
print(removed, inventory.get('nope'), list(inventory), len(inventory), 'fig' in inventory)
for name, info in inventory.items():
    info['value'] = round(info['qty'] * info['price'], 2)
print(inventory, min(inventory.items(), key=lambda kv: kv[1]['value'])[0])
nested = {}
for path, v in [('a/b/c', 1), ('a/b/d', 2), ('e', 3)]:
    *parents, leaf = path.split('/')
    d = nested
    for p in parents: d = d.setdefault(p, {})
    d[leaf] = v
print(nested)
inv = {}
for k, v in {'x': 1, 'y': 2, 'z': 1}.items(): inv.setdefault(v, []).append(k)
print(inv, dict(sorted(inv.items(), reverse=True)), {**inv, 3: []}, inv.popitem())
# ---
# until 3.11
from datetime import datetime, date, timedelta
import calendar
events = [('2024-02-28', 'a'), ('2023-12-31', 'b'), ('2024-02-29', 'c')]
parsed = sorted((datetime.strptime(d, '%Y-%m-%d').date(), n) for d, n in events)
print(parsed[0][0].year, [(d.strftime('%b %d'), n) for d, n in parsed], (parsed[-1][0] - parsed[0][0]).days)
def age(born, today): return today.year - born.year - ((today.month, today.day) < (born.month, born.day))
print(age(date(2000, 5, 17), date(2024, 5, 16)), calendar.monthrange(2024, 2), calendar.isleap(1900), date(2024, 1, 1).isocalendar()[1])
d = date(2024, 5, 1)
bdays = 0
while bdays < 10:
    d += timedelta(days=1)
    if d.weekday() < 5: bdays += 1
print(d, d.strftime('%A'), date.fromisoformat('2024-12-25') > d, timedelta(hours=25, minutes=3), str(timedelta(seconds=3661)), timedelta(days=1).total_seconds(), datetime(2024, 1, 1, 9, 5).strftime('%H:%M %p %j'), repr(d))
months = {}
for dd, n in parsed: months.setdefault(dd.strftime('%Y-%m'), []).append(n)
print(months, f'{d:%d/%m/%Y}', d.replace(day=1) - timedelta(days=1), datetime(2024, 3, 1) - timedelta(microseconds=1))
# ---
from dataclasses import dataclass, field, replace, astuple
from typing import Optional, ClassVar
@dataclass
class Task:
    title: str
    priority: int = 3
    done: bool = False
    deps: list['Task'] = field(default_factory=list)
    parent: Optional['Task'] = None
    counter: ClassVar[int] = 0
    def __post_init__(self):
        if not self.title.strip(): raise ValueError('empty title')
        Task.counter += 1
    @property
    def ready(self) -> bool: return all(d.done for d in self.deps)
    def complete(self) -> 'Task':
        if not self.ready: raise RuntimeError(f'{self.title} blocked')
        self.done = True
        return self
a = Task('design'); b = Task('build', 1, deps=[a])
try: b.complete()
except RuntimeError as e: print(e)
a.complete(); b.complete()
print(a, b.done, Task.counter, replace(a, title='z'), a == Task('design', done=True))
@dataclass(frozen=True)
class Point:
    x: int = 0
    y: int = 0
    def __add__(self, o): return Point(self.x + o.x, self.y + o.y)
pts = {Point(1, 2), Point(1, 2), Point()}
print(len(pts), Point(1) + Point(0, 5), astuple(Point(3, 4)))
try:
    Point().x = 5
except Exception as e:
    print(type(e).__name__, e)
Task('')
# ---
class Bank:
    def __init__(self): self.accounts = {}
    def open(self, name, bal=0):
        if name in self.accounts: raise ValueError(f'{name} exists')
        self.accounts[name] = bal
    def transfer(self, a, b, amt):
        if amt <= 0: raise ValueError('amount must be positive')
        if self.accounts[a] < amt: raise ValueError('insufficient')
        self.accounts[a] -= amt; self.accounts[b] += amt
b = Bank(); b.open('x', 100); b.open('y')
for args in [('x', 'y', 30), ('y', 'x', 50), ('x', 'z', 5), ('x', 'y', -1)]:
    try: b.transfer(*args)
    except (ValueError, KeyError) as e: print(type(e).__name__, e, args)
print(b.accounts)
# ---
import re
from collections import namedtuple
Token = namedtuple('Token', ['type', 'value', 'line', 'col'])
spec = [('NUM', r'\d+(\.\d*)?'), ('ASSIGN', r':='), ('END', r';'), ('ID', r'[A-Za-z_]\w*'), ('OP', r'[+\-*/]'), ('NL', r'\n'), ('SKIP', r'[ \t]+'), ('BAD', r'.')]
rx = re.compile('|'.join(f'(?P<{n}>{p})' for n, p in spec))
def lex(code):
    line, start = 1, 0
    for m in rx.finditer(code):
        kind, val, col = m.lastgroup, m.group(), m.start() - start
        if kind == 'NUM': val = float(val) if '.' in val else int(val)
        elif kind == 'NL': start = m.end(); line += 1; continue
        elif kind == 'SKIP': continue
        elif kind == 'BAD': raise RuntimeError(f'{val!r} unexpected on line {line}')
        yield Token(kind, val, line, col)
for t in lex('x := 3 + 4.5;\ny := x * 2;'): print(t.type, t.value, t.line, t.col, sep=':', end=' ')
print(next(lex('a')))
list(lex('a ? b'))
# ---
def compress(s):
    from itertools import groupby
    return ''.join(f'{k}{n}' if (n := len(list(g))) > 1 else k for k, g in groupby(s))
def decode(s):
    stack, cur, num = [], '', 0
    for c in s:
        if c.isdigit(): num = num * 10 + int(c)
        elif c == '[': stack.append((cur, num)); cur, num = '', 0
        elif c == ']': prev, n = stack.pop(); cur = prev + cur * n
        else: cur += c
    return cur
def zigzag(s, n):
    rows, r, d = [''] * n, 0, 1
    for c in s:
        rows[r] += c
        if r == 0: d = 1
        elif r == n - 1: d = -1
        r += d
    return ''.join(rows)
def words(n):
    ones = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split()
    tens = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split()
    if n < 20: return ones[n]
    if n < 100: return tens[n // 10] + ('-' + ones[n % 10] if n % 10 else '')
    if n < 1000: return ones[n // 100] + ' hundred' + (' ' + words(n % 100) if n % 100 else '')
    return words(n // 1000) + ' thousand' + (' ' + words(n % 1000) if n % 1000 else '')
def is_pal(s): return (t := [c for c in s.lower() if c.isalnum()]) == t[::-1]
def luhn(s): return sum(d if i % 2 == 0 else sum(divmod(d * 2, 10)) for i, d in enumerate(map(int, reversed(s)))) % 10 == 0
def pig(w): return w + 'way' if w[0] in 'aeiou' else next((w[i:] + w[:i] + 'ay' for i, c in enumerate(w) if c in 'aeiouy'), w)
print(compress('aaabbc'), decode('3[a2[c]]x'), zigzag('PAYPALISHIRING', 3), words(12345), is_pal('A man, a plan, a canal: Panama'), luhn('4539578763621486'), ' '.join(map(pig, 'the quick apple'.split())))
print({n: bin(n)[2:].rjust(4, '0') for n in (1, 5)}, int('1010', 2), ord('a'), chr(8364), 'é'.encode(), b'\xc3\xa9'.decode(), 'ß'.upper(), 'a\tb'.expandtabs(4), repr('it\'s "q"\n'))
# ---
import asyncio
async def safe(i):
    if i % 2:
        await fail(message=f'odd {i}')
    return await slow(value=i)
results = await asyncio.gather(*map(safe, range(4)), return_exceptions=True)
print([r if not isinstance(r, Exception) else f'{type(r).__name__}: {r}' for r in results])
data = await echo(value={'a': {'b': [{'c': 1}, {'c': 2}]}})
print(data['a']['b'][-1]['c'], data.get('x', {}).get('y', 'none'), sum(d['c'] for d in data['a']['b']))
data['a']['z']
