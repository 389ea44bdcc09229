"""A trial of a sabotage: the tests run in a separate process on a copy of the tree.

Starting Python and importing pydantic-ai takes longer than most of the tests, so the processes are forked from one that
has imported all foreign packages. The copies are needed because not only modules are read: guest modules, prompts and
programs started by tests are files.
"""

import multiprocessing
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from .mutant import REPOSITORY, Mutant

_SOURCES = ('src', 'sandbox', 'signatures')
_OURS = ('toolscript', 'tests', 'demo', 'evals', 'benchmarks')
_FOREIGN = [
    *('pytest', 'anyio.pytest_plugin', 'inline_snapshot.pytest_plugin', 'pytest_cov.plugin', 'xdist.plugin'),
    *('hypothesis', 'typer.testing', 'sqlite3', 'genai_prices.data'),
    *('pydantic_ai', 'pydantic_ai.models.function', 'pydantic_monty'),
]
_RED = 1
"""Pytest's exit code for failed tests. Anything higher means that they could not be run."""

_BROKEN = 99


class Copy:
    """A copy of the tree, in which sabotages are tried one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        listed = subprocess.run(
            ['git', 'ls-files', '--cached', '--others', '--exclude-standard'],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            check=True,
        )
        for name in listed.stdout.splitlines():
            if (REPOSITORY / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / name, folder / name)
        # Bytecode stays valid, since the copies have the times of their originals.
        for source in _SOURCES:
            for cache in (REPOSITORY / source).rglob('__pycache__'):
                shutil.copytree(cache, folder / cache.relative_to(REPOSITORY))
        for name in ('.servers', '.venv'):
            if (REPOSITORY / name).exists():
                (folder / name).symlink_to(REPOSITORY / name)

    def tests(self, tests: Sequence[str]) -> tuple[int, str]:
        """Run the tests and return pytest's exit code and output."""
        context = multiprocessing.get_context('forkserver')
        context.set_forkserver_preload(_FOREIGN)
        log = self.folder / '.log'
        process = context.Process(target=_run, args=(self.folder, log, [*tests]))
        process.start()
        process.join()
        return process.exitcode or 0, log.read_text(errors='replace')

    def trial(self, mutant: Mutant) -> str | None:
        """Return the problem: no test failed, or the tests could not run. `None` if a test failed, as it should."""
        path = self.folder / mutant.file
        original = path.read_text()
        path.write_text(mutant.apply(self.folder))
        try:
            ended, log = self.tests(mutant.tests)
        finally:
            path.write_text(original)
        if ended == _RED:
            return None
        return 'no test noticed' if ended == 0 else f'the tests ended with {ended}:\n{log[-2000:]}'


def _run(folder: Path, log: Path, tests: list[str]) -> None:
    """In a separate process: forget the real tree and run the tests of the copy."""
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(folder)
    for name in [name for name in sys.modules if name.partition('.')[0].startswith(_OURS)]:
        del sys.modules[name]
    ours = [str(folder), *(str(folder / source) for source in _SOURCES)]
    real = {str(REPOSITORY), '', *(str(REPOSITORY / source) for source in _SOURCES)}
    sys.path[:] = [*ours, *(entry for entry in sys.path if entry not in real)]
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    os.environ |= {
        'PYTHONPATH': os.pathsep.join(ours),
        'PYTHONDONTWRITEBYTECODE': '1',
        'TOOLSCRIPT_SHARED': os.environ.get('TOOLSCRIPT_SHARED', str(REPOSITORY.parent / 'shared')),
    }
    import pytest

    # Modules imported before the fork can no longer be rewritten, and need not be.
    options = [
        '-x',
        '-m',
        '',
        '-p',
        'no:cacheprovider',
        '-p',
        'no:xdist',
        '-W',
        'ignore::pytest.PytestAssertRewriteWarning',
    ]
    try:
        ended = int(pytest.main([*options, '--rootdir', str(folder), *tests]))
    except BaseException:
        # A process that ends with an exception exits with 1, as pytest does when a test fails.
        traceback.print_exc()
        ended = _BROKEN
    sys.exit(ended)
