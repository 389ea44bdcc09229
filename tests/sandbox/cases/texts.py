import pprint
pprint.pformat({'b': 1, 'a': [1, 2]}), pprint.pformat(list(range(50))), pprint.pformat({'k%d' % i: 'v' * 20 for i in range(5)}), pprint.pformat('x' * 100), pprint.pformat({'a': {'b': list(range(30)), 'c': ('x' * 30 + ' ') * 5}, 'z': (1,) * 40, 'q': set(range(40)), 'e': [], 'n': [[{'deep': list(range(25))}]]}), pprint.pformat({2: 'a', 'b': 1}), pprint.pformat(['word ' * 30], width=40, indent=4), pprint.pformat('hello world ' * 10 + '\n' + 'next', width=30), pprint.saferepr({'b': 1, 'a': 2})  ### There is no pprint.saferepr here
# ---
from pprint import pprint, pp
pprint({'b': 1, 'a': 2})
pp({'b': 1, 'a': 2})
# ---
import string
string.Template('$a ${b} $$').substitute(a=1, b=2), string.capwords("hello  world's"), string.Template('$a $z $ ${').safe_substitute(a=1)
# ---
import string
string.Template('x\n $ a').substitute(a=1)
# ---
import urllib.parse as u
u.urlparse('https://u:p@ex.com:80/a/b;c?d=1#f'), u.urlparse('//x/a;b/c'), u.urlparse('x:/a;b'), u.urlparse('https://e.com/a;b').geturl(), u.urlsplit('http://a/b;c').path
# ---
from traceback import format_exc
# ---
# Members of enumerations have the formats of what they are.
from enum import Enum, IntEnum, StrEnum
class D(Enum):
    X = 1
class E(IntEnum):
    X = 7
class F(StrEnum):
    X = 'x'
f'{D.X:>8}|{E.X:>8}|{F.X:>8}|{D.X}|{E.X:03d}|{F.X:^5}'
# ---
print('\ud800' == '\ufffd')  ### Half of a surrogate pair is no character here
# ---
swapped = bytes(reversed(range(256)))
print(b'a-b-c'.translate(None, b'-'), b'a-b'.translate(swapped, b'-'), b'ab'.translate(None, delete=b'b'), b'ab'.translate(swapped))  ### bytes has no translate here
