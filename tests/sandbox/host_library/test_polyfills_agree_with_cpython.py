"""Programs over the polyfills mean what they mean in CPython."""

import ast
import random
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic_monty import AsyncMonty, MontyError

from tests.sandbox.host_library.polyfill_session import TEXTS, run
from toolscript_sandbox.host_library import HostLibrary
from toolscript_sandbox.host_library.table import functions

pytestmark = pytest.mark.anyio

_XML = "r = xml.etree.ElementTree.fromstring(\"<a x='1'>t<b><c/>u</b>v<b k='2'>w</b></a>\")\n"
_INI = (
    'c = configparser.ConfigParser()\nc.read_string("[a]\\nx=1\\ny=%(x)s2\\nb=yes\\nF=1.5\\n[s]\\n[DEFAULT]\\nz=3")\n'
)
_F = 'F = fractions.Fraction\n'
PROGRAMS: dict[str, list[str]] = {
    'ast': ['ast.literal_eval("{1: (2.5, None)}")', 'ast.literal_eval("[1")'],
    'cmath': [
        '[cmath.sqrt(-1), cmath.polar(1 + 1j), cmath.rect(1, 2), cmath.phase(-1), cmath.exp(1j), cmath.pi, cmath.isclose(1, 1 + 1e-12)]',
        'cmath.exp(1000)',
    ],
    'colorsys': [
        '[colorsys.rgb_to_hsv(0.2, 0.4, 0.4), colorsys.hls_to_rgb(0.5, 0.3, 0.25), colorsys.rgb_to_yiq(0.1, 0.2, 0.3)]'
    ],
    'fnmatch': [
        '[fnmatch.fnmatch("a.py", "*.py"), fnmatch.filter(["a.py", "b.txt"], "*.[pq]y"), fnmatch.fnmatchcase("A", "a"), fnmatch.translate("*")]'
    ],
    'string': [
        '[string.Template("$a ${b} $$").substitute({"a": 1}, b=[2]), string.Template("$a $c").safe_substitute(a=1), string.capwords("ab  cd")]',
        '[string.ascii_letters, string.digits, string.punctuation, string.printable, string.whitespace, string.hexdigits]',
        'string.Template("$a").substitute()',
        'string.Template("$").substitute()',
    ],
    'calendar': [
        '[calendar.monthcalendar(year, month) for year in (1999, 2000, 2024) for month in range(1, 13)]',
        '[calendar.monthrange(year, month) for year in (1900, 2024) for month in range(1, 13)]',
        '[calendar.monthrange(2024, 13)]',
        '[calendar.isleap(1900), calendar.leapdays(1900, 2024), calendar.weekday(2024, 2, 29)]',
        '[list(calendar.day_name), list(calendar.month_abbr)]',
    ],
    'configparser': [
        _INI
        + '[c.sections(), c["a"]["y"], c["a"].getint("x"), c.getfloat("a", "f"), c.getboolean("a", "b"), c.get("a", "q", fallback=5)]',
        _INI
        + '[dict(c["a"].items()), "a" in c, "q" in c["a"], "X" in c["a"], list(c), c.items("a"), c.options("s"), dict(c.defaults())]',
        _INI + 'c.get("a", "nosuch")',
        _INI + 'c["nosuch"]',
        'configparser.ConfigParser().read_string("x")',
    ],
    'difflib': [
        's = difflib.SequenceMatcher(None, "abcd", "bcde")\n[s.ratio(), s.quick_ratio(), s.get_opcodes(), list(map(tuple, s.get_matching_blocks())), tuple(s.find_longest_match(0, 4, 0, 4))]',
        's = difflib.SequenceMatcher(lambda x: x == " ", "ab cd", "b cde")\ns.set_seq1("ab  cd")\n[s.ratio()]',
        '[list(difflib.unified_diff(["a\\n"], ["b\\n"], "x", "y", n=1)), list(difflib.ndiff("a b".split(), "a c".split())), list(difflib.context_diff(["a"], ["b"], lineterm=""))]',
        '[difflib.get_close_matches("appel", (x for x in ["ape", "apple"]), n=1), list(difflib.restore(["- a", "+ b"], 1))]',
    ],
    'fractions': [
        _F
        + '[str(x) for x in (F(1, 2) + F(1, 3), F("3.25"), F(0.5) * 2, 1 - F(1, 3), F(7, 3) // 1, F(-7, 3) % 2, F(3) ** -2, F(1, 3) ** 2, -F(6, 4), abs(F(-1, 2)), +F(2, 4))]',
        _F
        + '[F(1, 2) + 0.5, 2.0 * F(1, 2), F(1, 2) == 0.5, F(1, 3) == 1 / 3, F(1, 2) == 1, 2 == F(2), F(1, 2) != F(2, 4), float(F(1, 3)), int(F(-7, 2)), F(2) ** 0.5]',
        _F
        + '[round(F(5, 2)), round(F(7, 2)), str(round(F(1, 3), 2)), str(F(314159, 100000).limit_denominator(100)), str(divmod(F(7, 2), 2)[1]), str(1 / F(3, 7)), str(2 ** F(3))]',
        _F
        + '[hash(F(1, 2)) == hash(0.5), hash(F(2)) == hash(2), len({F(1, 2), F(2, 4), F(1, 3)}), repr(F(1, 2)), F(3, 4).as_integer_ratio(), F(6, -4).numerator]',
        _F + 'str(F(F(1, 2), 3)), str(sum([F(1, 10)] * 10))',
        _F + 'F(1, 0)',
        _F + 'F("x")',
        _F + 'F(1, 2) / 0',
    ],
    'hmac': [
        'm = hmac.new(b"key", b"te", "sha256")\nm.update(b"xt")\n[m.hexdigest(), m.digest(), m.name, m.digest_size, hmac.digest(b"k", b"m", "md5"), hmac.compare_digest("a", "b")]',
        'hmac.new(b"key", b"te")',
    ],
    'statistics': [
        '[statistics.mean([1, 3]), statistics.mean(x / 3 for x in range(5)), statistics.fmean([1, 2]), statistics.fmean([1, 2], [3, 1]), statistics.median({3: 1, 1: 2}), statistics.mode("abb")]',
        '[statistics.stdev([1, 2, 4]), statistics.pvariance([1, 2, 4], 2), statistics.quantiles([1, 2, 3, 4], n=4, method="inclusive"), statistics.multimode("aabb"), statistics.harmonic_mean([1, 2])]',
        '[tuple(statistics.linear_regression([1, 2, 3], [2, 4, 7])), statistics.correlation([1, 2, 3], [2, 4, 7]), statistics.covariance([1, 2], [3, 5])]',
        'statistics.mean([])',
    ],
    'urllib.parse': [
        'u = urllib.parse.urlparse("http://u:p@h.de:80/p;x?q=1#f")\n[str(u), u.hostname, u.port, u.username, u.netloc, u.geturl(), list(u), u[2], u._replace(scheme="https").geturl(), u.params, tuple(u)]',
        'u = urllib.parse.urlsplit("//h/p?q")\n[str(u), u.port, u.query, u.scheme == "", u.geturl(), len(tuple(u)), u == urllib.parse.urlsplit("//h/p?q")]',
        '[urllib.parse.urlencode({"a": "b c", "d": [1, 2]}, doseq=True), urllib.parse.urlencode([("a", "b c")], quote_via=urllib.parse.quote), urllib.parse.quote("a/b c", safe=""), urllib.parse.unquote_plus("a+b")]',
        '[urllib.parse.parse_qs("a=1&a=2"), urllib.parse.parse_qsl("a=&b=1", keep_blank_values=True), urllib.parse.urljoin("http://a/b/c", "../d"), urllib.parse.urlunsplit(("http", "h", "p", "q", ""))]',
        'urllib.parse.urlsplit("http://[h")',
    ],
    'uuid': [
        'u = uuid.uuid5(uuid.NAMESPACE_DNS, "a")\n[str(u), repr(u), u.version, u.bytes, u.urn, u.hex, int(u)]',
        '[uuid.uuid4().version, len(str(uuid.uuid4())), uuid.uuid4() == uuid.uuid4()]',
        'uuid.UUID("x")',
        'uuid.UUID()',
    ],
    'xml.etree.ElementTree': [
        _XML
        + '[r.tag, r.attrib, [b.tail for b in r.findall("b")], [x.tag for x in r.iter()], r.find("b[@k=\'2\']").get("k"), [x.tag for x in r.findall(".//c")], list(r.itertext()), r.findtext("b"), r.find("x"), r[1].text]',
        _XML
        + '[xml.etree.ElementTree.tostring(r), xml.etree.ElementTree.tostring(r, encoding="unicode"), [x.tag for x in r.iter("b")], r.findtext("x", "no"), [x.text for x in r.iterfind("*")]]',
        'r = xml.etree.ElementTree.Element("a", {"k": "v"}, m="n")\nb = xml.etree.ElementTree.SubElement(r, "b")\nb.text = "1 < 2"\nr.append(xml.etree.ElementTree.Element("c"))\nb.set("x", "y")\n[xml.etree.ElementTree.tostring(r), list(r.keys()), r[0].text, len(list(r))]',
        'xml.etree.ElementTree.fromstring("<a>")',
    ],
}
"""Ends in a value or an error, which may differ in class where the own one is not builtin."""


