"""What scripts kept and set is there though their processes died; what they found is found again when they continue."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.toolscript.sessions.offices import SAVE

PROGRAM = Path(__file__).with_name('kept_process.py')
SAVES = (
    f'{SAVE}\nseen = [1]\nawait note("saved")\nawait die()\nseen.append(2)\n'
    'await save_function(top_customers, "Another sentence.", replace=True)'
)
USES = """\
seen.append(3)
first = await top_customers('NO', 1)
await note('used')
await die()
[first, await top_customers('NO', 1), seen]"""


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
    assert json.loads(used) == [[['ann', 7, 'EUR']], [['ann', 7, 'EUR']], [1, 2, 3]]
    assert (tmp_path / 'ledger').read_text() == 'saved\nused\n'
    with closing(sqlite3.connect(tmp_path / 'variables.db')) as connection:
        texts = [text for (text,) in connection.execute('select text from toolscript_snapshots')]
    assert texts
    assert all(text.startswith('encrypted.') for text in texts)
