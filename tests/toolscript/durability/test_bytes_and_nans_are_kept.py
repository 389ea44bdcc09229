"""What tools left beside their results is kept whatever it is, also by a process that reads before it writes."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.pydantic_ai

PROGRAM = """
from math import nan
from pydantic_ai.tools import DeferredToolResults
from toolscript.approvals.decisions import Decisions
from toolscript.durability.call_cache import CallCache
from toolscript.durability.journal import CallEntry, Finished
from toolscript.durability.script_state import ScriptState
from toolscript.results.values import ReturnExtras

CallCache.from_bytes(b'{}')
ScriptState.from_bytes(b'{"code": "", "execution": "_w==", "waits": true}')
CallEntry.from_bytes(b'{"digest": "a", "outcome": {"status": "started"}}')
Decisions.from_metadata({'toolscript_decisions': {'snapshot': '', 'results': {}, 'shown': {}}})

odd = {'seen': bytes([255]), 'share': nan}
entry = CallEntry('d', Finished(1, ReturnExtras(metadata=odd)))
for kept in (ScriptState('', execution=b'', waits=True, ended={1: entry}), CallCache(earlier={'d': [entry]}), entry):
    text = kept.to_bytes()
    assert b'"seen":"_w=="' in text and b'"share":NaN' in text, text
decisions = Decisions('', DeferredToolResults(metadata={'call': odd}), {})
assert '_w==' in repr(decisions.to_metadata())
"""


def test_metadata_of_tools_is_kept_though_no_text_has_it() -> None:
    # In a process of its own: what reads and writes is built once, when it is first needed.
    done = subprocess.run([sys.executable, '-c', PROGRAM], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, '')
