"""Processes that are killed at a chosen moment and restarted. A lab forks them; a test starts the lab."""

import asyncio
import importlib
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any, ParamSpec

import pytest

from toolscript import ScriptLocked

P = ParamSpec('P')
MARKS = [pytest.mark.skipif(not hasattr(os, 'fork'), reason='lives are forks'), pytest.mark.timeout(600)]
_LOCKED = 75
"""The exit status of a life whose script is still locked by its predecessor: a store may notice a death late."""


def survives(live: Callable[P, Coroutine[Any, Any, object]], *arguments: P.args, **options: P.kwargs) -> bool:
    """Run a life in a fork of this process. Returns whether it ended by itself; otherwise it was killed."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        status, loaded = 1, {*sys.modules}
        try:
            asyncio.run(live(*arguments, **options))
            status = 0
        except ScriptLocked:
            status = _LOCKED
        except BaseException:
            traceback.print_exc()
        finally:
            os.write(writes, ' '.join(sorted(sys.modules.keys() - loaded)).encode())
            sys.stderr.flush()
            os._exit(status)
    os.close(writes)
    with open(reads) as pipe:
        # Import what one life imported, so that later forks have it already.
        for name in pipe.read().split():
            with suppress(ImportError):
                importlib.import_module(name)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == _LOCKED:
        time.sleep(0.02)
        return survives(live, *arguments, **options)
    assert status in {0, -signal.SIGKILL}, status
    return status == 0


def python(*arguments: object, given: str = '', **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in a separate process."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        input=given,
        capture_output=True,
        text=True,
        timeout=500,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path), **environment},
    )


def play(lab: ModuleType, *arguments: object, cases: Sequence[object] = (), **environment: str) -> list[dict[str, Any]]:
    """Return the lab's output for each case, run in a separate process. Without `cases`, its arguments define them."""
    done = python('-m', lab.__name__, *arguments, given=json.dumps(cases), **environment)
    assert done.returncode == 0, done.stderr
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    assert not cases or len(outcomes) == len(cases), done.stderr
    return outcomes
