"""Processes that tests start, watch in /proc and kill."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SOURCES = str(Path(__file__).parents[2] / 'sandbox')


def thread_states(pid: int) -> list[str]:
    """Return the states of the threads of a process; the first may end before the others."""
    while True:
        try:
            stats = [stat.read_text() for stat in Path(f'/proc/{pid}/task').glob('*/stat')]
        except OSError:
            continue
        return [stat.rpartition(')')[2].split()[0] for stat in stats]


def is_alive(pid: int) -> bool:
    """Return whether a thread of the process still runs."""
    return any(state not in 'ZX' for state in thread_states(pid))


def wait_until_gone(*pids: int) -> None:
    """Wait for the end of all these processes."""
    deadline = time.monotonic() + 300
    while alive := [pid for pid in pids if is_alive(pid)]:
        assert time.monotonic() < deadline, f'these processes do not end: {alive}'
        time.sleep(0.001)


def stop(pid: int) -> None:
    """Stop a process and wait until all threads have stopped: one receives the signal, and the others run until then."""
    os.kill(pid, signal.SIGSTOP)
    while set(thread_states(pid)) != {'T'}:
        time.sleep(0.001)


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process so far; 0 if it is gone."""
    try:
        fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def kill(*pids: int) -> None:
    """Kill processes and wait for their end."""
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    wait_until_gone(*pids)


def run_program(text: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a Python program that imports the sandbox from its source."""
    command = [sys.executable, '-c', text, *map(str, arguments)]
    environment = {**os.environ, 'PYTHONPATH': SOURCES}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=500, env=environment)
