"""The client of the host library: `await library.call('statistics.mean', ([1, 2],), {}, seconds=1.0)`.

A process answers one request at a time, so scripts that call at the same time use different processes, up to a limit;
later calls reuse idle ones. The first call starts the first process. A process keeps no data of a script between calls.
A call that takes too long, or is cancelled, kills its process: nothing else interrupts C code.

A thread writes and reads the pipes, so that idle processes can serve any event loop.
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import IO, Any
from weakref import WeakSet
from zoneinfo import TZPATH, available_timezones

from toolscript_sandbox.contract.errors import Unavailable
from toolscript_sandbox.workers.slots import IdlePool, Slots

from .values import ValueTooLarge, dumped, loaded

MAX_SECONDS = 30.0
"""The time limit of one call, even if the script has more left. For processor time see `helper.MAX_CPU_SECONDS`."""
MAX_ARGUMENT_BYTES = 8 * 1024 * 1024
_START_SECONDS = 30.0
"""The time limit for the start of a process, in addition to that of its first call."""
_GRACE_SECONDS = 0.5
"""How long a process may take to end itself before it is killed."""
_CODE = f"""
import sys, types
package = sys.modules['host_library'] = types.ModuleType('host_library')
package.__path__ = [{str(Path(__file__).parent)!r}]
from host_library.helper import main
main()
"""
"""Imports only `helper` of this folder, without the packages above it."""


class HostLibraryError(Exception):
    """The exception that the script gets instead of a result."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f'{kind}: {message}')
        self.kind = kind
        """A builtin class: `TypeError` if it is not in the table, `TimeoutError` or `MemoryError` if over a limit."""
        self.message = message


class HostLibrary:
    """Functions of CPython's library, for any number of scripts, threads and event loops."""

    def __init__(self, *, max_processes: int = 4, idle_seconds: float = 30.0) -> None:
        """Use at most `max_processes` at a time. All but one of them end when idle for `idle_seconds`."""
        self._max_processes = max_processes
        self._idle_seconds = idle_seconds
        self._renew()

    async def call(self, name: object, args: Sequence[Any], kwargs: Mapping[str, Any], *, seconds: float) -> Any:
        """Call the function `name` of the table with plain values, within `seconds`, or `MAX_SECONDS` if that is less.

        Raises `HostLibraryError`, which describes the exception to raise in the script, and `Unavailable` if no
        process can be started.
        """
        if self._pid != os.getpid():
            self._renew()
        if not isinstance(name, str):
            raise HostLibraryError('TypeError', '_host__ takes the name of a function first')
        deadline = monotonic() + min(seconds, MAX_SECONDS)
        if name == 'zoneinfo.available_timezones':
            return await asyncio.to_thread(available_timezones)
        if name == 'zoneinfo.changes' and len(args) == 1:
            args = [args[0], _zone_file(str(args[0]))]
        try:
            turn = await self._slots.take(timeout=deadline - monotonic())
        except TimeoutError:
            raise HostLibraryError(
                'TimeoutError', f'{name} waited too long for the calls of other scripts; try again'
            ) from None
        helper: _Helper | None = None
        idle = self._idle
        try:
            helper = idle.take()
            if helper is None or not helper.is_alive:
                helper = _started()
            return await helper.answer(name, [*args], {**kwargs}, max(deadline - monotonic(), 0.001))
        except ValueTooLarge as error:
            raise HostLibraryError('MemoryError', f'{name}: {error}; pass less at once') from None
        except (TypeError, ValueError) as error:
            raise HostLibraryError('TypeError', f'{name} takes plain values only: {error}') from None
        finally:
            if helper is not None and helper.is_alive:
                # Was the library closed meanwhile?
                if idle is self._idle:
                    idle.put(helper)
                else:
                    helper.kill()
            self._slots.give_back(turn)

    async def close(self) -> None:
        """End the processes; busy ones end after their call. A later call starts new ones."""
        idle, self._idle = self._idle, IdlePool['_Helper'](1, self._idle_seconds)
        await idle.clear()

    def _renew(self) -> None:
        self._pid = os.getpid()
        self._slots = Slots(self._max_processes)
        self._idle = IdlePool['_Helper'](1, self._idle_seconds)


