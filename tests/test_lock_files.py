"""The locks satisfy pyproject.toml, and name no package index."""

import re
import tomllib
from pathlib import Path

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


def test_declared_dependencies_are_locked() -> None:
    locked = _locked('requirements.lock')
    for requirement in (*_DEPENDENCIES, *_GROUPS):
        versions = locked[canonicalize_name(requirement.name)]
        assert all(version in requirement.specifier for version in versions), requirement


def test_the_lowest_lock_has_the_lowest_supported_versions() -> None:
    locked = _locked('requirements-lowest.lock')
    for requirement in _DEPENDENCIES:
        promised = next(Version(each.version) for each in requirement.specifier if each.operator == '>=')
        lowest = min(locked[canonicalize_name(requirement.name)])
        assert lowest.release[: len(promised.release)] == promised.release, requirement


def test_no_lock_names_a_host() -> None:
    named = re.compile(r'"resolved"|--(extra-)?index-url|--find-links|@ (https?|file):')
    assert [lock.name for lock in _LOCKS if named.search(lock.read_text())] == []


def _locked(name: str) -> dict[str, list[Version]]:
    pins = re.findall(r'^([\w.-]+)==([\w.!+]+)', (_REPOSITORY / name).read_text(), re.MULTILINE)
    versions: dict[str, list[Version]] = {}
    for package, version in pins:
        versions.setdefault(canonicalize_name(package), []).append(Version(version))
    return versions