@pytest.fixture(scope='module')
async def pool(anyio_backend: str) -> AsyncIterator[AsyncMonty]:
    """One worker."""
    async with AsyncMonty(max_processes=1) as made:
        yield made


async def _in_monty(library: HostLibrary, pool: AsyncMonty, module: str, program: str) -> Any:
    try:
        return await run(library, pool, module, program)
    except MontyError as error:
        inner = error.exception()
        return str(inner.args[0]) if inner.args else str(inner)


def _in_python(module: str, program: str) -> Any:
    tree = ast.parse(f'import {module}\n{program}')
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    names = dict[str, Any]()
    try:
        exec(compile(tree, '', 'exec'), names)
        return eval(compile(ast.Expression(last.value), '', 'eval'), names)
    except Exception as error:
        # configparser and KeyError show more than their first argument.
        return str(error.args[0]) if isinstance(error, KeyError) else str(error)


@pytest.mark.parametrize(
    ('module', 'program'), [(module, program) for module, programs in PROGRAMS.items() for program in programs]
)
async def test_a_program_says_what_it_says_in_cpython(
    library: HostLibrary, pool: AsyncMonty, module: str, program: str
) -> None:
    found, expected = await _in_monty(library, pool, module, program), _in_python(module, program)
    assert (type(found), found) == (type(expected), expected)


