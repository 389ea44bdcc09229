"""Imports only point down, and this is how we know."""

import subprocess
import sys

import pytest


def test_signatures_stand_on_neither_an_agent_nor_a_sandbox() -> None:
    loaded = _modules_after_importing('toolscript_signatures')
    assert loaded.isdisjoint({'toolscript', 'toolscript_sandbox', 'pydantic_ai', 'pydantic_monty'})


def test_the_sandbox_stands_on_neither_an_agent_nor_signatures() -> None:
    loaded = _modules_after_importing('toolscript_sandbox')
    assert loaded.isdisjoint({'toolscript', 'toolscript_signatures', 'pydantic_ai'})


@pytest.mark.parametrize('package', ['toolscript_signatures', 'toolscript_sandbox', 'toolscript'])
def test_every_module_can_be_the_first_one_imported(package: str) -> None:
    _in_a_fresh_interpreter(_IMPORT_EACH_ALONE, package)


def _modules_after_importing(package: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded once it imported every module of the package."""
    return set(_in_a_fresh_interpreter(_IMPORT_ALL, package).split())


_IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):
    if not module.name.endswith('.__main__'):
        importlib.import_module(module.name)
print(*{name.partition('.')[0] for name in sys.modules})
"""

# Forgets the package, not its dependencies, between two imports: a cycle shows itself and the test stays quick.
_IMPORT_EACH_ALONE = """
import importlib, pkgutil, sys
root = sys.argv[1]
package = importlib.import_module(root)
for module in pkgutil.walk_packages(package.__path__, root + '.'):
    if not module.name.endswith('.__main__'):
        for name in [name for name in sys.modules if name.split('.')[0] == root]:
            del sys.modules[name]
        importlib.import_module(module.name)
"""


def _in_a_fresh_interpreter(code: str, package: str) -> str:
    done = subprocess.run([sys.executable, '-c', code, package], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
