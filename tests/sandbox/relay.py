"""A WebSocket server that gives each connection its own worker: a minimal remote sandbox."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import shutil
import struct
import sys
import threading
from pathlib import Path
from types import TracebackType

_GUID = b'258EAFA5-E914-47DA-95CA-C5AB0DC85B11'


class Relay:
    """A server that runs in its own thread until its block ends."""

    def __init__(self) -> None:
        self._writers = list[asyncio.StreamWriter]()
        self._workers = list[asyncio.subprocess.Process]()
        self._ready = threading.Event()
        self.tokens = list[str]()
        """The authorization header of each connection."""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._until_stopped()))

    @property
    def url(self) -> str:
        return f'ws://127.0.0.1:{self._port}'

    def __enter__(self) -> Relay:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def drop(self) -> None:
        self._loop.call_soon_threadsafe(self._drop)

    def _drop(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        for worker in self._workers:
            if worker.returncode is None:
                worker.kill()

    async def _until_stopped(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, '127.0.0.1', 0)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._end.wait()
        server.close()
        self._drop()
        for worker in self._workers:
            await worker.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        head = await reader.readuntil(b'\r\n\r\n')
        fields = dict(line.split(b': ', 1) for line in head.split(b'\r\n')[1:] if b': ' in line)
        self.tokens.extend(value.decode() for name, value in fields.items() if name.lower() == b'authorization')
        key = next(value for name, value in fields.items() if name.lower() == b'sec-websocket-key')
        accepted = base64.b64encode(hashlib.sha1(key + _GUID).digest())
        writer.write(
            b'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
            b'Sec-WebSocket-Accept: ' + accepted + b'\r\n\r\n'
        )
        worker = await asyncio.create_subprocess_exec(
            _monty(), 'subprocess', stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        self._workers.append(worker)
        outward = asyncio.create_task(_outward(worker, writer))
        try:
            await _inward(reader, worker)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            outward.cancel()
            if worker.returncode is None:
                worker.kill()
            writer.close()


async def _inward(reader: asyncio.StreamReader, worker: asyncio.subprocess.Process) -> None:
    assert worker.stdin is not None
    message = b''
    while True:
        first, second = await reader.readexactly(2)
        if first & 0x0F == 8:
            return
        size = second & 0x7F
        if size >= 126:
            size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), 'big')
        mask = await reader.readexactly(4)
        body = await reader.readexactly(size)
        message += bytes(byte ^ mask[place % 4] for place, byte in enumerate(body))
        if first & 0x80 and first & 0x0F in (0, 1, 2):
            worker.stdin.write(struct.pack('<I', len(message)) + message)
            message = b''


async def _outward(worker: asyncio.subprocess.Process, writer: asyncio.StreamWriter) -> None:
    assert worker.stdout is not None
    while True:
        try:
            (size,) = struct.unpack('<I', await worker.stdout.readexactly(4))
            body = await worker.stdout.readexactly(size)
        except asyncio.IncompleteReadError:
            return
        head = bytes([size]) if size < 126 else struct.pack('>BH', 126, size) if size < 65536 else b''
        writer.write(b'\x82' + (head or struct.pack('>BQ', 127, size)) + body)


def _monty() -> str:
    beside = Path(sys.executable).parent / 'monty'
    return str(beside) if beside.is_file() else shutil.which('monty') or 'monty'