def test_polyfills_ask_for_rows_of_the_table() -> None:
    asked = {name for text in TEXTS.values() for name in re.findall(r"_host__\(f?'([\w.{}]+)'", text)}
    known = functions.keys() | {'zoneinfo.available_timezones', 'datetime.{kind}.fromisoformat'}
    assert asked <= known


_DESCRIBED = """
def described(m):
    return None if m is None else (m.span(), m.groups(), m.lastindex, m.lastgroup, m.groupdict(), m.regs)
def all_of(pattern, flags, text):
    c = re.compile(pattern, flags)
    return [
        described(c.search(text)), described(c.match(text)), described(c.fullmatch(text)), c.split(text, 1), c.split(text),
        [described(m) for m in c.finditer(text)], c.findall(text), c.sub('<x>', text), c.sub(r'\\\\', text), c.groups,
        c.subn(lambda m: m.group() * 2, text, 2), dict(c.groupindex.items()), int(c.flags),
    ]
"""


def _matched(cases: list[tuple[str, int, str]]) -> list[Any]:
    names: dict[str, Any] = {'re': re}
    exec(_DESCRIBED, names)
    return [names['all_of'](*case) for case in cases]


_ATOMS = [
    'a',
    'b',
    'c',
    'A',
    'x',
    '1',
    '.',
    '-',
    ',',
    '@',
    '_',
    'é',
    '^',
    '$',
    ']',
    '{',
    '}',
    '#',
    '&&',
    '\\d',
    '\\w',
    '\\s',
    '\\b',
    '\\.',
    '\\A',
    '\\B',
    '\\D',
    '\\Z',
    '\\n',
    '\\-',
    '\\x41',
    '[ab]',
    '[^a]',
    '[a-c]',
    '[\\w-]',
    '[^\\\\s,]',
    '[-a]',
    '[a-]',
    '[.+]',
    '[[a]',
    '(?i:a)',
    '(?=a)',
    '(?<!a)',
]
_REPEATS = ['*', '+', '?', '{2}', '{1,2}', '{0,1}', '+?', '*?', '{1,}', '??', '{,2}']
_TEXTS = [*'abc 1.-,ABéx@_{#\n\x1c\r', 'ab', 'aa', '٣', 'K', 'e\u0301']


