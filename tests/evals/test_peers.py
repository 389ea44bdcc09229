"""Other code modes run in an environment of their own, and where there is none, the report says why."""

import socket
from pathlib import Path

import pytest

from demo import installation
from evals.peers import PEER_ROUTES, compare_peers

HARNESS = Path(__file__).parents[2] / '.servers' / 'harness' / 'installed-from'


@pytest.mark.skipif(not HARNESS.is_file(), reason='needs the environment that `make evals` sets up')
def test_peers_do_the_same_tasks_beside_our_routes() -> None:
    runs, (note,) = compare_peers(['shop-order-customer'], 1, lambda said: None)
    assert [(run.route, run.ok) for run in runs] == [(route, True) for route in PEER_ROUTES]
    by_route = {run.route: run for run in runs}
    assert by_route['harness CodeMode'].nested_calls == by_route['code'].nested_calls == 2
    assert 'pydantic-ai-harness' in note


def test_a_registry_out_of_reach_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as nobody:
        nobody.bind(('127.0.0.1', 0))
        # Bound and not listening: connections are refused at once.
        monkeypatch.setenv('UV_DEFAULT_INDEX', f'http://127.0.0.1:{nobody.getsockname()[1]}/simple')
        monkeypatch.setenv('UV_INDEX_URL', f'http://127.0.0.1:{nobody.getsockname()[1]}/simple')
        monkeypatch.setenv('UV_HTTP_RETRIES', '0')
        monkeypatch.setenv('UV_CACHE_DIR', str(tmp_path / 'cache'))
        monkeypatch.setattr(installation, '_ENVIRONMENTS', tmp_path / 'servers')
        runs, (note,) = compare_peers(None, 1, lambda said: None)
    assert runs == []
    assert note.startswith('Without peers: pydantic-ai-harness cannot be installed here. uv pip failed: ')
    assert '\n' not in note
