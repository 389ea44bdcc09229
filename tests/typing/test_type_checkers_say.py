"""What type checkers say of code that uses the library.

`# error` marks the lines of `cases/` that every checker has to refuse, `# error: mypy` those that only the named one
refuses (mypy reads several output types with less care, and does not say by itself what is deprecated); everything else
has to pass in the strict mode of both.
"""

import ast
import importlib
import json
import os
import re
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
PYRIGHT = {
    'typeCheckingMode': 'strict',
    'pythonVersion': '3.11',
    'venvPath': str(Path(sys.prefix).parent),
    'venv': Path(sys.prefix).name,
    'extraPaths': [str(ROOT / 'src'), str(ROOT / 'sandbox'), str(ROOT / 'signatures')],
}
CASES = sorted((Path(__file__).parent / 'cases').glob('*.py'))

PACKAGES = ['toolscript', 'toolscript.history', 'toolscript.search', 'toolscript.testing']


def expected(case: Path, checker: str) -> list[int]:
    lines = enumerate(case.read_text().splitlines(), start=1)
    marks = ((number, re.search(r'# error(?:: (\w+))?$', line)) for number, line in lines)
    return [number for number, mark in marks if mark and mark[1] in (None, checker)]


def said(*command: str) -> str:
    result = subprocess.run([sys.executable, '-m', *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode in (0, 1), result.stderr + result.stdout
    return result.stdout


@pytest.fixture(scope='module')
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What basedpyright says of all cases: reading the libraries takes most of the time."""
    config = tmp_path_factory.mktemp('pyright') / 'pyrightconfig.json'
    config.write_text(json.dumps({**PYRIGHT, 'include': [str(case) for case in CASES]}))
    return json.loads(said('basedpyright', '--outputjson', '--project', str(config)))


@pytest.mark.parametrize('case', CASES, ids=lambda case: case.stem)
def test_pyright_refuses_the_marked_lines_and_no_others(case: Path, report: dict[str, Any]) -> None:
    lines = {
        found['range']['start']['line'] + 1
        for found in report['generalDiagnostics']
        if found['severity'] == 'error' and Path(found['file']) == case
    }
    assert report['summary']['filesAnalyzed'] == len(CASES)
    assert sorted(lines) == expected(case, 'basedpyright')


@pytest.mark.long
def test_mypy_refuses_the_marked_lines_and_no_others(tmp_path: Path) -> None:
    # One run for all cases: reading the libraries takes most of the time.
    report = said('mypy', '--strict', '--cache-dir', str(tmp_path), *map(str, CASES))
    assert 'Found' in report
    for case in CASES:
        name = re.escape(str(case.relative_to(ROOT)))
        lines = {int(line) for line in re.findall(rf'^{name}:(\d+): error', report, re.MULTILINE)}
        assert sorted(lines) == expected(case, 'mypy'), case.name


def names_used(tree: ast.Module, door: str) -> Iterator[str]:
    """What a case imports from a package, or uses as an attribute of it."""
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
    # Each public name has a case that shows how it is used, and what use of it is refused.
    assert set(importlib.import_module(package).__all__) - used == set()


@pytest.mark.long
@pytest.mark.parametrize('package', ['toolscript', 'toolscript_sandbox', 'toolscript_signatures'])
def test_every_type_is_complete(package: str, tmp_path: Path) -> None:
    """The types of all that is public, down to the members of each class."""
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
    """What `basedpyright --verifytypes` says, which reads what is installed, and no editable installation."""
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
