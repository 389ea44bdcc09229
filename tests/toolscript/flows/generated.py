"""Programs that move values in every way that the analysis must follow, from a seed."""

import random
from collections.abc import Callable

_HEAD = """\
import functools, itertools, json, copy
from collections import defaultdict, deque, Counter
class Box:
    shared = []
    def __init__(self, a, b='b'):
        self.a = a
        self.items = [b]
    def put(self, x):
        if len(self.items) < 9:
            self.items.append(x)
        return self.a
    def last(self):
        return self.items[-1]
    @property
    def both(self):
        return self.a + self.items[0]
    @both.setter
    def both(self, x):
        self.a = x
class Cell(Box):
    def put(self, x):
        self.more = x
        return super().put(x)
kept = ['k']
def keep(x):
    kept.append(x)
    return 'kept'
def join(x, y='y', *rest, **more):
    return x + y + ''.join(rest) + ''.join(more.values())
def first(xs):
    for x in xs:
        return x
def each(xs):
    for x in xs:
        yield x
def counter():
    n = ['0']
    def add(x):
        n[0] = n[0] + x
        return n[0]
    return add
add = counter()
s0 = 's'; s1 = 't'
l0 = ['a', 'b']; l1 = ['c', 'd']
d0 = {'a': 'x', 'b': 'y'}; d1 = {'a': 'z', 'b': 'w'}
o0 = Box('o'); o1 = Cell('p')
f0 = lambda x: x; f1 = keep
"""


