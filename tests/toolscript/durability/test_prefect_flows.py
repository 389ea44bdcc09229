"""An agent in code mode inside a Prefect task: a task that is tried again continues where its script was.

Prefect is in no lock file of ours, and its server needs a FastAPI older than ours: to run these, install both into an
environment of their own (`uv pip install prefect 'fastapi<0.122'`, after `requirements.lock`).
"""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip('prefect', reason='Prefect is not installed')

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.long, pytest.mark.timeout(600)]

PROGRAM = Path(__file__).with_name('prefect_process.py')


def life(folder: Path, *blow: str) -> subprocess.CompletedProcess[str]:
    """Run one process with its own Prefect."""
    settings = {
        'PREFECT_HOME': str(folder / 'prefect'),
        'PREFECT_SERVER_ALLOW_EPHEMERAL_MODE': 'true',
        'PREFECT_SERVER_UI_ENABLED': 'false',
        'PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS': '200',
        'PREFECT_LOGGING_LEVEL': 'CRITICAL',
        'DO_NOT_TRACK': '1',
    }
    output, errors = folder / 'output', folder / 'errors'
    # The server survives the killed process, and would keep pipes open.
    with output.open('w') as out, errors.open('w') as err:
        process = subprocess.Popen(
            [sys.executable, '-W', 'ignore', str(PROGRAM), str(folder), *blow],
            stdout=out,
            stderr=err,
            start_new_session=True,
            env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path), **settings},
        )
        try:
            status = process.wait(300)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(process.args, status, output.read_text(), errors.read_text())


@pytest.fixture(autouse=True, scope='module')
def _server() -> None:
    """Return whether Prefect's server can start."""
    server = 'import prefect.server.api.concurrency_limits_v2, prefect.server.api.server'
    done = subprocess.run([sys.executable, '-W', 'ignore', '-c', server], capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip(f"Prefect's server cannot be imported here: {done.stderr.strip().splitlines()[-1]}")


def ledger(folder: Path) -> Counter[str]:
    """Return how often each call ran."""
    return Counter((folder / 'ledger').read_text().split())


def test_a_flow_that_restarts_after_a_kill_repeats_no_call(tmp_path: Path) -> None:
    assert life(tmp_path, 'kill').returncode == -signal.SIGKILL
    done = life(tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [0, 1, 'UnknownOutcome', 9, 16, 25]
    assert ledger(tmp_path) == Counter('012345')


def test_a_flow_that_is_tried_again_repeats_no_step_and_no_call(tmp_path: Path) -> None:
    done = life(tmp_path, 'steps')
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[0, 1, 4, 9, 16, 25, 'ValueError'], [36, 49, 64, 81, 100, 121]]
    assert ledger(tmp_path) == Counter(map(str, range(12)))


def test_an_agent_whose_steps_nothing_records_is_refused(tmp_path: Path) -> None:
    done = life(tmp_path, 'PrefectAgent')
    assert done.returncode == 0, done.stderr
    assert 'PrefectAgent of pydantic-ai record no steps' in json.loads(done.stdout)
    assert not (tmp_path / 'ledger').exists()
