"""What a script kept is there though its process died, once; what it found is found again when it continues."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.toolscript.sessions.offices import SAVE

PROGRAM = Path(__file__).with_name('kept_process.py')
SAVES = (
    f'{SAVE}\nawait note("saved")\nawait die()\nawait save_function(top_customers, "Another sentence.", replace=True)'
)
USES = "first = await top_customers('NO', 1)\nawait note('used')\nawait die()\n[first, await top_customers('NO', 1)]"


def test_what_a_script_kept_and_found_outlives_its_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(tmp_path), SAVES, f'{USES}  # lost'],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    said, used = done.stdout.splitlines()
    assert said == 'top_customers is saved, version 2.'
    assert json.loads(used) == [[['ann', 7, 'EUR']], [['ann', 7, 'EUR']]]
    assert (tmp_path / 'ledger').read_text() == 'saved\nused\n'
