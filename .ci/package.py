"""Build the package as it is released, install it as users do, and run the README's first example there.

`make package`: with pip and with uv, the newest and the oldest versions that are supported.
"""

import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
EXAMPLE = """
import sys
import toolscript.search
names = {'__name__': 'example'}
exec(sys.argv[1], names)
assert names['result'].output == '75.0', names['result'].output
def store(): from toolscript.postgres import PostgresStore
for extra, wants in {
    'bm25': lambda: toolscript.search.build_index('bm25', []),
    'postgres': store,
}.items():
    try:
        wants()
    except ImportError as error:
        assert f'toolscript[{extra}]' in str(error), error
    else:
        raise AssertionError(f'what {extra} needs is there, which nothing asked for')
print(f'toolscript {toolscript.__version__} runs the example')
"""


def main() -> None:
    """Build, check, install, run."""
    with tempfile.TemporaryDirectory(prefix='package-') as name:
        folder = Path(name)
        wheel = built(folder)
        installed_with_uv(wheel, folder / 'with-uv')
        installed_with_pip(wheel, folder / 'with-pip')
        installed_with_uv(wheel, folder / 'oldest', '--resolution', 'lowest-direct')


def built(folder: Path) -> Path:
    """The wheel, made from the source distribution."""
    _run([BIN / 'uv', 'build', '--quiet', '--sdist', '--out-dir', folder, ROOT])
    (source,) = folder.glob('*.tar.gz')
    with tarfile.open(source) as archive:
        unwanted = [name for name in archive.getnames() if re.search(r'\.lock$|/\.(venv|servers|site)|\.pyc$', name)]
    if unwanted:
        sys.exit(f'The source distribution holds what it should not: {unwanted[:5]}')
    _run([BIN / 'uv', 'build', '--quiet', '--wheel', '--out-dir', folder, source])
    (wheel,) = folder.glob('*.whl')
    _run([BIN / 'twine', 'check', '--strict', source, wheel])
    return wheel


def installed_with_uv(wheel: Path, environment: Path, *options: str) -> None:
    """In an environment of its own, which runs the example."""
    _run([BIN / 'uv', 'venv', '--quiet', '--python', sys.executable, environment])
    python = environment / 'bin' / 'python'
    _run([BIN / 'uv', 'pip', 'install', '--quiet', '--python', python, *options, f'{wheel}[anthropic,mcp]'])
    _run_example(python)


def installed_with_pip(wheel: Path, environment: Path) -> None:
    """In an environment of its own, which runs the example."""
    _run([sys.executable, '-m', 'venv', environment])
    python = environment / 'bin' / 'python'
    _run([python, '-m', 'pip', 'install', '--quiet', f'{wheel}[anthropic,mcp]'])
    _run_example(python)


def _run_example(python: Path) -> None:
    readme = (ROOT / 'README.md').read_text()
    example = re.findall(r'```python\n(.*?)```', readme, re.DOTALL)[0]
    _run(['env', '-i', python, '-I', '-c', EXAMPLE, example])


def _run(command: Sequence[str | Path]) -> None:
    ended = subprocess.run(command, cwd=tempfile.gettempdir(), check=False)
    if ended.returncode:
        sys.exit(f'failed: {" ".join(map(str, command))[:200]}')


if __name__ == '__main__':
    main()
