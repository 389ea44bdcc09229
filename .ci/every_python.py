"""The tests on every Python that pyproject.toml names and this machine has; those that it has not are named at the end.

Each version gets an environment of its own, `.venv-3.12` and so on, filled from the same lock. Arguments go to Python,
such as `-m pytest`; pytest names the tests that it leaves out on a version, and why.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_HERE = Path(__file__).parent.parent
_UV = _HERE / '.venv' / 'bin' / 'uv'


def main(arguments: list[str]) -> int:
    """Run the tests everywhere; how many versions were red."""
    red, missing = list[str](), list[str]()
    for version in _versions():
        python = _interpreter(version)
        if python is None:
            missing.append(version)
            continue
        print(f'== Python {version} ({python})', flush=True)
        pytest = [_environment(version, python), *arguments, '-rs']
        ran = subprocess.run(pytest, cwd=_HERE, check=False)
        red += [version] if ran.returncode else []
    if missing:
        print(f'Not run, for this machine has no Python {" and no Python ".join(missing)}.')
    if red:
        print(f'Red on Python {", ".join(red)}.')
    return len(red)


def _versions() -> list[str]:
    return re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (_HERE / 'pyproject.toml').read_text())


def _interpreter(version: str) -> str | None:
    return next((path for path in _candidates(version) if _is(path, version)), None)


def _candidates(version: str) -> Iterator[str]:
    if on_path := shutil.which(f'python{version}'):
        yield on_path
    root = Path(os.environ.get('PYENV_ROOT', Path.home() / '.pyenv'))
    yield from (str(path) for path in sorted(root.glob(f'versions/{version}.*/bin/python')))
    yield sys.executable


def _is(path: str, version: str) -> bool:
    # A shim of pyenv is on the PATH for versions that are not chosen, and fails.
    asked = subprocess.run(
        [path, '-c', 'import sys, venv; print("%d.%d" % sys.version_info[:2])'],
        capture_output=True,
        text=True,
        check=False,
    )
    return asked.stdout.strip() == version


def _environment(version: str, python: str) -> Path:
    folder = _HERE / f'.venv-{version}'
    inside = folder / 'bin' / 'python'
    if not inside.exists():
        _uv('venv', '--quiet', '--python', python, str(folder))
    _uv('pip', 'install', '--quiet', '--python', str(inside), '--require-hashes', '-r', 'requirements.lock')
    _uv('pip', 'install', '--quiet', '--python', str(inside), '--no-deps', '--no-build-isolation', '--editable', '.')
    return inside


def _uv(*arguments: str) -> None:
    subprocess.run([_UV, *arguments], cwd=_HERE, check=True)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
