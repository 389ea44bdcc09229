"""Check by the types that the source uses only what Windows and macOS have: `python .ci/portable.py`.

Only files that import a module whose types depend on the platform can differ there; `make check` checks the rest.
"""

import ast
import subprocess
import sys
from pathlib import Path

import basedpyright

STUBS = Path(basedpyright.__file__).parent / 'dist' / 'typeshed-fallback' / 'stdlib'
FOLDERS = ('src', 'sandbox', 'signatures', 'demo')
MENTIONED = {'Windows': ('win32',), 'Darwin': ('linux', 'darwin')}
"""Platforms, and the names of platforms in types that differ between each of them and Linux."""


def modules(platform: str) -> set[str]:
    """The top modules of the standard library whose types depend on this platform."""
    found = set[str]()
    for stub in STUBS.rglob('*.pyi'):
        text = stub.read_text()
        if 'sys.platform' in text and any(f"'{name}'" in text or f'"{name}"' in text for name in MENTIONED[platform]):
            found.add(stub.relative_to(STUBS).parts[0].removesuffix('.pyi'))
    return found


def imported(path: Path) -> set[str]:
    """The top modules that the file imports."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition('.')[0] for name in names}


def main() -> int:
    """Check each platform. Returns 1 if a file uses what one of them lacks."""
    imports = {path: imported(path) for folder in FOLDERS for path in sorted(Path(folder).rglob('*.py'))}
    failed = 0
    for platform in MENTIONED:
        differ = modules(platform)
        files = [path for path, names in imports.items() if names & differ]
        command = ['-p', '.ci/portable.json', '--pythonplatform', platform, *files]
        failed |= subprocess.run([sys.executable, '-m', 'basedpyright', *command]).returncode
    return failed


if __name__ == '__main__':
    sys.exit(main())
