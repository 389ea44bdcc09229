"""What Python takes is not refused by a checker that knows better; what follows a call is told before the call runs."""

import builtins
import re

import pytest

from toolscript_sandbox import Call, Completed, Failed, Function, Outcome, Sandbox, ToolError
from toolscript_sandbox.language.dialect import BUILTINS

pytestmark = pytest.mark.anyio

_PAGE = """\
from typing import TypedDict
class Page(TypedDict):
    items: list[int]
    total: int
    title: str
async def page(number: int = ...) -> Page: ...
"""
_STUBS = {
    'price': 'async def price(sku: str) -> float: ...\n',
    'slow': 'async def slow(n: int) -> int: ...\n',
    'page': _PAGE,
    'pages': _PAGE.replace('def page(number: int = ...) -> Page', 'def pages() -> list[Page]'),
    'loose': 'async def loose() -> dict[str, str | int]: ...\n',
}


class _Tools:
    def get(self, name: str, /) -> Function | None:
        return Function(name, _STUBS[name]) if name in _STUBS else None

    def hint(self, name: str, /) -> str | None:
        return None


async def _answer(call: Call) -> object:
    if any(isinstance(value, str) and value == 'zz' for value in call.args):
        raise ToolError('ValueError', 'zz')
    page = {'items': [1], 'total': 2, 'title': 'x'}
    return {'price': 2.5, 'slow': 3, 'loose': {'a': 'x', 'n': 1}, 'pages': [page]}.get(call.function, page)


async def _last(code: str) -> Outcome:
    """The outcome of the last of some snippets of one session."""
    async with Sandbox.shared().session() as session:
        *before, last = code.split('\n#+++\n')
        for part in before:
            assert isinstance(await session.run(part, _Tools(), _answer), Completed)
        return await session.run(last, _Tools(), _answer)


@pytest.mark.parametrize(
    ('code', 'value'),
    [
        ('price = 3\nprice * 2', 6),
        (
            'class E(Exception):\n    def __init__(self, message, code):\n        super().__init__(message)\n'
            "        self.code = code\ntry:\n    raise E('x', 3)\nexcept Exception as e:\n    r = e.code\nr",
            3,
        ),
        ('price = 3\n#+++\nprice * 2', 6),
        ("x = await price('a')\n#+++\nprice = x + 1\nprice * 2", 7.0),
        ("x = await price('a')\n#+++\nprice = [x]\n#+++\nprice[0]", 2.5),
        ('price = await price("a")\nprice * 2', 5.0),
        ('seen = []\nfor slow in [1, 2]:\n    seen.append(slow * 2)\nseen', [2, 4]),
        ('[slow + 1 for slow in [1, 2]]', [2, 3]),
        ('{slow: price for slow, price in [("a", 1)]}', {'a': 1}),
        ('def f(price, slow=2):\n    return price * slow\nf(3)', 6),
        ('f = lambda price: price + 1\nf(1)', 2),
        ("price: dict = {'a': 1}\nprice['a']", 1),
        ('price, slow = 1, 2\nprice + slow', 3),
        ('if (slow := 4) > 3:\n    slow += 1\nslow', 5),
        ('def price(n):\n    return n + 1\nprice(1)', 2),
    ],
)
async def test_a_variable_may_be_called_as_a_function_is(code: str, value: object) -> None:
    outcome = await _last(code)
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == value


