"""What type checkers say of code that uses the library.

`# type: ignore` marks the lines of `cases/` that both checkers have to refuse, `# pyright: ignore` those that mypy accepts
(it does not say by itself what is deprecated); everything else has to pass in the strict mode of both, which refuses
marks without an error. `make check` reads the cases with basedpyright.
"""

import ast
import importlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
CASES = sorted((Path(__file__).parent / 'cases').glob('*.py'))

PACKAGES = ['toolscript', 'toolscript.history', 'toolscript.search', 'toolscript.testing']


@pytest.mark.long
def test_mypy_rejects_the_marked_lines_and_no_others(tmp_path: Path) -> None:
    # One run for all cases: reading the libraries takes most of the time.
    command = [sys.executable, '-m', 'mypy', '--strict', '--cache-dir', str(tmp_path), *map(str, CASES)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def names_used(tree: ast.Module, door: str) -> Iterator[str]:
    """Return what a case imports from a package, or uses as its attribute."""
    packages = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                packages |= {alias.asname or alias.name.split('.')[0] for alias in names if alias.name.startswith(door)}
            case ast.ImportFrom(module, names) if module == door:
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module, names):
                packages |= {alias.name for alias in names if f'{module}.{alias.name}' == door}
            case ast.Attribute(ast.Name(package), name) if package in packages:
                yield name
            case _:
                pass


@pytest.mark.parametrize('package', PACKAGES)
def test_every_public_name_is_used_in_a_case(package: str) -> None:
    used = {name for case in CASES for name in names_used(ast.parse(case.read_text()), package)}
    # Each public name has a case that shows valid and invalid uses.
    assert set(importlib.import_module(package).__all__) - used == set()


@pytest.mark.long
@pytest.mark.parametrize('package', ['toolscript', 'toolscript_sandbox', 'toolscript_signatures'])
def test_every_type_is_complete(package: str, tmp_path: Path) -> None:
    """Return the types of all public names, down to the members of each class."""
    report = _completeness(package, tmp_path)
    incomplete = [
        symbol['name']
        for symbol in report['typeCompleteness']['symbols']
        if not (symbol['isTypeKnown'] and not symbol['isTypeAmbiguous'])
        and symbol['name'].removeprefix(f'{package}.') in importlib.import_module(package).__all__
    ]
    assert report['typeCompleteness']['exportedSymbolCounts']['withKnownType'] > 400
    assert incomplete == []


def _completeness(package: str, folder: Path) -> dict[str, Any]:
    """Return the output of `basedpyright --verifytypes`, which reads an installed package, not an editable one."""
    environment = folder / 'environment'
    venv.create(environment, symlinks=True)
    site = environment / 'lib' / f'python{sys.version_info.major}.{sys.version_info.minor}' / 'site-packages'
    (site / 'others.pth').write_text(sysconfig.get_path('purelib'))
    for each in ('src/toolscript', 'sandbox/toolscript_sandbox', 'signatures/toolscript_signatures'):
        shutil.copytree(ROOT / each, site / Path(each).name)
    path = os.pathsep.join([str(environment / 'bin'), os.environ['PATH']])
    done = subprocess.run(
        [sys.executable, '-m', 'basedpyright', '--verifytypes', package, '--ignoreexternal', '--outputjson'],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, 'PATH': path, 'VIRTUAL_ENV': str(environment)},
    )
    return json.loads(done.stdout)
