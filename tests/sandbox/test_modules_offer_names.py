"""Every name of every module is there, or is refused before anything runs."""

import importlib

import pytest

from tests.sampling import share
from tests.sandbox.guest_cases import in_sandbox
from toolscript_sandbox.language.dialect import MODULES

pytestmark = pytest.mark.anyio

_SUBMODULES = {'collections': {'abc'}, 'os': {'path'}}
NAMED = sorted({*MODULES} - {'asyncio', 'concurrent.futures'})


def _public(module: str) -> list[str]:
    known = importlib.import_module(module)
    names = {*getattr(known, '__all__', ()), *(name for name in dir(known) if not name.startswith('_'))}
    return sorted(names - _SUBMODULES.get(module, set()))


@share(3)
@pytest.mark.parametrize('module', NAMED)
async def test_a_name_is_offered_or_refused_before_anything_runs(module: str, one_in: int) -> None:
    surprising = list[str]()
    for number, name in enumerate(_public(module)):
        ways = (
            f'import {module}\nprint(1)\nx = {module}.{name}',
            f'import {module} as m\nprint(1)\nx = m.{name}',
            f'from {module} import {name} as x\nprint(1)\ny = x',
        )
        for program in ways[number % one_in :: one_in]:
            ending, _ = await in_sandbox(program)
            is_offered = name in MODULES[module].providers
            as_told = ending.error is None if is_offered else ending.refused and not ending.printed
            surprising += [] if as_told else [f'{program!r}: {ending.error}']
    assert surprising == []


@pytest.mark.parametrize('module', NAMED)
def test_nothing_is_offered_that_python_does_not_have(module: str) -> None:
    known = importlib.import_module(module)
    assert [name for name in sorted(MODULES[module].providers) if not hasattr(known, name)] == []
