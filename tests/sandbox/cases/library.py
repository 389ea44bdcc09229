import difflib
s = difflib.SequenceMatcher(None, 'abcd', 'bcde')
print(s.ratio(), s.quick_ratio(), s.real_quick_ratio(), s.get_opcodes(), s.get_matching_blocks(), s.find_longest_match(0, 4, 0, 4), list(s.get_grouped_opcodes()))
a, b = 'one\ntwo\nthree\n'.splitlines(True), 'ore\ntree\nemu\n'.splitlines(True)
print(''.join(difflib.unified_diff(a, b, 'x', 'y')), ''.join(difflib.context_diff(a, b)), ''.join(difflib.ndiff(a, b)))
print(difflib.get_close_matches('appel', ['ape', 'apple', 'peach', 'puppy']), list(difflib.Differ().compare(a, b)), list(difflib.restore(difflib.ndiff(a, b), 1)))
print(difflib.SequenceMatcher(lambda x: x == ' ', ' abcd', 'abcd abcd').find_longest_match(), difflib.SequenceMatcher(a='abc', b='abd').ratio(), difflib.IS_LINE_JUNK('  #\n'))  ### There is no difflib.IS_LINE_JUNK here
# ---
import fnmatch
print(fnmatch.fnmatch('a.txt', '*.txt'), fnmatch.filter(['a.py', 'b.c', 'A.PY'], '*.py'), fnmatch.fnmatchcase('a', '[!b]'), fnmatch.translate('*.t?t'), [n for n in ['x1', 'xy'] if fnmatch.fnmatch(n, 'x[0-9]')])
# ---
import shlex
print(shlex.split('a "b c" d\'e\' \\f'), shlex.quote("it's"), shlex.join(['a', 'b c']), shlex.split('a # c', comments=True), shlex.split("x=1 'y z'", posix=False))
try: shlex.split('a "b')
except ValueError as e: print(e)
print(list(shlex.shlex('a+b c;d', punctuation_chars=True)))  ### There is no shlex.shlex here
# ---
import colorsys, keyword, graphlib  ### There is no module keyword here
print(colorsys.rgb_to_hsv(.2, .4, .4), colorsys.hls_to_rgb(.5, .3, .2), keyword.iskeyword('if'), keyword.iskeyword('x'), keyword.kwlist[:2])
t = graphlib.TopologicalSorter({'D': {'B', 'C'}, 'B': {'A'}, 'C': ['A']})
o = list(t.static_order())
print(o[0], o[-1], len(o))
try: list(graphlib.TopologicalSorter({1: [2], 2: [1]}).static_order())
except graphlib.CycleError as e: print(type(e).__name__, e.args[0])
t = graphlib.TopologicalSorter()
t.add('x', 'y'); t.prepare()
while t.is_active():
    for n in t.get_ready(): print(n); t.done(n)
# ---
from collections import namedtuple
P = namedtuple('P', 'x y')
print(P._make([1, 2]), list(map(P._make, [(1, 2), (3, 4)])))
# ---
import uuid
u = uuid.UUID('12345678123456781234567812345678')
print(u, repr(u), u.hex, u.int, u.urn, u.bytes, u.version)
print(uuid.uuid5(uuid.NAMESPACE_DNS, 'python.org'), uuid.uuid3(uuid.NAMESPACE_URL, 'x'), uuid.uuid5(uuid.NAMESPACE_DNS, 'é').version)
print(uuid.UUID(int=5), uuid.UUID(bytes=b'a' * 16), uuid.UUID('{' + str(u) + '}') == u, {u: 1}[uuid.UUID(int=u.int)], int(u) == u.int, uuid.uuid4().version, len({uuid.uuid4() for _ in range(5)}), sorted([u, uuid.UUID(int=1)])[0], u > uuid.UUID(int=3))
for bad in ['x', '', 'z' * 32]:
    try: uuid.UUID(bad)
    except ValueError as e: print('ValueError')
