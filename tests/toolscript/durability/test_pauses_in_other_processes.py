"""A paused script continues wherever its request, the history and the key are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

PROGRAM = Path(__file__).with_name('office_process.py')


def in_a_process(given: object, key: str | None = 'one key of the tests') -> subprocess.CompletedProcess[str]:
    """One run in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if name != 'TOOLSCRIPT_SNAPSHOT_KEY'}
    environment |= {} if key is None else {'TOOLSCRIPT_SNAPSHOT_KEY': key}
    return subprocess.run(
        [sys.executable, '-W', 'ignore::ResourceWarning', str(PROGRAM)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        env=environment,
        timeout=500,
    )


@pytest.fixture(scope='module')
def first() -> dict[str, Any]:
    """What the first process left."""
    done = in_a_process({})
    assert (done.returncode, done.stderr) == (0, '')
    return json.loads(done.stdout)


def test_a_second_process_goes_on_where_the_first_stopped(first: dict[str, Any]) -> None:
    done = in_a_process(first)
    assert (done.returncode, done.stderr) == (0, '')
    second = json.loads(done.stdout)
    assert (sorted(first['log']), sorted(second['log']), json.loads(second['output'])) == snapshot(
        (
            ['lookup Ada', 'lookup Bob'],
            ['send 0', 'send 1'],
            ['ada@example.com', '0 to ada@example.com', '1 to ada@example.com', 'bob@example.com'],
        )
    )


def test_another_key_is_refused_and_nothing_runs(first: dict[str, Any]) -> None:
    done = in_a_process(first, key='another key')
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == snapshot(
        'pydantic_ai.exceptions.UserError: The snapshot of a paused script is invalid: it was changed, belongs to another call or conversation, or was signed with another key. Nothing was run. Every process needs the same TOOLSCRIPT_SNAPSHOT_KEY. If the history has lost its conversation_id, pass it to the run.'
    )


def test_without_a_key_a_process_warns_once() -> None:
    begun = in_a_process({}, key=None)
    assert begun.stderr.count('SnapshotKeyWarning') == 1
