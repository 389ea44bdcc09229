"""What a package exports is what its front door shows, no more and no less."""

import importlib
from importlib.metadata import version
from types import ModuleType

import pytest

import toolscript

FRONT_DOORS = ['toolscript_signatures', 'toolscript_sandbox', 'toolscript', 'toolscript.reading']


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
        _ = toolscript.version


def _public_names(package: ModuleType) -> set[str]:
    """The names a package binds, without the underscored ones and the submodules that an import leaves behind."""
    return {
        name
        for name, value in vars(package).items()
        if not name.startswith('_') and not _is_submodule(package, name, value)
    }


def _is_submodule(package: ModuleType, name: str, value: object) -> bool:
    return isinstance(value, ModuleType) and value.__name__ == f'{package.__name__}.{name}'