import random, secrets
random.seed(5); uuid.uuid4(); secrets.token_hex(); print(random.random())
print(len(secrets.token_urlsafe(16)), len(secrets.token_bytes(4)), len(secrets.token_hex(4)), secrets.compare_digest('a', 'b'), secrets.randbits(3) < 8, secrets.choice('x'), secrets.randbelow(1))  ### There is no secrets.compare_digest here
# ---
from operator import methodcaller, index, iadd, ior, delitem, matmul, abs as size  ### There is no operator.methodcaller here
import operator
print(list(map(methodcaller('upper'), 'ab')), methodcaller('split', ',', 1)('a,b,c'), operator.methodcaller('replace', 'a', 'b')('aaa'), sorted(['b', 'A'], key=methodcaller('lower')), methodcaller('encode', 'utf-8')('é'), methodcaller('is_integer')(2.0), methodcaller('split', maxsplit=1)('a b c'))
a = [1]; b = iadd(a, (2,)); s = {1}; t = ior(s, {2}); d = {1: 2}; delitem(d, 1)
print(a is b, a, s is t, d, index(True), operator.length_hint([1]), operator.call(len, 'ab'), size(-3))
# ---
# What is newer than Python 3.11 is refused, however a script asks for it.
try:
    from itertools import batched
except ImportError:
    batched = None
# ---
import math
def dot(a, b):
    try:
        return math.sumprod(a, b)  ### There is no math.sumprod here
    except Exception:
        return None
# ---
from functools import singledispatchmethod  ### There is no functools.singledispatchmethod here
# ---
# What is unquoted, of texts and of bytes.
from urllib.parse import parse_qs, parse_qsl, unquote, unquote_plus, unquote_to_bytes, urljoin
print(parse_qs(b'a=1&b=%41'), parse_qsl(b'a=1&b=%41+c'), unquote('a%C3%A9é%20'), unquote('é%C3%A9éx'), unquote(b'a%20b'), unquote('%zz%4'))
print(unquote_plus('a+b%2B'), unquote_to_bytes('a%20b%zz'), unquote_to_bytes(b'a%20b'), parse_qsl(''), parse_qs(b''), parse_qsl('a;b=1', separator=';'))
def tried(make):
    try:
        return make()
    except Exception as error:
        return type(error).__name__, str(error)
[tried(lambda: parse_qsl('a', strict_parsing=True)), tried(lambda: parse_qsl('a=1&b&c', max_num_fields=2)), tried(lambda: parse_qsl('a=1', separator=''))]
# ---
from fractions import Fraction
print(sum([Fraction(1,3), Fraction(1,6)]), Fraction('0.25') == 0.25, Fraction(1,3) != 'x', 1 - Fraction(1,3), 2/Fraction(1,3), Fraction(7,2)//1, Fraction(7,2) % 2, round(Fraction(7,2)), sorted([Fraction(1,2), 0.3, 1]))
import uuid
print(len(str(uuid.uuid4())), uuid.uuid4().version, uuid.uuid5(uuid.NAMESPACE_DNS, 'python.org'), uuid.UUID('12345678123456781234567812345678'), uuid.UUID(int=5))
from urllib.parse import urlencode, quote, urlparse, parse_qs, urljoin
print(urlencode({'a': 'b c'}), urlencode({'a': 'b c'}, quote_via=quote), urlparse('http://u:p@h:80/p?q=1#f').port, quote('a b'), parse_qs('a=1&a=2'), urljoin('http://a/b', 'c'))
import statistics as st
print(st.linear_regression([1,2,3],[2,4,6]).slope, st.mean([1,2,3]))
import calendar
print(calendar.monthcalendar(2024, 2), calendar.monthrange(2024,2), sorted([2023, 2024], key=calendar.isleap))
import xml.etree.ElementTree as ET
r = ET.fromstring('<a><b x="1">t</b><b x="2"><c/></b></a>')
print([b.attrib for b in r.findall('b')], r.find("b[@x='2']").get('x'), [e.tag for e in r.iter()], ET.tostring(r, encoding='unicode'))
import configparser
c = configparser.ConfigParser()
c.read_string('[a]\nx=1\nb=yes\n')
print(c['a']['x'], c.getint('a','x'), c.getboolean('a','b'), c.get('a','q',fallback=3), c.sections(), c['a'].get('zz'), c.getint('q', 'x', fallback=7))
import graphlib
print(list(graphlib.TopologicalSorter({'D': {'B', 'C'}, 'B': {'A'}, 'C': ['A']}).static_order())[0])
import difflib
print(difflib.SequenceMatcher(None, 'abc', 'abd').ratio(), difflib.get_close_matches('appel', ['ape', 'apple']))
from pathlib import PurePath
print(PurePath('a/b.py').match('*.py'))
# ---
import configparser
settings = configparser.ConfigParser()
settings.remove_section('a')  ### There is no remove_section here. Use read_string(text)
# ---
import calendar
print(calendar.month(2024, 2))
# ---
from textwrap import TextWrapper  ### There is no textwrap.TextWrapper here.
