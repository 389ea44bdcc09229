"""A package exports exactly its public names."""

import ast
import importlib
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

import toolscript
import toolscript_sandbox

FRONT_DOORS = ['toolscript_signatures', 'toolscript_sandbox', 'toolscript', 'toolscript.history']


@pytest.mark.parametrize('name', FRONT_DOORS)
def test_the_public_names_of_a_package_are_its_all(name: str) -> None:
    package = importlib.import_module(name)
    assert _public_names(package) == set(package.__all__)


@pytest.mark.parametrize('name', FRONT_DOORS)
def test_no_name_is_exported_twice(name: str) -> None:
    exported = importlib.import_module(name).__all__
    assert len(exported) == len(set(exported))


def test_the_version_is_that_of_what_is_installed() -> None:
    assert toolscript.__version__ == version('toolscript')
    with pytest.raises(AttributeError, match="no attribute 'version'"):
        getattr(toolscript, 'version')  # noqa: B009


def _public_names(package: ModuleType) -> set[str]:
    """Return the names that a package binds, without underscored ones and imported submodules."""
    return {
        name
        for name in dir(package)
        if not name.startswith('_') and not _is_submodule(package, name, getattr(package, name))
    }


def _is_submodule(package: ModuleType, name: str, value: object) -> bool:
    return isinstance(value, ModuleType) and value.__name__ == f'{package.__name__}.{name}'


LATE_DOORS: list[ModuleType] = [toolscript, toolscript_sandbox]
"""Packages whose names are imported on first use."""


@pytest.mark.parametrize('package', LATE_DOORS)
def test_each_exported_name_is_the_same_in_its_module(package: ModuleType) -> None:
    """Return the names in the type-checking block beside the table of lazy imports."""
    text = Path(package.__file__ or '').read_text()
    block = next(node for node in ast.parse(text).body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    read = {alias.asname or alias.name: f'{"." * node.level}{node.module}' for node in imports for alias in node.names}
    assert read == package._HOME_OF


def test_importing_the_packages_loads_none_of_their_modules() -> None:
    code = 'import sys, toolscript, toolscript_sandbox; print([name for name in sys.modules if "toolscript" in name])'
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert done.stdout == "['toolscript', 'toolscript_sandbox']\n"


@pytest.mark.parametrize('package', LATE_DOORS)
def test_a_name_that_is_not_exported_raises(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'Sandbo'"):
        getattr(package, 'Sandbo')  # noqa: B009
