"""Every name of every module is there, or is refused before anything runs."""

import importlib

import pytest
from toolscript_sandbox.lowering.guest_modules import GUESTS
from toolscript_sandbox.lowering.monty_features import MODULES, WRITTEN
from toolscript_sandbox.lowering.refusals.offered import offered

from tests.sampling import share
from tests.sandbox.guest_cases import in_sandbox

pytestmark = pytest.mark.anyio

_SUBMODULES = {'collections': {'abc'}, 'os': {'path'}}
NAMED = sorted({*MODULES, *GUESTS} - {'asyncio', 'concurrent.futures'})


def _public(module: str) -> list[str]:
    known = importlib.import_module(module)
    names = {*getattr(known, '__all__', ()), *(name for name in dir(known) if not name.startswith('_'))}
    return sorted(names - _SUBMODULES.get(module, set()) - WRITTEN.get(module, frozenset()))


@share(3)
@pytest.mark.parametrize('module', NAMED)
async def test_a_name_is_offered_or_refused_before_anything_runs(module: str, one_in: int) -> None:
    surprising = list[str]()
    names = offered(module) or frozenset()
    for number, name in enumerate(_public(module)):
        ways = (
            f'import {module}\nprint(1)\nx = {module}.{name}',
            f'import {module} as m\nprint(1)\nx = m.{name}',
            f'from {module} import {name} as x\nprint(1)\ny = x',
        )
        for program in ways[number % one_in :: one_in]:
            ending, _ = await in_sandbox(program)
            as_told = ending.error is None if name in names else ending.refused and not ending.printed
            surprising += [] if as_told else [f'{program!r}: {ending.error}']
    assert surprising == []


@pytest.mark.parametrize('module', NAMED)
def test_nothing_is_offered_that_python_does_not_have(module: str) -> None:
    known = importlib.import_module(module)
    assert [name for name in sorted(offered(module) or ()) if not hasattr(known, name)] == []
