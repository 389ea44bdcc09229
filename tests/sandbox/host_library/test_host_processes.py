"""The processes of the host library: no call waits for another script's, and none survives its client."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.processes import cpu_seconds, is_alive, kill, stop, wait_until_gone
from toolscript_sandbox.contract.errors import Unavailable
from toolscript_sandbox.host_library import HostLibrary, HostLibraryError

pytestmark = pytest.mark.skipif(sys.platform != 'linux', reason='processes are read from /proc')

SLOW: tuple[str, list[Any], dict[str, Any]] = ('re.method', ['(a+)+$', 0, 'search', 'a' * 40 + 'b'], {})
"""Compute until the time or the processor time is used up."""


def _helpers(parent: int) -> set[int]:
    """Return the processes of one client that run the table."""
    found = set[int]()
    for folder in Path('/proc').iterdir():
        if folder.name.isdigit():
            try:
                command = (folder / 'cmdline').read_bytes()
                fields = (folder / 'stat').read_text().rpartition(')')[2].split()
            except OSError:
                continue
            if b'from host_library.helper' in command and int(fields[1]) == parent and fields[0] != 'Z':
                found.add(int(folder.name))
    return found


def _started_since(before: set[int]) -> set[int]:
    """Return the new processes of this client. Idle ones of earlier tests may end at any time."""
    return _helpers(os.getpid()) - before


async def _one_that_computes(others: set[int]) -> int:
    """Return the new process that has started and computes."""
    while not (found := [pid for pid in _started_since(others) if cpu_seconds(pid) > 0.3]):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    return found[0]


async def _mean(library: HostLibrary) -> Any:
    return await library.call('statistics.mean', [[1, 3]], {}, seconds=60)


async def test_the_first_call_starts_a_process_and_later_ones_use_it_again() -> None:
    library, before = HostLibrary(), _helpers(os.getpid())
    assert _started_since(before) == set()
    await _mean(library)
    started = _started_since(before)
    for _ in range(20):
        assert await _mean(library) == 2
    assert _started_since(before) == started
    assert len(started) == 1
    await library.close()
    assert _started_since(before) == set()


async def test_the_local_time_zone_is_utc_wherever_the_host_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TZ', 'Europe/Oslo')
    library = HostLibrary()
    with pytest.raises(HostLibraryError, match="time data '2026 CET' does not match"):
        await library.call('datetime.datetime.strptime', ['2026 CET', '%Y %Z'], {}, seconds=60)
    await library.close()


async def test_a_fast_call_does_not_wait_for_a_slow_one() -> None:
    library, before = HostLibrary(), _helpers(os.getpid())
    await _mean(library)
    # A stopped process does not answer.
    stop(*_started_since(before))
    slow = asyncio.create_task(_mean(library))
    await asyncio.sleep(0)
    assert await _mean(library) == 2
    assert not slow.done()
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    await library.close()


async def test_calls_wait_in_turn_when_all_processes_are_busy() -> None:
    library, before = HostLibrary(max_processes=2, idle_seconds=3600), _helpers(os.getpid())
    assert await asyncio.gather(*[_mean(library) for _ in range(20)]) == [2] * 20
    helpers = _started_since(before)
    assert len(helpers) == 2
    for helper in helpers:
        stop(helper)
    slow = [asyncio.create_task(_mean(library)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(HostLibraryError, match=r'statistics\.mean waited too long for the calls of other scripts'):
        await library.call('statistics.mean', [[1]], {}, seconds=0.05)
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)
    await library.close()
    wait_until_gone(*helpers)


async def test_a_timeout_a_cancellation_or_a_kill_costs_only_one_process() -> None:
    library, before = HostLibrary(), _helpers(os.getpid())
    name, args, kwargs = SLOW
    with pytest.raises(HostLibraryError, match='took too long'):
        await library.call(name, args, kwargs, seconds=0.2)
    task = asyncio.create_task(library.call(name, args, kwargs, seconds=60))
    seen = await _one_that_computes(before)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    task = asyncio.create_task(library.call(name, args, kwargs, seconds=60))
    kill(await _one_that_computes({*before, seen}))
    with pytest.raises(HostLibraryError, match='ended its process, most likely for lack of memory'):
        await task
    wait_until_gone(seen)
    assert await _mean(library) == 2
    kill(*_started_since(before))
    assert await _mean(library) == 2
    await library.close()
    assert _started_since(before) == set()


def test_one_library_serves_several_loops_and_threads() -> None:
    library, before = HostLibrary(), _helpers(os.getpid())
    found = list[Any]()

    def work() -> None:
        for _ in range(3):
            found.append(asyncio.run(_mean(library)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2] * 12
    asyncio.run(library.close())
    assert _started_since(before) == set()


def test_loops_that_cannot_watch_pipes_use_threads() -> None:
    class Loop(asyncio.SelectorEventLoop):
        """An event loop like that of Windows."""

        def add_reader(self, fd: Any, callback: Any, *args: Any) -> None:
            raise NotImplementedError

    async def calls() -> list[Any]:
        library = HostLibrary()
        name, args, kwargs = SLOW
        found = [await _mean(library), await library.call('urllib.parse.quote', ['<' * 100_000], {}, seconds=60)]
        with pytest.raises(HostLibraryError, match='took too long'):
            await library.call(name, args, kwargs, seconds=0.2)
        await library.close()
        return found

    with asyncio.Runner(loop_factory=Loop) as runner:
        assert runner.run(calls()) == [2, '%3C' * 100_000]


_CLIENT = """
import asyncio, os, sys, time
from toolscript_sandbox.host_library import HostLibrary
async def main():
    library = HostLibrary()
    await library.call('statistics.mean', [[1, 3]], {}, seconds=60)
    MORE
