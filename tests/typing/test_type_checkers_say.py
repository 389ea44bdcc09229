"""What type checkers say of code that uses the library.

`# error` marks the lines of `cases/` that every checker has to refuse, `# error: mypy` those that only the named one
refuses (mypy reads several output types with less care, and does not say by itself what is deprecated); everything else
has to pass in the strict mode of both.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

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


def expected(case: Path, checker: str) -> list[int]:
    lines = enumerate(case.read_text().splitlines(), start=1)
    marks = ((number, re.search(r'# error(?:: (\w+))?$', line)) for number, line in lines)
    return [number for number, mark in marks if mark and mark[1] in (None, checker)]


def said(*command: str) -> str:
    result = subprocess.run([sys.executable, '-m', *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode in (0, 1), result.stderr + result.stdout
    return result.stdout


@pytest.mark.parametrize('case', CASES, ids=lambda case: case.stem)
def test_pyright_refuses_the_marked_lines_and_no_others(case: Path, tmp_path: Path) -> None:
    config = tmp_path / 'pyrightconfig.json'
    config.write_text(json.dumps({**PYRIGHT, 'include': [str(case)]}))
    report = json.loads(said('basedpyright', '--outputjson', '--project', str(config)))
    lines = {
        found['range']['start']['line'] + 1 for found in report['generalDiagnostics'] if found['severity'] == 'error'
    }
    assert report['summary']['filesAnalyzed'] == 1
    assert sorted(lines) == expected(case, 'basedpyright')


@pytest.mark.long
def test_mypy_refuses_the_marked_lines_and_no_others(tmp_path: Path) -> None:
    # One run for all cases: reading the libraries takes most of the time.
    report = said('mypy', '--strict', '--cache-dir', str(tmp_path), *map(str, CASES))
    assert 'Found' in report
    for case in CASES:
        name = re.escape(str(case.relative_to(ROOT)))
        lines = {int(line) for line in re.findall(rf'^{name}:(\d+): error', report, re.MULTILINE)}
        assert sorted(lines) == expected(case, 'mypy')
