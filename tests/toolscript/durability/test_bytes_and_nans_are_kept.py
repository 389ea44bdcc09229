"""What tools left beside their results is kept whatever it is, also by a process that reads before it writes."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.pydantic_ai

PROGRAM = """
from math import nan
from pydantic_ai.tools import DeferredToolResults
from toolscript.approvals.decisions import Decisions
from toolscript.durability.journal import Finished, Line
from toolscript.durability.paused_script import PausedScript
from toolscript.durability.remembered import Memory, Remembered, Result
from toolscript.results.values import Returned

Memory.from_bytes(b'{}')
PausedScript.from_bytes(b'{"state": "_w==", "waits": true}')
Line.from_bytes(b'{"digest": "a", "entry": {"status": "started"}}')
Decisions.from_metadata({'toolscript_decisions': {'snapshot': '', 'results': {}, 'shown': {}}})

odd = {'seen': bytes([255]), 'share': nan}
result = Result(1, Returned(metadata=odd))
for kept in (
    PausedScript(b'', True, returned={1: Returned(metadata=odd)}),
    Memory(earlier={'d': [Remembered('t', 'd', result)]}),
    Line('d', Finished(result)),
):
    text = kept.to_bytes()
    assert b'"seen":"_w=="' in text and b'"share":NaN' in text, text
decisions = Decisions('', DeferredToolResults(metadata={'call': odd}), {})
assert '_w==' in repr(decisions.to_metadata())
"""


def test_what_tools_told_the_application_is_kept_though_no_text_has_it() -> None:
    # In a process of its own: what reads and writes is built once, when it is first needed.
    done = subprocess.run([sys.executable, '-c', PROGRAM], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, '')
