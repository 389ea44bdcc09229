"""Every name of the dialect's table is CPython's, is provided as the table says, and exists in a session."""

import importlib

import pytest

from tests.sandbox.guest_cases import in_sandbox
from toolscript_sandbox.language.dialect import BUILTINS, CLASS_METHODS, MODULES
from toolscript_sandbox.polyfills import linker

_NEWER = {'itertools.batched', 'math.sumprod', 'random.binomialvariate'}
"""Names that are refused because newer Pythons alone have them."""
_MARKS = ('abc.abstractmethod', 'functools.cached_property')
"""Names that are decorators of methods, and no values."""


@pytest.mark.parametrize('module', sorted(MODULES))
def test_each_listed_name_is_one_of_cpython(module: str) -> None:
    known, names = importlib.import_module(module), MODULES[module]
    wanted = {name for name in {*names.providers, *names.refused} if f'{module}.{name}' not in _NEWER}
    assert sorted(name for name in wanted if not hasattr(known, name)) == []
    assert names.providers.keys() & names.refused.keys() == set()


def test_each_polyfill_of_the_table_is_defined() -> None:
    names = [('builtins', BUILTINS), *MODULES.items()]
    made = [linker.home(module, name) for module, of in names for name, by in of.providers.items() if by == 'polyfill']
    made += [
        linker.home(
            'methods' if kind.startswith('builtins.') else kind.rpartition('.')[0], f'{kind.rpartition(".")[2]}_{name}'
        )
        for kind, methods in CLASS_METHODS.items()
        for name in methods
    ]
    defined = {definition for name in linker.names() for definition in linker.read(name).definitions}
    assert [definition for definition in made if definition not in defined] == []


@pytest.mark.anyio
@pytest.mark.parametrize('module', sorted(MODULES))
async def test_each_listed_name_exists_in_a_session(module: str) -> None:
    # A transform rewrites the calls of a name, or takes it as a decorator; by itself it is no value.
    decorators = ('abstractmethod', 'cached_property')
    names = [name for name, by in MODULES[module].providers.items() if by != 'transform' and name not in decorators]
    names = [name for name in names if f'{module}.{name}' not in MODULES]
    names = [name for name in names if f'{module}.{name}' not in _MARKS]
    lines = [f'from {module} import {name} as _{number}' for number, name in enumerate(names)]
    ending, _ = await in_sandbox('\n'.join([f'import {module}', *lines, *(f'_x = _{n}' for n in range(len(names)))]))
    assert ending.error is None


@pytest.mark.anyio
@pytest.mark.parametrize('module', sorted(MODULES))
async def test_a_name_that_is_not_listed_is_refused_before_anything_runs(module: str) -> None:
    for name in sorted({*MODULES[module].refused, 'nosuch'}):
        ending, _ = await in_sandbox(f'print(1)\nimport {module}\nx = {module}.{name}')
        assert (ending.refused, ending.stdout) == (True, '')
        assert f'There is no {module}.{name} here' in (ending.error or ('', ''))[1]
