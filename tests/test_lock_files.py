"""The locks satisfy pyproject.toml, and name no package index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

_REPOSITORY = Path(__file__).parent.parent
_PROJECT = tomllib.loads((_REPOSITORY / 'pyproject.toml').read_text())
_DEPENDENCIES = [Requirement(text) for text in _PROJECT['project']['dependencies']]
_GROUPS = [
    Requirement(text) for group in _PROJECT['dependency-groups'].values() for text in group if isinstance(text, str)
]
_LOCKS = [*_REPOSITORY.glob('requirements*.lock'), *(_REPOSITORY / 'demo' / 'locks').glob('*lock*')]


@pytest.mark.parametrize('requirement', [*_DEPENDENCIES, *_GROUPS], ids=str)
def test_declared_dependencies_are_locked(requirement: Requirement) -> None:
    versions = _locked('requirements.lock').get(canonicalize_name(requirement.name), [])
    assert versions
    assert all(version in requirement.specifier for version in versions)


@pytest.mark.parametrize('requirement', _DEPENDENCIES, ids=str)
def test_the_lowest_lock_has_the_lowest_supported_versions(requirement: Requirement) -> None:
    promised = next(Version(each.version) for each in requirement.specifier if each.operator == '>=')
    lowest = min(_locked('requirements-lowest.lock')[canonicalize_name(requirement.name)])
    assert lowest.release[: len(promised.release)] == promised.release


@pytest.mark.parametrize('lock', _LOCKS, ids=lambda lock: lock.name)
def test_no_lock_names_a_host(lock: Path) -> None:
    text = lock.read_text()
    assert not re.search(r'"resolved"|--(extra-)?index-url|--find-links|@ (https?|file):', text)


def _locked(name: str) -> dict[str, list[Version]]:
    pins = re.findall(r'^([\w.-]+)==([\w.!+]+)', (_REPOSITORY / name).read_text(), re.MULTILINE)
    versions: dict[str, list[Version]] = {}
    for package, version in pins:
        versions.setdefault(canonicalize_name(package), []).append(Version(version))
    return versions