class _Writer:
    def __init__(self, seed: int, *, strict: bool) -> None:
        self.random = random.Random(seed)
        self.strict = strict
        self.depth = 0

    def pick(self, *choices: Callable[[], str]) -> str:
        return self.random.choice(choices)()

    def var(self, kind: str) -> str:
        return f'{kind}{self.random.randrange(2)}'

    def text(self) -> str:
        """Return an expression that evaluates to a string."""
        self.depth += 1
        t, v = (self.text if self.depth < 4 else lambda: self.var('s')), self.var
        found = self.pick(
            lambda: v('s'),
            lambda: v('s'),
            lambda: v('s'),
            lambda: "'lit'",
            lambda: 'get()',
            lambda: 'get()',
            lambda: "rows()[0]['a']",
            lambda: "user()['name']",
            lambda: f"f'{{{v('s')}}}!'",
            lambda: f'({t()} + {t()})',
            lambda: f'{v("s")}.upper()',
            lambda: f'{v("l")}[0]',
            lambda: f"{v('d')}['a']",
            lambda: f"{v('d')}.get('b', {t()})",
            lambda: f"','.join({v('l')})",
            lambda: f'{v("o")}.a',
            lambda: f'{v("o")}.both',
            lambda: f'{v("o")}.last()',
            lambda: f'{v("o")}.put({t()})',
            lambda: f'{v("f")}({t()})',
            lambda: f'join({t()}, {t()})',
            lambda: f'join({t()}, y={t()})',
            lambda: f'join(*{v("l")})',
            lambda: f'join({t()}, z={t()})',
            lambda: f'max({t()}, {t()})',
            lambda: f'sorted({v("l")}, key=lambda x: x)[0]',
            lambda: f'next(iter({v("l")}))',
            lambda: f'[x for x in {v("l")}][-1]',
            lambda: f"{{**{v('d')}}}['a']",
            lambda: f'(lambda: {v("s")})()',
            lambda: f'json.dumps({v("d")})',
            lambda: f'repr({v("l")})',
            lambda: f'{v("l")}[0:1][0]',
            lambda: f'list({v("d")}.values())[0]',
            lambda: 'kept[-1]',
            lambda: f'add({t()})',
            lambda: f'functools.partial(join, {t()})({t()})',
            lambda: f'list(map({v("f")}, {v("l")}))[0]',
            lambda: f'first({v("l")})',
            lambda: f'list(each({v("l")}))[-1]',
            lambda: f'echo({t()})',
            lambda: f'str({v("o")}.items)',
            lambda: 'str(Box.shared)',
            lambda: f'copy.deepcopy({v("o")}).a',
            lambda: f'functools.reduce(lambda x, y: x + y, {v("l")})',
            lambda: f'({v("s")} or {t()})',
            lambda: f'"%s" % {v("s")}',
            lambda: f"'{{}}'.format({v('s')})",
            lambda: f'getattr({v("o")}, "a")',
            lambda: f'str(dict(zip({v("l")}, {v("l")})))',
            lambda: f'str(Counter({v("l")}))',
            lambda: f'(lambda x, y={t()}: x + y)({t()})',
            lambda: f'str({v("l")} == {v("l")})',
            lambda: f'min({v("l")}, key=lambda x: {v("s")} + x)',
        )
        self.depth -= 1
        # Values that double with each statement would fill the memory.
        return found if self.depth else f'({found})[:99]'

    def statement(self, indent: str = '') -> str:
        t, v = self.text, self.var
        one = self.random.randrange
        if self.strict and one(3) == 0:
            return self.condition(indent)
        text = self.pick(
            lambda: f'{v("s")} = {t()}',
            lambda: f'{v("s")} = {t()}',
            lambda: f'{v("s")} += {t()}',
            lambda: f'{v("l")} = [{t()}, {t()}]',
            lambda: f'{v("l")} = {v("l")}',
            lambda: f'{v("l")}.append({t()})',
            lambda: f'{v("l")}.insert(0, {t()})',
            lambda: f'{v("l")}[0] = {t()}',
            lambda: f'{v("l")} += [{t()}]',
            lambda: f'{v("l")}.extend({v("l")}[:2])',
            lambda: f"{v('d')} = {{'a': {t()}, 'b': {t()}}}",
            lambda: f'{v("d")} = {v("d")}',
            lambda: f"{v('d')}['a'] = {t()}",
            lambda: f'{v("d")}.update({v("d")})',
            lambda: f'{v("d")}[{t()}] = {t()}',
            lambda: f'{v("o")} = Box({t()}, {t()})',
            lambda: f'{v("o")} = Cell({t()}, b={t()})',
            lambda: f'{v("o")} = {v("o")}',
            lambda: f'{v("o")}.a = {t()}',
            lambda: f'{v("o")}.both = {t()}',
            lambda: f'{v("o")}.items = {v("l")}',
            lambda: f'{v("o")}.items.append({t()})',
            lambda: f'{v("l")} = {v("o")}.items',
            lambda: f'keep({t()})',
            lambda: f'Box.shared.append({t()})',
            lambda: f'{v("s")}, {v("s")} = {t()}, {t()}',
            lambda: f'{v("s")}, *{v("l")} = [{t()}, {t()}]',
            lambda: f'for x in list({v("l")}): {v("l")}.append(x)',
            lambda: f'for x, y in zip({v("l")}, {v("l")}[:]): {v("s")} = x + y',
            lambda: f'for k, x in {v("d")}.items(): {v("s")} = x',
            lambda: f'for r in rows(): {v("l")}.append(r["a"])',
            lambda: f'{v("f")} = lambda x: x + {t()}',
            lambda: f'{v("f")} = {v("o")}.put',
            lambda: f'{v("f")} = {v("l")}.count; {v("f")} = str',
            lambda: f'{v("f")} = functools.partial(join, {t()})',
            lambda: f'{v("l")} = [x + {t()} for x in {v("l")}]',
            lambda: f'{v("l")} = sorted({v("l")}, key=lambda x: {v("s")} + x)',
            lambda: f'{v("l")}.sort(key=lambda x: x[::-1])',
            lambda: f'{v("l")} = list(map({v("f")}, {v("l")}[:3]))',
            lambda: f'{v("l")} = user()["tags"]',
            lambda: f'{v("d")} = rows()[1]',
            lambda: f'{v("l")} = list(each({v("l")}))',
            lambda: f'{v("l")}.reverse()',
            lambda: f'if True: {v("s")} = {t()}',
            lambda: (
                f'try:\n{indent}    raise ValueError({t()})\n{indent}except ValueError as e:\n{indent}    {v("s")} = str(e)'
            ),
            lambda: (
                f'def g(x={t()}):\n{indent}    {v("l")}[:] = [*{v("l")}[-4:], x]\n{indent}    return x\n{indent}{v("f")} = g'
            ),
            lambda: f'q = deque({v("l")}); q.append({t()}); {v("s")} = q.popleft()',
            lambda: f"h = defaultdict(list); h['k'].append({t()}); {v('l')} = h['k']",
            lambda: f'(w := {t()}); {v("s")} = w',
            lambda: f'm = [{v("l")}, {v("l")}]; m[0].append({t()})',
            lambda: f'n = {{"o": {v("o")}}}; n["o"].a = {t()}',
            lambda: f'{v("l")}, {v("l")} = {v("l")}, {v("l")}',
            lambda: f'{v("d")}.setdefault("z", {t()}); {v("s")} = str({v("d")})',
            lambda: f'match {t()}:\n{indent}    case y: {v("s")} = y',
        )
        return indent + text

    def condition(self, indent: str) -> str:
        t, v = self.text, self.var
        test = f"'q' in {t()}" if self.random.randrange(2) else f'len({t()}) % 2 == 0'
        return self.pick(
            lambda: f'{indent}if {test}:\n{self.statement(indent + "    ")}',
            lambda: (
                f'{indent}if {test}:\n{self.statement(indent + "    ")}\n{indent}else:\n{self.statement(indent + "    ")}'
            ),
            lambda: f"{indent}{v('s')} = 'one' if {test} else 'two'",
            lambda: f"{indent}{v('l')} = [x for x in {v('l')} if {test}] + ['z']",
            lambda: f"{indent}for c in {t()}:\n{indent}    if c == 'q': break\n{indent}    {v('s')} = 'found'",
            lambda: (
                f"{indent}try:\n{indent}    'm'.index({t()}[0])\n{indent}    {v('s')} = 'is'\n{indent}except ValueError:\n{indent}    {v('s')} = 'not'"
            ),
            lambda: f"{indent}{v('s')} = ({test}) and 'x' or 'y'",
            lambda: f"{indent}while {test}:\n{indent}    {v('s')} = 'w'\n{indent}    break",
            lambda: (
                f"{indent}def c(x):\n{indent}    if {test}: return 'r'\n{indent}    {v('l')}.append('e')\n{indent}    return 'n'\n{indent}{v('s')} = c('')"
            ),
        )


def program(seed: int, *, strict: bool = False) -> list[str]:
    writer = _Writer(seed, strict=strict)
    scripts = list[str]()
    for number in range(writer.random.choice((1, 1, 1, 2))):
        lines = [_HEAD] if number == 0 else []
        for _ in range(writer.random.randrange(5, 14)):
            lines += [writer.statement(), 'del l0[5:], l1[5:]']
            if writer.random.randrange(2) == 0:
                lines.append(f'send({writer.var(writer.random.choice("slldo"))}, to={writer.text()})')
        lines.append('send(s0, a=s1, b=l0, c=l1, d=d0, e=d1, f=o0, g=o1, h=kept)')
        scripts.append('\n'.join(lines) + '\n')
    return scripts