def _started() -> '_Helper':
    try:
        process = subprocess.Popen(
            [sys.executable, '-I', '-S', '-c', _CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={'TZ': 'UTC', **_NEEDED},
            cwd='/',
            bufsize=0,
        )
    except OSError as error:
        raise Unavailable(f'the host library cannot start {sys.executable!r}: {error}') from error
    return _Helper(process)


class _Helper:
    """One process, used by one call at a time."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._owner = os.getpid()
        self._process = process
        self._input, self._output = _open(process.stdin), _open(process.stdout)
        self._has_started = False
        self._is_killed = False
        _LIVE.add(self)

    @property
    def is_alive(self) -> bool:
        """Whether the process can take a call."""
        return not self._is_killed and self._process.poll() is None

    async def answer(self, name: str, args: list[Any], kwargs: dict[str, Any], seconds: float) -> Any:
        """Return the result of a call. Raises `HostLibraryError`, or the errors of `dumped` before anything is sent."""
        grace = _GRACE_SECONDS if self._has_started else _START_SECONDS
        timer = asyncio.get_running_loop().call_later(seconds + grace, self.kill)
        try:
            found = await asyncio.to_thread(self._exchange, [name, args, kwargs], seconds)
            self._has_started = True
        except BaseException as error:
            if not isinstance(error, (ValueTooLarge, TypeError, ValueError)):
                self.kill()
            raise
        finally:
            timer.cancel()
        match found:
            case ['value', value]:
                return value
            case ['raised', str(kind), str(message)]:
                raise HostLibraryError(kind, message)
            case _:
                is_late = self._is_killed
                await self.end()
        if is_late or -self._process.returncode in _TIMERS:
            raise HostLibraryError(
                'TimeoutError', f'{name.removesuffix(".method")} took too long: pass less, or a simpler pattern'
            )
        raise HostLibraryError('MemoryError', f'{name} ended its process, most likely for lack of memory')

    def kill(self) -> None:
        """Kill the process. Never raises."""
        if self._is_killed or self._owner != os.getpid():
            return
        self._is_killed = True
        self._process.kill()
        # The process ends within a moment, and has to be waited for. While the interpreter shuts down, starting a
        # thread raises or hangs.
        if not sys.is_finalizing():
            with suppress(RuntimeError):
                threading.Thread(target=self._process.wait, daemon=True).start()

    async def end(self) -> None:
        """Kill the process and wait until it has ended."""
        self.kill()
        # A thread of an executor could wait, but none starts once the interpreter shuts down.
        while self._process.poll() is None:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
        self._close()

    def abandon(self) -> None:
        """In a forked child, close the pipes, which would keep the parent's process waiting when the parent ends."""
        self._is_killed = True
        self._process.returncode = 0
        self._close()

    def __del__(self) -> None:
        if not self._is_killed and self._owner == os.getpid():
            self._process.kill()
            # Waiting lets other threads run, which hang or abort the process once the interpreter shuts down.
            if not sys.is_finalizing():
                self._process.wait()
        self._close()

    def _close(self) -> None:
        with suppress(OSError):
            self._input.close()
            self._output.close()

    def _exchange(self, call: list[Any], seconds: float) -> list[Any] | None:
        """Return the answer; None if the process ends."""
        request = dumped(call, MAX_ARGUMENT_BYTES)
        rest = memoryview(len(request).to_bytes(4, 'big') + f'{seconds:010.3f}'.encode() + request)
        answer = bytearray()
        with suppress(OSError):
            while rest:
                rest = rest[os.write(self._input.fileno(), rest) :]
            while not _is_whole(answer) and (part := os.read(self._output.fileno(), 1 << 20)):
                answer.extend(part)
        return loaded(bytes(answer[4:])) if _is_whole(answer) else None


def _is_whole(answer: bytearray) -> bool:
    return len(answer) >= 4 and len(answer) >= 4 + int.from_bytes(answer[:4], 'big')


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


# Windows cannot start Python without it.
_NEEDED = {name: os.environ[name] for name in ('SYSTEMROOT',) if name in os.environ}
_TIMERS = [int(getattr(signal, name)) for name in ('SIGALRM', 'SIGPROF') if hasattr(signal, name)]
_LIVE = WeakSet[_Helper]()


if sys.platform != 'win32':
    os.register_at_fork(after_in_child=lambda: [helper.abandon() for helper in list(_LIVE)])


@lru_cache(maxsize=256)
def _zone_file(key: str) -> bytes:
    """Return the data of a time zone, from the system or the package `tzdata`.

    Raises `HostLibraryError` (a `KeyError`) for an unknown one. A key has no dots, so it cannot leave the folder.
    """
    if _KEY.fullmatch(key):
        package = find_spec('tzdata')
        packaged = (package.submodule_search_locations if package else None) or ()
        for folder in [*TZPATH, *(f'{place}/zoneinfo' for place in packaged)]:
            with suppress(OSError):
                if (data := Path(folder, key).read_bytes()).startswith(b'TZif'):
                    return data
    raise HostLibraryError('KeyError', f'No time zone found with key {key}')


_KEY = re.compile(r'[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*')
