"""Small programs about classes, by the hundred: lines of several bases, overrides, super, properties, dataclasses, enumerations."""

from __future__ import annotations

from random import Random

_NAMES = ('A', 'B', 'C', 'D')


def program(random: Random) -> str:
    """One program: some classes, each perhaps an heir of an earlier one, and prints of all that they show."""
    as_data = random.random() < 0.3
    lines = ['from abc import ABC, abstractmethod', 'from dataclasses import dataclass, field']
    lines += ['from functools import cached_property, total_ordering', 'from typing import ClassVar', *_ENUMERATION]
    lines += ['def show(f):\n    try: print(f())\n    except Exception as e: print(type(e).__name__)']
    names = _NAMES[: random.randint(1, 4)]
    option = random.choice(
        ['', '', '(frozen=True)', '(eq=False)', '(order=True)', '()', '(kw_only=True)', '(repr=False)']
    )
    for place, name in enumerate(names):
        bases = random.sample(names[:place], min(place, random.choice([1, 1, 1, 2])))
        base = ', '.join(bases) if place and random.random() < 0.85 else None
        lines += _data(name, base, option, random) if as_data else _plain(name, base, random)
    for name in names:
        given = '1' if not as_data else ', '.join(str(random.randint(0, 3)) for _ in range(random.randint(0, 2)))
        lines.append(f'def make_{name}(): return {name}({given})')
    return '\n'.join([*lines, *_uses(names, random), ''])


def _plain(name: str, base: str | None, random: Random) -> list[str]:
    lines = [f'class {name}({base}):' if base else random.choice([f'class {name}:', f'class {name}(ABC):'])]
    lines = ['@total_ordering', *lines] if random.random() < 0.05 else lines
    members = list(
        {_named(part): part for part in random.sample(_MEMBERS, len(_MEMBERS)) if random.random() < 0.3}.values()
    )
    if base is None:
        members = [*_ROOT, *members]
    upper = [part for part in _SUPER if base and random.random() < 0.35]
    names = {part.split('(')[0].split()[-1] for part in members if 'def ' in part}
    members += [part for part in upper if part.split('(')[0].split()[-1] not in names]
    return [*lines, *(f'    {line}' for part in members or ['pass'] for line in part.replace('NAME', name).split('\n'))]


def _named(part: str) -> str:
    line = next(line for line in part.split('\n') if not line.startswith('@'))
    return line.removeprefix('def ').partition('(')[0].partition(' =')[0]


def _data(name: str, base: str | None, option: str, random: Random) -> list[str]:
    lines = [f'@dataclass{option}', f'class {name}({base}):' if base else f'class {name}:']
    fields = [f'{name.lower()}{n}: int = {_default(random)}' for n in range(random.randint(0, 2))]
    members = [*fields, *(part for part in _OF_DATA if random.random() < 0.25)]
    return [*lines, *(f'    {line}' for part in members or ['pass'] for line in part.replace('NAME', name).split('\n'))]


def _default(random: Random) -> str:
    number = random.randint(0, 3)
    if random.random() < 0.7:
        return str(number)
    return f'field(default={number}, {random.choice(["repr", "compare", "init"])}=False)'


def _uses(names: tuple[str, ...], random: Random) -> list[str]:
    asked = [random.choice(_ASKED) for _ in range(random.randint(4, 12))]
    made = [one.replace('X', random.choice(names)).replace('Y', random.choice(names)) for one in asked]
    return [
        one if one.startswith('!') is False else one[1:]
        for one in (f'show(lambda: {m})' if m[0] != '!' else m for m in made)
    ]


