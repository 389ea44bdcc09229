import textwrap as t
t.fill('a\n\nb'), t.wrap('The quick brown fox jumps over the lazy dog', 10), t.fill('hello world foo', width=8, initial_indent='* ', subsequent_indent='  '), t.shorten('hello big world', 10), t.dedent('  a\n   b\n\n  c'), t.indent('a\n\nb', '> '), t.wrap('a-b-c long-hyphenated-word here', 8), t.wrap('supercalifragilistic', 5), t.wrap(''), t.fill('a\tb  c', 5), t.TextWrapper(width=10, max_lines=2).wrap('one two three four five'), t.indent('a\nb', '> ', lambda l: 'a' in l)
# ---
import pprint
pprint.pformat({'b': 1, 'a': [1, 2]}), pprint.pformat(list(range(50))), pprint.pformat({'k%d' % i: 'v' * 20 for i in range(5)}), pprint.pformat('x' * 100), pprint.pformat({'a': {'b': list(range(30)), 'c': ('x' * 30 + ' ') * 5}, 'z': (1,) * 40, 'q': set(range(40)), 'e': [], 'n': [[{'deep': list(range(25))}]]}), pprint.pformat({2: 'a', 'b': 1}), pprint.pformat(['word ' * 30], width=40, indent=4), pprint.pformat('hello world ' * 10 + '\n' + 'next', width=30), pprint.saferepr({'b': 1, 'a': 2})
# ---
from pprint import pprint, pp
pprint({'b': 1, 'a': 2})
pp({'b': 1, 'a': 2})
# ---
from collections.abc import Callable, Iterator, Iterable, Mapping, Sequence
def f(x: Callable) -> Iterator: return 1
isinstance([], Iterable), isinstance(iter([]), Iterable), isinstance({}.keys(), Iterable), isinstance('a', Sequence), isinstance({}, Mapping), isinstance(5, Iterable), isinstance(iter([]), Iterator), isinstance([], Iterator)
# ---
import types
n = types.SimpleNamespace(a=1, b=2)
n, n.a, n == types.SimpleNamespace(b=2, a=1)
# ---
import operator
operator.abs(-0.0), operator.abs(-5), operator.abs(2.5), operator.abs(True)
# ---
import html
html.escape('<a href="x">\'&'), html.unescape('&lt;&eacute;&#233;&#xe9;&nope;&amp&notit;&copy 5&nbsp;&#0;&hearts;&#x80;&#55296;&#1;&#11;a&b&&#x110000;')
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
import traceback
try:
    1 / 0
except ZeroDivisionError:
    traceback.print_exc()
# ---
from traceback import format_exc  ### Use except Exception as error
