"""Processes with preloaded imports that are killed at a chosen moment and restarted.

A test starts the process of a lab, which forks the processes that are killed.
"""

import asyncio
import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.context import ForkServerContext
from typing import Any, ParamSpec, TypeVar

import pytest

from toolscript import ScriptLocked

P = ParamSpec('P')
T = TypeVar('T')
MARKS = [pytest.mark.skipif(not hasattr(os, 'fork'), reason='lives are forks'), pytest.mark.timeout(600)]
_LOCKED = 75
"""The exit status of a process whose script is still locked by its predecessor: a store may notice a death late."""


def survives(live: Callable[P, Coroutine[Any, Any, object]], *arguments: P.args, **options: P.kwargs) -> bool:
    """Run the function in a fork of this process. Returns whether it ended by itself; otherwise it was killed."""
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
        # Import the modules that one fork imported, so that later forks have them already.
        for name in pipe.read().split():
            with suppress(ImportError):
                importlib.import_module(name)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == _LOCKED:
        time.sleep(0.02)
        return survives(live, *arguments, **options)
    assert status in {0, -signal.SIGKILL}, status
    return status == 0


def forks() -> ForkServerContext:
    """Return a context that forks from a process with the agent loaded."""
    context = multiprocessing.get_context('forkserver')
    context.set_forkserver_preload(['tests.toolscript.preloaded'])
    return context


def in_a_fork(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """Return the function's result from another process."""
    with ProcessPoolExecutor(1, forks()) as pool:
        return pool.submit(function, *arguments, **options).result()


def python(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run this Python in a separate process."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=500,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
    )
