"""Calls with awkward arguments give in the sandbox what they give in CPython, or raise the same kind of error."""

import random

import pytest

from tests.sandbox.guest_cases import in_python, in_sandbox

pytestmark = pytest.mark.anyio

_HEAD = """
import heapq, math, random
from datetime import date, timedelta
def changed(items, change):
    return change(items), items
def shuffled(seed):
    own, items = random.Random(seed), list(range(9))
    own.shuffle(items)
    return items, own.random()
"""
_CHANCE = random.Random(11)


def _places() -> list[str]:
    texts = ["''", "'abca'", "'日本'", "b''", "b'abca'"]
    found = list[str]()
    for text in texts:
        for name in ('find', 'rfind', 'index', 'rindex', 'count', 'startswith', 'endswith'):
            for _ in range(6):
                part = _CHANCE.choice(["'a'", "'ca'"])
                start, end = _CHANCE.randint(-6, 6), _CHANCE.choice(['None', *map(str, range(-6, 7))])
                found.append(f'{text}.{name}({"b" if text[0] == "b" else ""}{part}, {start}, {end})')
    return found


def _spans() -> list[str]:
    found = list[str]()
    for unit in ('days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'weeks'):
        for number in (_CHANCE.uniform(-99, 99), _CHANCE.randint(-9, 9) + 0.5, _CHANCE.randint(-9, 9)):
            span, factor = f'timedelta({unit}={number})', _CHANCE.uniform(-3, 3)
            found += [span, f'{span} * {factor}', f'{factor} * {span}', f'{span} / {factor}', f'{span} / 0.5']
    return [*found, 'timedelta(1) * float("nan")', 'timedelta(1) / 0.0', 'timedelta(seconds=float("inf"))']


def _heaps() -> list[str]:
    found = list[str]()
    for _ in range(25):
        items = [_CHANCE.randint(-3, 3) for _ in range(_CHANCE.randint(1, 9))]
        found += [f'changed({items}, heapq.{name})' for name in ('heapify', 'heappop')]
        found += [f'changed({items}, lambda heap: (heapq.heapify(heap), heapq.heapreplace(heap, 1)))']
        found += [
            f'list(heapq.merge({sorted(items, key=abs)}, {sorted(items, key=abs, reverse=True)[::-1]}, key=abs))',
            f'heapq.nsmallest(2, {items}, key=abs)',
        ]
    return found


def _numbers() -> list[str]:
    found = [f'pow({_CHANCE.randint(-9, 9)}, {_CHANCE.randint(-4, 4)}, {_CHANCE.randint(1, 9)})' for _ in range(60)]
    found += [f'shuffled({seed})' for seed in (0, 5, "'a'")]
    return found


def _texts() -> list[str]:
    found = list[str]()
    for text in ("'é'", "'a日本'", "''"):
        for errors in ('strict', 'ignore', 'replace'):
            found.append(f'{text}.encode("latin-1", {errors!r})')
        found.append(f'{text}.encode("utf-8-sig").decode("utf-8-sig")')
    days = ('date(1985, 1, 2)', 'date(2024, 2, 29)')
    return found + [f'{day}.strftime("%Y %G %%Y %c %F")' for day in days]


@pytest.mark.parametrize('calls', [_places(), _spans(), _heaps(), _numbers(), _texts()])
async def test_calls_agree_with_python(calls: list[str]) -> None:
    tried = [
        f'try:\n    print(repr({call}))\nexcept Exception as error:\n    print(type(error).__name__)' for call in calls
    ]
    program = '\n'.join([_HEAD, *tried])
    python, (sandbox, _) = in_python([program])[0], await in_sandbox(program)
    assert (python.error, sandbox.error) == (None, None)
    compared = zip(calls, python.stdout.split('\n'), sandbox.stdout.split('\n'), strict=False)
    assert [(call, wanted, got) for call, wanted, got in compared if wanted != got] == []