def _pattern(chance: random.Random, depth: int = 0) -> str:
    parts = list[str]()
    for _ in range(chance.randint(1, 4)):
        inner = depth < 3 and chance.random() < 0.2
        name = f'(?P<n{chance.randint(0, 99)}>'
        parts.append(
            f'{chance.choice(["(", "(?:", name])}{_pattern(chance, depth + 1)})' if inner else chance.choice(_ATOMS)
        )
        if chance.random() < 0.3:
            parts.append(chance.choice(_REPEATS))
        if chance.random() < 0.1:
            parts.append('|')
    return ''.join(parts)


def _cases(chance: random.Random, count: int) -> list[tuple[str, int, str]]:
    found = list[tuple[str, int, str]]()
    while len(found) < count:
        head = chance.choice(['', '', '', '(?i)', '(?m)', '(?s)'])
        pattern, flags = head + _pattern(chance), chance.choice([0, 0, 0, 2, 8, 16, 10, 64, 256])
        try:
            re.compile(pattern, flags)
        except (re.error, RecursionError):
            continue
        few = chance.random() < 0.7
        text = ''.join(chance.choice('abc 1-,Ax.' if few else _TEXTS) for _ in range(chance.randint(0, 10)))
        found.append((pattern, flags, text + chance.choice(['', '', '', '\n'])))
    return found


@pytest.mark.filterwarnings('ignore:Possible')
@pytest.mark.parametrize('seed', range(3))
async def test_patterns_match_as_in_cpython_whichever_engine_reads_them(
    library: HostLibrary, pool: AsyncMonty, seed: int
) -> None:
    cases = _cases(random.Random(seed), 150)
    program = f'{_DESCRIBED}\n[[all_of(*case), re.compile(case[0], case[1])._native is not None] for case in {cases!r}]'
    found = await run(library, pool, 're', program)
    assert [case for case, (one, _), real in zip(cases, found, _matched(cases), strict=True) if one != real] == []
    # Both engines took part.
    assert 20 < sum(is_native for _, is_native in found) < 130


@pytest.mark.parametrize(
    'program',
    [
        'm = re.search(r"(?P<y>\\d+)-(\\d+)", "x 20-11")\n[m.group(), m.group(1, "y"), m["y"], m.start("y"), m.end(2), str(m), m.pos, m.endpos, m.string, m.re.pattern]',
        'p = re.compile("a")\n[p.search("ba", 1).span(), p.match("ba", 1).span(), p.search("aab", 1, 2).span(), p.search("a", 5), [m.span() for m in p.finditer("aaa", 1)], p.findall("aaa", 0, 2)]',
        '[re.sub("(a)(b)?", r"\\2\\1", "aab"), re.sub("a", "b", "aaa", count=1), re.subn("x*", "-", "abc"), re.sub(r"(?P<w>\\w+)", r"<\\g<w>>", "a b"), re.sub("a", r"\\n", "a")]',
        '[re.split("[,;] *", "a, b;c"), re.compile(b"a+").findall(b"aab"), re.sub(b"a", b"x", b"ba"), re.match("a", "b"), str(re.compile("a", re.I | re.M))]',
        '[re.search("a b", "ab", re.VERBOSE).span(), re.search("b$", "b\\n").span(), re.findall("a*", "baac"), re.fullmatch("a|ab", "ab").span(), re.search("straße", "STRASSE straße", re.I).span()]',
        're.compile("(")',
        're.search("a", "a").group(1)',
        're.sub("(a)", r"\\2", "a")',
    ],
)
async def test_the_rest_of_re_is_as_in_cpython(library: HostLibrary, pool: AsyncMonty, program: str) -> None:
    found, expected = await _in_monty(library, pool, 're', program), _in_python('re', program)
    assert (type(found), found) == (type(expected), expected)


async def test_plain_patterns_match_in_key_functions(library: HostLibrary, pool: AsyncMonty) -> None:
    program = 'p = re.compile(r"\\d+")\nsorted(["a10", "b9"], key=lambda text: int(p.search(text).group()))'
    assert await run(library, pool, 're', program) == ['b9', 'a10']