@pytest.mark.parametrize(
    ('code', 'value'),
    [
        ('def f(x: str = None):\n    return x\nf()', None),
        ('def f(x: str):\n    return x\nf(3)', 3),
        ('def f(x: int) -> str:\n    return x\nf([1])[0]', 1),
        ("def f(x: int):\n    return x['a']\nf({'a': 1})", 1),
        ('from dataclasses import dataclass\n@dataclass\nclass A:\n    x: str = None\n    n: int = "n"\nA(3).x', 3),
        ('class A:\n    def m(self, x: int):\n        return x\nA().m("a")', 'a'),
        ('async def f(x: list[str]):\n    return x\nawait f("ab")', 'ab'),
        ('def outer():\n    def f(x: dict):\n        return x\n    return f(1)\nouter()', 1),
        ('def f(x: int):\n    return x\n#+++\nf("a")', 'a'),
        ("x: int = 'a'\nx.upper()", 'A'),
        ('n: int = 0\nn += 1.5\nn', 1.5),
    ],
)
async def test_annotations_of_the_script_bind_nobody(code: str, value: object) -> None:
    outcome = await _last(code)
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == value


@pytest.mark.parametrize(
    'attempt',
    [
        'try:\n    {}\nexcept Exception:\n    pass\nelse:\n    1 / 0',
        'try:\n    {}\nexcept:\n    pass',
        'try:\n    {}\nexcept (KeyError, ValueError) as error:\n    pass',
        'try:\n    {}\nexcept KeyError:\n    pass\nexcept ValueError:\n    pass',
        'class Mine(Exception):\n    pass\ntry:\n    {}\nexcept (Mine, ValueError):\n    pass',
        'import contextlib\nwith contextlib.suppress(ValueError):\n    {}',
        'from contextlib import suppress\nwith suppress(KeyError, ValueError):\n    {}',
        'async def go():\n    try:\n        {}\n    except ValueError:\n        pass\nawait go()',
    ],
)
async def test_a_call_may_be_wrong_on_purpose_where_its_error_is_caught(attempt: str) -> None:
    outcome = await _last(attempt.format("await slow('zz')"))
    assert isinstance(outcome, Completed), outcome
    assert len(outcome.calls) == 1


@pytest.mark.parametrize(
    'attempt',
    [
        "try:\n    await slow('zz')\nexcept KeyError:\n    pass",
        "try:\n    await page()\nexcept Exception:\n    await slow('zz')",
        'try:\n    slow(1) + 1\nexcept Exception:\n    pass',
        "import contextlib\nwith contextlib.suppress(KeyError):\n    await slow('zz')",
    ],
)
async def test_a_handler_of_something_else_excuses_nothing(attempt: str) -> None:
    outcome = await _last(attempt)
    assert isinstance(outcome, Failed)
    assert not outcome.calls


@pytest.mark.parametrize(
    ('code', 'said'),
    [
        ('p = await page()\np.items[0]', "`items` is a method of dicts: write ['items']"),
        ('p = await page()\nfor item in p.items:\n    print(item)', "write ['items']"),
        ('p = await page()\nlen(p.items)', "write ['items']"),
        ('p = await page()\nif p.items:\n    print(1)', 'items'),
        ('p = await page()\nrows = p.items\nrows[0]', "write ['items']"),
        ('p = await page()\np.values.append(1)', "write ['values']"),
        ("p = await page()\np['title'].upper() + 1", 'Operator `+`'),
        ("p = await page()\np['total']()", 'not callable'),
        ('import asyncio\np, q = await asyncio.gather(page(1), page(2))\np.total', "write ['total']"),
        ('for n, p in enumerate([await page(1)]):\n    p.total', "write ['total']"),
        ('async def f(n: int):\n    p = await page(n)\n    return p.total\nawait f(1)', "write ['total']"),
        ('p = await page()\np(1)', 'not callable'),
        ("p = await page()\nlen(p['total'])", 'len'),
        ("import math\np = await page()\nmath.sqrt(p['title'])", 'sqrt'),
        ('p = await page()\np[0]', 'it has keys, not numbers'),
        ('ps = await pages()\nsorted(ps)', '`Page`'),
        ('max([p for p in await pages()])', '`Page`'),
        (
            'from dataclasses import dataclass, field\n@dataclass\nclass A:\n    n: int\n    m: int\n'
            '    xs: list[int] = field(default_factory=list)\np = await page()\nA(1)',
            'required parameter `m`',
        ),
        ("p = await page()\nmax(p['total'])", 'max'),
    ],
)
async def test_what_must_fail_after_a_call_is_told_before_it(code: str, said: str) -> None:
    outcome = await _last(code)
    assert isinstance(outcome, Failed), outcome
    assert outcome.error.message.endswith('Nothing was run.')
    assert said in outcome.error.message


