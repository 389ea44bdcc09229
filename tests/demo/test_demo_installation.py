"""Environments of MCP servers are made once per lock, and what cannot be made says why."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from demo import installation
from demo.installation import CannotInstall


@pytest.fixture
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of locks of its own, beside environments of its own."""
    folder = tmp_path / 'locks'
    folder.mkdir()
    monkeypatch.setattr('demo.installation._LOCKS', folder)
    monkeypatch.setattr('demo.installation._ENVIRONMENTS', tmp_path / 'environments')
    return folder


def test_an_environment_is_kept_until_its_lock_changes(locks: Path) -> None:
    (locks / 'small.lock').write_text('# nothing\n')
    python = installation.python_environment('small')
    assert python.exists()
    mark = python.parent / 'mark'
    mark.touch()

    installation.python_environment('small')
    assert mark.exists()

    (locks / 'small.lock').write_text('# nothing at all\n')
    installation.python_environment('small')
    assert not mark.exists()


def test_an_installation_that_failed_is_tried_again(locks: Path) -> None:
    (locks / 'broken.lock').write_text('--no-such-option\n')
    with pytest.raises(installation.CannotInstall, match=r'^uv pip failed: ') as failed:
        installation.python_environment('broken')
    assert not failed.value.needs_node

    (locks / 'broken.lock').write_text('# nothing\n')
    assert installation.python_environment('broken').exists()


def test_servers_that_share_an_environment_try_once_to_install_it(
    locks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / 'programs'
    programs.mkdir()
    for name in ('node', 'npm'):
        (programs / name).write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/{name}.log\necho no network >&2\nexit 1\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv('PATH', f'{programs}:/bin:/usr/bin')
    (locks / 'package.json').write_text('{}')
    (locks / 'package-lock.json').write_text('{}')
    for _ in ('filesystem', 'memory', 'everything'):
        with pytest.raises(installation.CannotInstall, match=r'^npm ci failed: no network$'):
            installation.node_modules()
    assert len((tmp_path / 'npm.log').read_text().splitlines()) == 1


def test_a_machine_without_node_is_told_apart(locks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (locks / 'package-lock.json').write_text('{}')
    monkeypatch.setenv('PATH', str(locks))
    with pytest.raises(installation.CannotInstall) as failed:
        installation.node_modules()
    assert failed.value == snapshot(CannotInstall(reason='node is not on the PATH', needs_node=True))
