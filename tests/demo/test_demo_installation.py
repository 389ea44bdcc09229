"""Environments of MCP servers are made once per lock, and what cannot be made says why."""

from pathlib import Path

import pytest

from demo import installation


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
