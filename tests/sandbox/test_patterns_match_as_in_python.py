"""Regular expressions of every kind, over texts of every kind, find in the sandbox what they find in CPython, and fail as there."""

import random

import pytest

from tests.sandbox.guest_cases import in_python, in_sandbox

pytestmark = pytest.mark.anyio

_ATOMS = [
    r'a',
    r'b',
    r'A',
    r'.',
    r'\d',
    r'\w',
    r'\s',
    r'\W',
    r'\D',
    r'[ab]',
    r'[^a]',
    r'[a-c_]',
    r'[\w-]',
    r'[^\W\d]',
    r'\b',
    r'\B',
    r'^',
    r'$',
    r'\A',
    r'\Z',
    r'é',
    r'1',
    r'\n',
    r'x',
    r'[A-Z]',
    r'\1',
    r'-',
    r'ß',
    r'(?=a)',
    r'(?!b)',
    r'(?<=a)',
    r'(?<!1)',
    r'(?i:a)',
    r'(?s:.)',
    r'\.',
]
_TIMES = ['', '', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{,2}', '{1,}', '{0,1}?', '*+', '++']
_GROUPS = ['(', '(', '(?:', '(?:', '(?P<n0>', '(?P<n1>', '(?>', '(?=', '(?!', '(?<=', '(?<!']
_TEXT = 'aabbAB1_ \n-éßxcK'
_PROGRAM = """
import re
for pattern, text in CASES:
    try:
        p = re.compile(pattern)
        found = [p.search(text), p.match(text), p.fullmatch(text), p.search(text, 1), p.match(text, 0, 3)]
        row = [m and (m.span(), m.groups(), m.lastindex, m.regs) for m in found]
        row += [p.findall(text), [m.span() for m in p.finditer(text)], p.split(text), p.split(text, 1), p.flags, p.groups]
        row += [p.sub('<\\\\g<0>>', text), p.subn('-', text, 2), p.sub(lambda m: m.group().upper(), text)]
        print(row)
    except re.error as error:
        print(str(error))
"""


def _pattern(chance: random.Random, depth: int = 0) -> str:
    parts = list[str]()
    for _ in range(chance.randint(1, 3)):
        if chance.random() < 0.3 and depth < 3:
            other = f'|{_pattern(chance, depth + 1)}' if chance.random() < 0.4 else ''
            parts.append(f'{chance.choice(_GROUPS)}{_pattern(chance, depth + 1)}{other}){chance.choice(_TIMES)}')
        else:
            parts.append(chance.choice(_ATOMS) + chance.choice(_TIMES))
    return ''.join(parts)


def _case(chance: random.Random) -> tuple[str, str]:
    flags = chance.choice(['(?i)', '(?m)', '(?s)', '(?x)', '(?a)', '(?im)']) if chance.random() < 0.15 else ''
    text = ''.join(chance.choices(_TEXT, k=chance.randint(0, 8)))
    return flags + _pattern(chance), text + chance.choice(['', '', '\n'])


@pytest.mark.parametrize('seed', range(3))
async def test_patterns_match_as_in_python(seed: int) -> None:
    chance = random.Random(seed)
    cases = [_case(chance) for _ in range(250)]
    program = _PROGRAM.replace('CASES', repr(cases))
    python = in_python([program])[0].stdout.split('\n')
    sandbox = (await in_sandbox(program))[0].stdout.split('\n')
    compared = zip(cases, python[:-1], sandbox[:-1], strict=True)
    assert [(case, wanted, got) for case, wanted, got in compared if wanted != got] == []
