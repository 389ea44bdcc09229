import ast
print(ast.literal_eval("{1: (2.5, None)}"))
try:
    ast.literal_eval("[1")
except Exception as e:
    print(e)
# ---
import cmath
print(cmath.sqrt(-1), cmath.polar(1 + 1j), cmath.rect(1, 2), cmath.phase(-1), cmath.exp(1j), cmath.pi, cmath.isclose(1, 1 + 1e-12))
try:
    cmath.exp(1000)
except Exception as e:
    print(e)
# ---
import colorsys
print(colorsys.rgb_to_hsv(0.2, 0.4, 0.4), colorsys.hls_to_rgb(0.5, 0.3, 0.25), colorsys.rgb_to_yiq(0.1, 0.2, 0.3))
# ---
import fnmatch
print(fnmatch.filter(["a.py", "b.txt"], "*.[pq]y"), fnmatch.fnmatchcase("A", "a"), fnmatch.translate("*"))
# ---
import string
print(string.Template("$a ${b} $$").substitute({"a": 1}, b=[2]), string.Template("$a $c").safe_substitute(a=1), string.capwords("ab  cd"))
print(string.ascii_letters, string.digits, string.punctuation, string.printable, string.whitespace, string.hexdigits)
try:
    string.Template("$a").substitute()
except Exception as e:
    print(e)
try:
    string.Template("$").substitute()
except Exception as e:
    print(e)
# ---
import calendar
print([calendar.monthcalendar(year, month) for year in (1999, 2000, 2024) for month in range(1, 13)])
print([calendar.monthrange(year, month) for year in (1900, 2024) for month in range(1, 13)])
try:
    [calendar.monthrange(2024, 13)]
except Exception as e:
    print(e)
print(calendar.isleap(1900), calendar.leapdays(1900, 2024), calendar.weekday(2024, 2, 29))
print(list(calendar.day_name), list(calendar.month_abbr))
# ---
import configparser
c = configparser.ConfigParser()
c.read_string("[a]\nx=1\ny=%(x)s2\nb=yes\nF=1.5\n[s]\n[DEFAULT]\nz=3")
print(c.sections(), c["a"]["y"], c["a"].getint("x"), c.getfloat("a", "f"), c.getboolean("a", "b"), c.get("a", "q", fallback=5))
print(dict(c["a"].items()), "a" in c, "q" in c["a"], "X" in c["a"], list(c), c.items("a"), c.options("s"), dict(c.defaults()))
try:
    c.get("a", "nosuch")
except Exception as e:
    print(e)
try:
    c["nosuch"]
except Exception as e:
    print(e)
try:
    configparser.ConfigParser().read_string("x")
except Exception as e:
    print(e)
