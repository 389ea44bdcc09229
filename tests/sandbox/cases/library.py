import difflib
print(difflib.SequenceMatcher(lambda x: x == ' ', ' abcd', 'abcd abcd').find_longest_match(), difflib.SequenceMatcher(a='abc', b='abd').ratio(), difflib.IS_LINE_JUNK('  #\n'))  ### There is no difflib.IS_LINE_JUNK here
# ---
import fnmatch
print(fnmatch.fnmatch('a.txt', '*.txt'), fnmatch.filter(['a.py', 'b.c', 'A.PY'], '*.py'), fnmatch.fnmatchcase('a', '[!b]'), fnmatch.translate('*.t?t'), [n for n in ['x1', 'xy'] if fnmatch.fnmatch(n, 'x[0-9]')])
# ---
import shlex
print(list(shlex.shlex('a+b c;d', punctuation_chars=True)))  ### There is no shlex.shlex here
# ---
import keyword, graphlib  ### There is no module keyword here
t = graphlib.TopologicalSorter()
t.add("x", "y"); t.prepare(); keyword.kwlist
# ---
import uuid
import random, secrets
random.seed(5); uuid.uuid4(); secrets.token_hex(); print(random.random())
print(len(secrets.token_urlsafe(16)), len(secrets.token_bytes(4)), len(secrets.token_hex(4)), secrets.compare_digest('a', 'b'), secrets.randbits(3) < 8, secrets.choice('x'), secrets.randbelow(1))  ### There is no secrets.compare_digest here
# ---
from operator import methodcaller, index, iadd, ior, delitem, matmul, abs as size  ### There is no operator.methodcaller here
a = [1]; b = iadd(a, (2,)); s = {1}; t = ior(s, {2}); d = {1: 2}; delitem(d, 1)
# ---
def dot(a, b):
    try:
        return math.sumprod(a, b)  ### There is no math.sumprod here
    except Exception:
        return None
# ---
from functools import singledispatchmethod  ### There is no functools.singledispatchmethod here
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
print([b.attrib for b in r.findall('b')], r.find("b[@x='2']").get('x'), [e.tag for e in r.iter()])
import configparser
c = configparser.ConfigParser()
c.read_string('[a]\nx=1\nb=yes\n')
print(c['a']['x'], c.getint('a','x'), c.getboolean('a','b'), c.get('a','q',fallback=3), c.sections(), c['a'].get('zz'), c.getint('q', 'x', fallback=7))
import graphlib
print(list(graphlib.TopologicalSorter({'D': {'B', 'C'}, 'B': {'A'}, 'C': ['A']}).static_order())[0])
import difflib
print(difflib.SequenceMatcher(None, 'abc', 'abd').ratio(), difflib.get_close_matches('appel', ['ape', 'apple']))
# ---
from pathlib import PurePath
PurePath('a/b.py').match('*.py')  ### Paths have no match here. Use fnmatch.fnmatch(path.name, pattern).
# ---
import configparser
settings = configparser.ConfigParser()
settings.remove_section('a')  ### There is no remove_section here. Settings are read here, with read_string(text).
# ---
import calendar
print(calendar.month(2024, 2))
# ---
from textwrap import TextWrapper  ### There is no textwrap.TextWrapper here.