@pytest.mark.parametrize(
    ('code', 'value'),
    [
        ("n = await loose()\nn['n'] + 1", 2),
        ("n = await loose()\nn['a'] * 2", 'xx'),
        ("n = await loose()\nn['a'].upper() * 2", 'XX'),
        ("n = await loose()\nn['a'].upper() + str(n['n'])", 'X1'),
        ("n = await loose()\n'%d' % n['n'] + n['a'].upper()", '1X'),
        ("n = await loose()\nn['a'].upper() % ()", 'X'),
        ("class A:\n    def upper(self):\n        return 1\nd = {'a': A()}\nd['a'].upper() + 1", 2),
        ('class A:\n    def title(self):\n        return 1\n#+++\nA().title() + 1', 2),
        ('p = await page()\nlist(p.items())[0][0]', 'items'),
        ("sorted(await pages(), key=lambda p: p['total'])[0]['total']", 2),
        ("ps = await pages()\nps = [p['total'] for p in ps]\nsorted(ps)", [2]),
        (
            'from dataclasses import dataclass, field\n@dataclass(kw_only=True)\nclass A:\n    n: int\n    m: int = 2\n'
            '    xs: list[int] = field(default_factory=list)\n    s: str = field(default="", init=False)\nA(n=1).m',
            2,
        ),
        ("p = await page()\nsorted(p['items'], reverse=1)", [1]),
        ("import json\np = await page()\njson.dumps(p['items'], sort_keys=0)", '[1]'),
        ("class P:\n    def __init__(self):\n        self.name = 'n'\ndef f(p: dict):\n    return p.name\nf(P())", 'n'),
    ],
)
async def test_what_may_work_after_a_call_is_left_to_run(code: str, value: object) -> None:
    outcome = await _last(code)
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == value


async def test_every_builtin_is_here_or_named_as_missing_with_what_to_use_instead() -> None:
    names = [name for name in dir(builtins) if not name.startswith('_') and name not in _MARKS]
    found = dict[str, bool]()
    async with Sandbox.shared().session() as session:
        for name in names:
            outcome = await session.run(f'x = {name}\n1', _Tools(), _answer)
            found[name] = isinstance(outcome, Completed)
            if isinstance(outcome, Failed):
                told = (f'There is no {name} here.', f'{name} can only be a decorator of a method here.')
                assert any(words in outcome.error.message for words in told)
                assert outcome.error.message.endswith('Nothing was run.')
    assert {name for name in names if not found[name]} - {'property'} == BUILTINS.refused.keys() & set(names)


_MARKS = frozenset(
    ['classmethod', 'property', 'staticmethod', 'super', 'vars', 'issubclass', 'delattr', 'aiter', 'anext']
)
"""A transform rewrites what they are called with; by themselves they are no values."""


@pytest.mark.parametrize('name', ['bytarray', 'inputt', 'gloabls', 'compil', 'memoryvew', 'superr', 'vras'])
async def test_nothing_is_suggested_that_is_not_here(name: str) -> None:
    outcome = await _last(f'{name}(1)')
    assert isinstance(outcome, Failed)
    _, _, question = outcome.error.message.partition('Did you mean')
    assert not set(re.findall(r'\w+', question)) & set(BUILTINS.refused)


async def test_a_script_may_ask_for_a_builtin_that_is_missing() -> None:
    outcome = await _last('try:\n    memoryview(b"")\nexcept NameError:\n    x = 1\nx')
    assert isinstance(outcome, Completed)