# ---
import difflib
s = difflib.SequenceMatcher(None, "abcd", "bcde")
print(s.ratio(), s.quick_ratio(), s.get_opcodes(), list(map(tuple, s.get_matching_blocks())), tuple(s.find_longest_match(0, 4, 0, 4)))
s = difflib.SequenceMatcher(lambda x: x == " ", "ab cd", "b cde")
s.set_seq1("ab  cd")
print(s.ratio())
print(list(difflib.unified_diff(["a\n"], ["b\n"], "x", "y", n=1)), list(difflib.ndiff("a b".split(), "a c".split())), list(difflib.context_diff(["a"], ["b"], lineterm="")))
print(difflib.get_close_matches("appel", (x for x in ["ape", "apple"]), n=1), list(difflib.restore(["- a", "+ b"], 1)))
# ---
import fractions
F = fractions.Fraction
print([str(x) for x in (F(1, 2) + F(1, 3), F("3.25"), F(0.5) * 2, 1 - F(1, 3), F(7, 3) // 1, F(-7, 3) % 2, F(3) ** -2, F(1, 3) ** 2, -F(6, 4), abs(F(-1, 2)), +F(2, 4))])
print(F(1, 2) + 0.5, 2.0 * F(1, 2), F(1, 2) == 0.5, F(1, 3) == 1 / 3, F(1, 2) == 1, 2 == F(2), F(1, 2) != F(2, 4), float(F(1, 3)), int(F(-7, 2)), F(2) ** 0.5)
print(round(F(5, 2)), round(F(7, 2)), str(round(F(1, 3), 2)), str(F(314159, 100000).limit_denominator(100)), str(divmod(F(7, 2), 2)[1]), str(1 / F(3, 7)), str(2 ** F(3)))
print(hash(F(1, 2)) == hash(0.5), hash(F(2)) == hash(2), len({F(1, 2), F(2, 4), F(1, 3)}), repr(F(1, 2)), F(3, 4).as_integer_ratio(), F(6, -4).numerator)
print(str(F(F(1, 2), 3)), str(sum([F(1, 10)] * 10)))
try:
    F(1, 0)
except Exception as e:
    print(e)
try:
    F("x")
except Exception as e:
    print(e)
try:
    F(1, 2) / 0
except Exception as e:
    print(e)
# ---
import hmac
print(hmac.digest(b"k", b"m", "md5").hex(), hmac.compare_digest("a", "b"))
# ---
import hmac
hmac.new(b"key", b"te", "sha256").hexdigest()  ### Use hmac.digest(key, data, 'sha256'), and .hex() of it.
# ---
import statistics
print(statistics.mean([1, 3]), statistics.mean(x / 3 for x in range(5)), statistics.fmean([1, 2]), statistics.fmean([1, 2], [3, 1]), statistics.median({3: 1, 1: 2}), statistics.mode("abb"))
print(statistics.stdev([1, 2, 4]), statistics.pvariance([1, 2, 4], 2), statistics.quantiles([1, 2, 3, 4], n=4, method="inclusive"), statistics.multimode("aabb"), statistics.harmonic_mean([1, 2]))
print(tuple(statistics.linear_regression([1, 2, 3], [2, 4, 7])), statistics.correlation([1, 2, 3], [2, 4, 7]), statistics.covariance([1, 2], [3, 5]))
try:
    statistics.mean([])
except Exception as e:
    print(e)
# ---
import urllib.parse
u = urllib.parse.urlparse("http://u:p@h.de:80/p;x?q=1#f")
print(str(u), u.hostname, u.port, u.username, u.netloc, u.geturl(), list(u), u[2], u._replace(scheme="https").geturl(), u.params, tuple(u))
u = urllib.parse.urlsplit("//h/p?q")
print(str(u), u.port, u.query, u.scheme == "", u.geturl(), len(tuple(u)), u == urllib.parse.urlsplit("//h/p?q"))
print(urllib.parse.urlencode({"a": "b c", "d": [1, 2]}, doseq=True), urllib.parse.urlencode([("a", "b c")], quote_via=urllib.parse.quote), urllib.parse.quote("a/b c", safe=""), urllib.parse.unquote_plus("a+b"))
print(urllib.parse.parse_qs("a=1&a=2"), urllib.parse.parse_qsl("a=&b=1", keep_blank_values=True), urllib.parse.urljoin("http://a/b/c", "../d"), urllib.parse.urlunsplit(("http", "h", "p", "q", "")))
try:
    urllib.parse.urlsplit("http://[h")
except Exception as e:
    print(e)
# ---
import uuid
u = uuid.uuid5(uuid.NAMESPACE_DNS, "a")
print(str(u), repr(u), u.version, u.bytes, u.urn, u.hex, int(u))
print(uuid.uuid4().version, len(str(uuid.uuid4())), uuid.uuid4() == uuid.uuid4())
try:
    uuid.UUID("x")
except Exception as e:
    print(e)
try:
    uuid.UUID()
except Exception as e:
    print(e)
# ---
import xml.etree.ElementTree
r = xml.etree.ElementTree.fromstring("<a x='1'>t<b><c/>u</b>v<b k='2'>w</b></a>")
print(r.tag, r.attrib, [b.tail for b in r.findall("b")], [x.tag for x in r.iter()], r.find("b[@k='2']").get("k"), [x.tag for x in r.findall(".//c")], list(r.itertext()), r.findtext("b"), r.find("x"), r[1].text)
print([x.tag for x in r.iter("b")], r.findtext("x", "no"), [x.text for x in r.iterfind("*")], list(r.keys()), len(list(r)))
try:
    xml.etree.ElementTree.fromstring("<a>")
except Exception as e:
    print(e)
# ---
from xml.etree import ElementTree
ElementTree.Element('a')  ### XML is read here, and not written
# ---
import re
m = re.search(r"(?P<y>\d+)-(\d+)", "x 20-11")
print(m.group(), m.group(1, "y"), m["y"], m.start("y"), m.end(2), str(m), m.pos, m.endpos, m.string, m.re.pattern)
p = re.compile("a")
print(p.search("ba", 1).span(), p.match("ba", 1).span(), p.search("aab", 1, 2).span(), p.search("a", 5), [m.span() for m in p.finditer("aaa", 1)], p.findall("aaa", 0, 2))
print(re.sub("(a)(b)?", r"\2\1", "aab"), re.sub("a", "b", "aaa", count=1), re.subn("x*", "-", "abc"), re.sub(r"(?P<w>\w+)", r"<\g<w>>", "a b"), re.sub("a", r"\n", "a"))
print(re.split("[,;] *", "a, b;c"), re.compile(b"a+").findall(b"aab"), re.sub(b"a", b"x", b"ba"), re.match("a", "b"), str(re.compile("a", re.I | re.M)))
print(re.search("a b", "ab", re.VERBOSE).span(), re.search("b$", "b\n").span(), re.findall("a*", "baac"), re.fullmatch("a|ab", "ab").span(), re.search("straße", "STRASSE straße", re.I).span())
try:
    re.compile("(")
except Exception as e:
    print(e)
try:
    re.search("a", "a").group(1)
except Exception as e:
    print(e)
try:
    re.sub("(a)", r"\2", "a")
except Exception as e:
    print(e)
p = re.compile(r"\d+")
print(sorted(["a10", "b9"], key=lambda text: int(p.search(text).group())))
# ---
import calendar, html, json, pprint, shlex, string, textwrap
print(shlex.join(['a b', "c'd"]), shlex.quote("it's"), shlex.split("a 'b c' d\\ e"), shlex.split('a # c', comments=True))
print(textwrap.dedent('  a\n    b'), textwrap.fill('the quick brown fox', 9), textwrap.indent('a\nb', '> '), textwrap.shorten('the quick brown fox', 12))
print(html.escape('<a href="x">'), html.unescape('&lt;&eacute;&#x41;&nosuch;'), string.capwords('ab cd'), calendar.timegm((2024, 1, 2, 3, 4, 5)))
print(json.dumps({'a': [1, None, True, 2.5, 'é']}), pprint.pformat({'a': list(range(40)), 'b': 'x' * 90}), f'{1234567.891:,.2f}')
for wrong in (lambda: shlex.split("a 'b"), lambda: textwrap.wrap('the quick brown fox', 0), lambda: json.dumps({1, 2}), lambda: format(1, 'q')):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
# ---
import statistics
from decimal import Decimal
n = [3, 1, 4, 1, 5, 9, 2, 6]
print(statistics.fmean(n), statistics.geometric_mean(n), statistics.harmonic_mean(n), statistics.median_grouped(n), statistics.median_high(n), statistics.median_low(n))
print(statistics.mode(n), statistics.pstdev(n), statistics.variance(n), statistics.mean([Decimal('0.1'), Decimal('0.2')]), statistics.mean([0.1, 0.2, 0.3]))
# ---
import graphlib, uuid
t = graphlib.TopologicalSorter({'D': {'B', 'C'}, 'B': {'A'}, 'C': ['A']})
o = list(t.static_order())
print(o[0], o[-1], len(o))
try: list(graphlib.TopologicalSorter({1: [2], 2: [1]}).static_order())
except graphlib.CycleError: print('in a circle')
t = graphlib.TopologicalSorter()
t.add('x', 'y'); t.prepare()
while t.is_active():
    for n in t.get_ready(): print(n); t.done(n)
u = uuid.UUID('12345678123456781234567812345678')
print(u, repr(u), u.hex, u.int, u.urn, u.bytes, u.version, uuid.UUID(int=5), uuid.UUID(bytes=b'a' * 16), uuid.UUID('{' + str(u) + '}') == u)
print({u: 1}[uuid.UUID(int=u.int)], int(u) == u.int, sorted([u, uuid.UUID(int=1)])[0], u > uuid.UUID(int=3), uuid.uuid3(uuid.NAMESPACE_URL, 'x'))
# ---
import colorsys
from urllib.parse import quote_from_bytes, quote_plus, unquote_plus, unquote_to_bytes, urlsplit, urlunparse
print(colorsys.hsv_to_rgb(0.1, 0.4, 0.7), colorsys.rgb_to_hls(0.1, 0.4, 0.7), colorsys.yiq_to_rgb(0.1, 0.4, 0.7))
print(quote_from_bytes(b'a b\xff'), quote_plus('a b/é?'), unquote_plus('a+b%C3%A9'), unquote_to_bytes('a%FF'), urlunparse(('http', 'h', '/p', 'x', 'q', 'f')))
try: print(urlsplit('http://[h'))
except ValueError as e: print(e)
# ---
import calendar, math
print(math.atanh(0.3), math.cbrt(27.5), math.erf(0.7), math.erfc(0.7), math.gamma(5.5), math.lgamma(3.3))
print(calendar.leapdays(2000, 2024), calendar.calendar(2024)[:40], calendar.timegm((1970, 1, 2, 0, 0, 0)))
print('€'.encode('cp1252'), b'\x80'.decode('cp1252'), 'é'.encode('latin-1'), 'a'.encode('utf-16-le'), sorted(['é', 'a'], key=lambda s: s.encode('latin-1')))
try: '€'.encode('latin-1')
except UnicodeEncodeError: print('no such character')
# ---
import json
from collections import OrderedDict
from decimal import Decimal
print(json.loads('{"a": 1, "b": {"a": 2, "a": 3}}', object_pairs_hook=list), json.loads('[1.10]', parse_float=Decimal))
print(json.loads('{"a": {"b": 1}}', object_pairs_hook=OrderedDict) == {'a': {'b': 1}})
# ---
import difflib
from fractions import Fraction
from itertools import groupby
from urllib.parse import urlparse
urls = ['https://b.org/x', 'https://a.org/y', 'https://b.org/z']
print(sorted(urls, key=lambda u: urlparse(u).netloc), max(['1/3', '2/5'], key=Fraction))
print([(host, len(list(found))) for host, found in groupby(sorted(urls), key=lambda u: urlparse(u).netloc)])
print(max(['apple', 'pear'], key=lambda w: difflib.SequenceMatcher(None, 'aple', w).ratio()))
# ---
import configparser
c = configparser.ConfigParser()
c.read_string('[DEFAULT]\nurl = http://%(host)s/\n[a]\nhost = x\n[b]\nhost = y\nurl = z\n')
print(c['a']['url'], c.get('b', 'url'), c.items('a'), c.has_option('b', 'none'), c.get('a', 'none', fallback=1))
# ---
import datetime
from datetime import date, datetime
print(datetime.fromisoformat('2024-01-02T03:04:05').ctime(), date(2024, 1, 2).ctime(), (3.5).conjugate(), (5).conjugate())
print('abc'.find('', 5), 'abc'.count('', 5), 'abc'.rfind('', 5), 'abc'.find('', 3), (1024).to_bytes(2, 'little'), int.from_bytes(b'\xff\xfe', 'big', signed=True))
try: (5).to_bytes(2, 'middle')
except ValueError as error: print(error)
# ---
from collections import OrderedDict
isinstance({}, OrderedDict)  ### An OrderedDict is a plain dict here. Ask for dict.
# ---
import math
math.__name__  ### There is no math.__name__ here.
# ---
__import__('math')  ### Write an import statement.
# ---
import asyncio
asyncio.Condition()  ### Use asyncio.Event, or asyncio.Queue.
