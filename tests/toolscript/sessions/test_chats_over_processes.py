"""Chats whose processes are killed: what scripts had set when they ended is there in the next process."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name('chat_process.py')

pytestmark = pytest.mark.timeout(600)


def life(folder: Path, die_at: int = 0) -> subprocess.CompletedProcess[str]:
    """One life of the process."""
    return subprocess.run(
        [sys.executable, str(PROGRAM), str(folder), str(die_at)],
        capture_output=True,
        text=True,
        timeout=500,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
    )


def test_a_chat_of_five_turns_goes_on_through_three_processes_that_are_killed(tmp_path: Path) -> None:
    for die_at in (3, 7):
        assert life(tmp_path, die_at).returncode == -signal.SIGKILL
    done = life(tmp_path)
    assert done.returncode == 0, done.stderr
    words = ['one', 'two', 'three', 'four']
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        [[user, *words, 'five'], [user, 'one', 'two', 'four'], 30, 6] for user in ('ann', 'bob')
    ]
    ledger = Counter((tmp_path / 'ledger').read_text().splitlines())
    assert set(ledger) == {f'{user} {word}' for user in ('ann', 'bob') for word in [*words, 'five']}
    assert sorted(count for count in ledger.values() if count > 1) == [2, 2]
    with closing(sqlite3.connect(tmp_path / 'variables.db')) as connection:
        texts = [text for (text,) in connection.execute('select text from toolscript_snapshots')]
    assert len(texts) == 4
    assert all(text.startswith('encrypted.') for text in texts)