asyncio.run(main())
"""


@contextmanager
def _client(more: str) -> Generator[subprocess.Popen[str]]:
    """Run a program that uses the library; it ends with the block, even after an error."""
    command = [sys.executable, '-c', _CLIENT.replace('MORE', more)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as client:
        try:
            yield client
        finally:
            client.kill()


def _line(client: subprocess.Popen[str]) -> str:
    assert client.stdout is not None
    return client.stdout.readline().strip()


@pytest.mark.parametrize(
    ('more', 'computes'), [('time.sleep(500)', False), (f'await library.call(*{SLOW}, seconds=2)', True)]
)
def test_the_process_ends_when_its_client_is_killed(more: str, computes: bool) -> None:
    with _client(f'print(1, flush=True); sys.stdin.readline(); {more}') as client:
        _line(client)
        (helper,) = _helpers(client.pid)
        before = cpu_seconds(helper)
        assert client.stdin is not None
        print(file=client.stdin, flush=True)
        while computes and is_alive(helper) and cpu_seconds(helper) < before + 0.1:
            time.sleep(0.001)
        client.kill()
        wait_until_gone(helper)


def test_a_client_that_does_not_close_its_library_ends_quietly_and_leaves_no_process() -> None:
    with _client('print(*[1], flush=True)') as client:
        _, errors = client.communicate(timeout=200)
    assert (client.returncode, errors) == (0, '')


def test_a_forked_child_uses_its_own_process() -> None:
    more = (
        '\n    if not os.fork():\n        library = library'
        "\n        os.write(1, b'%d\\n' % os.getpid())\n        time.sleep(500)\n        os._exit(0)"
        "\n    mean = await library.call('statistics.mean', [[2, 4]], {}, seconds=60)"
        "\n    os.write(1, b'%d\\n' % mean)\n    time.sleep(500)"
    )
    with _client(more) as client:
        lines = {_line(client), _line(client)}
        assert '3' in lines
        child = int(max(lines, key=len))
        helpers = _helpers(client.pid)
        client.kill()
        assert helpers
        try:
            wait_until_gone(*helpers)
            assert is_alive(child)
        finally:
            os.kill(child, signal.SIGKILL)


async def test_a_python_that_cannot_be_started_is_an_error_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, 'executable', '/nowhere/python')
    library = HostLibrary()
    with pytest.raises(Unavailable, match="the host library cannot start '/nowhere/python'"):
        await _mean(library)
    monkeypatch.undo()
    assert await _mean(library) == 2
    await library.close()
