"""A script whose process dies between two writes goes on from its state, and writes nothing twice."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from toolscript_sandbox import Call, Completed, Folder, Function, HostFiles, Sandbox

pytestmark = pytest.mark.anyio

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


class Numbers:
    """One function."""

    def get(self, name: str, /) -> Function | None:
        """It."""
        return Function(name, 'async def number() -> int: ...\n') if name == 'number' else None

    def hint(self, name: str, /) -> str | None:
        """Nothing to say."""


async def dispatch(call: Call) -> Any:
    return 7


@dataclass
class Life:
    """Keeps each state that a script was in, and what was on the disk then."""

    root: Path
    states: list[tuple[bytes, Path]] = field(default_factory=list[tuple[bytes, Path]])

    async def kept(self, state: bytes) -> None:
        """To be told before each change."""
        disk = self.root / f'disk {len(self.states)}'
        shutil.copytree(self.root / 'out', disk)
        self.states.append((state, disk))


async def gone_on(state: bytes, disk: Path, sandbox: Sandbox) -> Any:
    copy = disk.with_name(f'{disk.name} gone on')
    shutil.copytree(disk, copy)
    files = HostFiles({'/out': Folder(copy, writable=True)})
    async with sandbox.session(files=files) as session:
        outcome = await session.resume(state, Numbers(), dispatch)
    shutil.rmtree(copy)
    assert isinstance(outcome, Completed), outcome
    return outcome.value


async def test_a_killed_script_goes_on_and_writes_nothing_twice(tmp_path: Path) -> None:
    (tmp_path / 'out').mkdir()
    life, files = Life(tmp_path), HostFiles({'/out': Folder(tmp_path / 'out', writable=True)})
    async with Sandbox() as sandbox:
        async with sandbox.session(files=files) as session:
            outcome = await session.run(CODE, Numbers(), dispatch, checkpoint=life.kept)
        assert isinstance(outcome, Completed), outcome
        done = [['moved.txt', 'whole.txt'], ['one\ntwo 7\n', 'whole']]
        assert outcome.value == [[], *done]
        disks: Sequence[Path] = [*(disk for _, disk in life.states[1:]), tmp_path / 'out']
        for (state, before), after in zip(life.states, disks, strict=True):
            # It died before the change, or behind it.
            assert await gone_on(state, before, sandbox) == [[], *done]
            assert await gone_on(state, after, sandbox) == [[], *done]
        (state, _), between = life.states[3], tmp_path / 'between'
        shutil.copytree(disks[3], between)
        (between / 'folder' / 'log.txt').write_text('on')
        # It died in the middle of the write, or others write there too: then it is told, and nothing is done on a guess.
        unknown, names, texts = await gone_on(state, between, sandbox)
    assert (unknown, names, texts) == (['UnknownOutcome'], done[0], ['ontwo 7\n', 'whole'])
