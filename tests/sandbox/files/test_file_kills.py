"""A script whose process dies between or during writes continues from its state, and writes nothing twice."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.sandbox.outcomes import completed
from tests.sandbox.processes import run_program
from tests.sandbox.tables import table
from toolscript_sandbox import Call, Folder, HostFiles, Sandbox

CODE = """
def safely(action):
    try:
        return action()
    except RuntimeError as error:
        unknown.append(str(error).partition(':')[0])
unknown = []
from pathlib import Path
folder = Path('/out/folder')
safely(lambda: folder.mkdir())
whole = folder / 'whole.txt'
whole.write_text('whole')
log = open(folder / 'log.txt', 'w')
safely(lambda: log.write('one\\n'))
n = await number()
safely(lambda: log.write(f'two {n}\\n'))
log.close()
safely(lambda: (folder / 'log.txt').rename(folder / 'moved.txt'))
unknown, sorted(p.name for p in folder.iterdir()), [p.read_text() for p in sorted(folder.iterdir())]
"""


NUMBER = table('async def number() -> int: ...')


async def dispatch(call: Call) -> Any:
    return 7


@dataclass
class Life:
    """Stores each state of a script, and the content of the disk at that moment."""

    root: Path
    states: list[tuple[bytes, Path]] = field(default_factory=list[tuple[bytes, Path]])

    async def kept(self, state: bytes, _: object) -> None:
        """Called before each change."""
        disk = self.root / f'disk {len(self.states)}'
        shutil.copytree(self.root / 'out', disk)
        self.states.append((state, disk))


async def gone_on(state: bytes, disk: Path, sandbox: Sandbox) -> Any:
    copy = disk.with_name(f'{disk.name} continued')
    shutil.copytree(disk, copy)
    files = HostFiles({'/out': Folder(copy, writable=True)})
    async with sandbox.session(files=files) as session:
        outcome = completed(await session.resume(state, NUMBER, dispatch))
    shutil.rmtree(copy)
    return outcome.value


async def test_a_killed_script_continues_and_writes_nothing_twice(tmp_path: Path) -> None:
    (tmp_path / 'out').mkdir()
    life, files = Life(tmp_path), HostFiles({'/out': Folder(tmp_path / 'out', writable=True)})
    async with Sandbox() as sandbox:
        async with sandbox.session(files=files) as session:
            outcome = completed(await session.run(CODE, NUMBER, dispatch, checkpoint=life.kept))
        done = [['moved.txt', 'whole.txt'], ['one\ntwo 7\n', 'whole']]
        assert outcome.value == [[], *done]
        disks: Sequence[Path] = [*(disk for _, disk in life.states[1:]), tmp_path / 'out']
        for (state, before), after in zip(life.states, disks, strict=True):
            # It died before or after the change.
            assert await gone_on(state, before, sandbox) == [[], *done]
            assert await gone_on(state, after, sandbox) == [[], *done]
        (state, _), between = life.states[3], tmp_path / 'between'
        shutil.copytree(disks[3], between)
        (between / 'folder' / 'log.txt').write_text('on')
        # It died during the write, or other processes write too: then the script gets an error, and nothing is guessed.
        unknown, names, texts = await gone_on(state, between, sandbox)
    assert (unknown, names, texts) == (['UnknownOutcome'], done[0], ['ontwo 7\n', 'whole'])


DIES = """
import asyncio, resource, signal, sys
from pathlib import Path, PurePosixPath
from tests.sandbox.tables import NOTHING
from toolscript_sandbox import Folder, HostFiles, Sandbox
what, code, state, folder = sys.argv[1:]
files = HostFiles({'/out': Folder(folder, writable=True)})

def limited():
    # The system kills anyone who writes more than this to one file, in the middle of the write.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, resource.RLIM_INFINITY))

async def kept(dump, ended):
    Path(state).write_bytes(dump)
    limited()

async def run():
    async with Sandbox() as sandbox, sandbox.session(files=files) as session:
        print(await session.run(code, NOTHING, None, checkpoint=kept))

if what == 'script':
    asyncio.run(run())
else:
    limited()
    files.put(PurePosixPath('/out/new'), b'n' * 2_000_000)
"""


def died(what: str, code: str, root: Path) -> None:
    """A process that the system kills during a write."""
    (root / 'out').mkdir(exist_ok=True)
    assert run_program(DIES, what, code, root / 'state', root / 'out').returncode == -signal.SIGXFSZ


async def test_a_script_killed_during_a_write_completes_the_file(tmp_path: Path) -> None:
    code = "from pathlib import Path\nPath('/out/big').write_text('x' * 2_000_000)"
    died('script', code, tmp_path)
    assert 0 < (tmp_path / 'out' / 'big').stat().st_size < 2_000_000
    files = HostFiles({'/out': Folder(tmp_path / 'out', writable=True)})
    async with Sandbox() as sandbox, sandbox.session(files=files) as session:
        completed(await session.resume((tmp_path / 'state').read_bytes(), NUMBER, dispatch))
    assert (tmp_path / 'out' / 'big').read_text() == 'x' * 2_000_000


def test_a_write_by_the_host_is_atomic_when_its_process_is_killed(tmp_path: Path) -> None:
    died('host', '', tmp_path)
    [part] = (tmp_path / 'out').iterdir()
    assert 0 < part.stat().st_size < 2_000_000
    files = HostFiles({'/out': Folder(tmp_path / 'out', writable=True, max_bytes=1_000, max_files=1)})
    # Scripts do not see the partial file, and it does not count for their quota.
    assert files.names(PurePosixPath('/out')) == []
    for name in (part.name, part.name.upper()):
        assert files.kind(PurePosixPath('/out', name)) == 'nothing'
        with pytest.raises(FileNotFoundError):
            files.write(PurePosixPath('/out', name), b'mine')
    files.put(PurePosixPath('/out/new'), b'n' * 1_000)
    os.utime(part, (0, 0))
    with pytest.raises(OSError, match='Disk quota exceeded'):
        files.touch(PurePosixPath('/out/more'), exist_ok=True)
    assert [file.name for file in (tmp_path / 'out').iterdir()] == ['new']


def test_readers_of_a_replaced_file_read_all_of_it(tmp_path: Path) -> None:
    files, path, data = HostFiles({'/out': Folder(tmp_path, writable=True)}), PurePosixPath('/out/a'), b'x' * 200_000
    files.put(path, data)

    def puts() -> None:
        for _ in range(40):
            files.put(path, data)

    writer = threading.Thread(target=puts)
    writer.start()
    seen = {files.read(path) == data}
    while writer.is_alive():
        seen.add(files.read(path) == data)
    assert seen == {True}
    assert [file.name for file in tmp_path.iterdir()] == ['a']


def test_a_failed_write_for_lack_of_space_changes_nothing(tmp_path: Path) -> None:
    files, path = HostFiles({'/out': Folder(tmp_path, writable=True, max_bytes=10)}), PurePosixPath('/out/a')
    files.put(path, b'short')
    with pytest.raises(OSError, match=r"Disk quota exceeded: '/out/a'"):
        files.put(path, b'too long for it')
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [('a', b'short')]