_ENUMERATION = [
    'from enum import Enum, IntEnum, StrEnum, auto',
    'class Kind(str, Enum):\n    LOW = "low"\n    HIGH = "high"\n    def up(self): return self.value.upper()',
    'class Level(IntEnum):\n    ONE = auto()\n    TWO = auto()',
]
_ROOT = [
    'def __init__(self, x=0): self.x = x',
    "def name(self): return 'NAME'",
    "def __repr__(self): return f'{type(self).__name__}({self.x})'",
]
_MEMBERS = [
    'shared = []',
    "label = 'NAME'",
    "def name(self): return 'n' + 'NAME'",
    '@property\ndef size(self): return self.x + 1',
    '@property\ndef size(self): return self.x + 2\n@size.setter\ndef size(self, value): self.x = value',
    '@cached_property\ndef kept(self):\n    print("kept NAME")\n    return [self.x]',
    '@classmethod\ndef make(cls, x): return cls(x)',
    '@classmethod\ndef who(cls): return cls.__name__',
    '@staticmethod\ndef twice(x): return 2 * x',
    "def __repr__(self): return f'{type(self).__name__}<{self.x}>'",
    "def __str__(self): return 'str NAME'",
    'def __eq__(self, other): return isinstance(other, NAME) and self.x == other.x',
    'def __hash__(self): return hash(self.x)',
    'def __lt__(self, other): return self.x < other.x',
    'def __add__(self, other): return self.x + other',
    'def __radd__(self, other): return other + self.x',
    'def __len__(self): return self.x',
    'def __call__(self, y): return self.x + y',
    'def __contains__(self, y): return y == self.x',
    'def __getitem__(self, y):\n    if y > 3: raise IndexError(y)\n    return (y, self.x)',
    'def __iter__(self): return iter([self.x, self.x + 1])',
    '@abstractmethod\ndef todo(self): ...',
    "def todo(self): return 'done'",
    'size = 40',
]
_SUPER = [
    "def name(self): return super().name() + '>NAME'",
    'def __init__(self, x=5):\n    super().__init__(x)\n    self.y = 1',
    "def __repr__(self): return 'NAME' + super().__repr__()[-3:]",
    '@classmethod\ndef make(cls, x): return super().make(x + 1)',
    '@property\ndef size(self): return super().size + 10',
    'def __eq__(self, other): return super().__eq__(other)',
    '@staticmethod\ndef twice(x): return 3 * x',
]
_OF_DATA = [
    'notes: list = field(default_factory=list)',
    'kinds: ClassVar[list] = []',
    "def name(self): return 'NAME'",
    '@property\ndef size(self): return 7',
    '@classmethod\ndef make(cls, x): return cls(x)',
    "def __repr__(self): return 'repr NAME'",
    'def __eq__(self, other): return True',
    'def __hash__(self): return 3',
    'def __post_init__(self): print("post NAME")',
    'def __lt__(self, other): return True',
    'shared = []',
]
_ASKED = [
    'make_X().name()',
    'make_X().x',
    'make_X().size',
    'make_X().label',
    'X.label',
    'make_X().kept',
    'repr(make_X()).split(" at ")[0][-9:]',
    'type(make_X().make(4)).__name__',
    'X.make(4).x',
    'X.who()',
    'make_X().who()',
    'X.twice(4)',
    'make_X().twice(5)',
    'make_X() == make_Y()',
    'make_X() != make_Y()',
    'len({make_X(), make_Y()})',
    'make_X() < make_Y()',
    'sorted([make_X(), make_Y()])[0].x',
    'make_X() + 1',
    '1 + make_X()',
    'sum([make_X(), make_Y()])',
    'len(make_X())',
    'make_X()(3)',
    '0 in make_X()',
    'make_X()[2]',
    'list(make_X())',
    '[*make_X()]',
    'isinstance(make_X(), Y)',
    'isinstance(make_X(), (int, Y))',
    'issubclass(X, Y)',
    'type(make_X()) is Y',
    '(X.shared.append(1), Y.shared)',
    '(make_X().shared.append(2), len(Y.shared))',
    'make_X().todo()',
    'X.kinds is Y.kinds',
    'hasattr(make_X(), "y")',
    '[t.size for t in (make_X(), make_Y())]',
    "f'{make_X().size}'",
    'str(make_X())[:8]',
    '(make_X().a0, make_X())',
    'make_X().notes',
    '!X.label = 5',
    '!x = make_X()\nshow(lambda: x.size)',
    '!y = make_X()\ntry: y.size = 9\nexcept AttributeError: print("no")\nshow(lambda: y.size)',
    '1 if make_X() else 2',
    'not make_X()',
    'bool(make_X())',
    'max(make_X(), make_Y()).x',
    '(make_X(), 1) == (make_Y(), 1)',
    '[make_X()]',
    'type(make_X()).__name__',
    'X.__name__',
    'X.twice.__name__',
    'make_X().name.__name__',
    'callable(make_X())',
    'make_X() <= make_Y()',
    'make_X() > make_Y()',
    'sorted([make_X(), make_Y()], reverse=True)[0].x',
    '[make_X(), 2] < [make_Y(), 3]',
    'min((1, make_X()), (1, make_Y()))[1].x',
    '(Kind.LOW, Kind("high").up(), Kind.LOW == "low", f"{Kind.HIGH}", {Kind.LOW: 1}["low"])',
    '(Level.TWO > Level.ONE, Level(1), Level.ONE + make_X().x, max(Level), f"{Level.TWO}")',
    '[isinstance(make_X(), k) for k in (Y, object, int)]',
    'isinstance(Kind.LOW, (str, X))',
    'getattr(make_X(), "size", None)',
    'getattr(X, "__name__", "?")',
    '!x = make_X()\nx.y = 4\nshow(lambda: x.y)',
    '!x = make_X()\nx.size += 2\nshow(lambda: x.size)',
    '1 < make_X().x + 1 <= 3',
    'hasattr(make_X(), "label")',
    '!class Late(X):\n    def late(self): return "late" + self.name()\nshow(lambda: Late(1).late())',
]
