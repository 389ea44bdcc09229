"""Scripts of an agent read and write files in their folders."""

import asyncio
import json
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, BinaryContent, ModelMessagesTypeAdapter, UserError
from pydantic_ai.tools import DeferredToolRequests

from tests.toolscript.approvals.conversation import approve_all
from tests.toolscript.scripted import Script, functions_text, play, run_code
from tests.toolscript.sessions.chats import Chat
from toolscript import (
    CodeMode,
    CodeModeToolset,
    FileLimits,
    Files,
    Folder,
    FunctionToolset,
    MemoryStore,
    Scratch,
    Snapshots,
)

pytestmark = pytest.mark.pydantic_ai

EXAMPLE = """
import csv
from collections import Counter

totals = Counter()
with open('/data/sales.csv', newline='') as f:
    for row in csv.DictReader(f):
        totals[row['region']] += int(row['total'])
with open('/scratch/totals.csv', 'w', newline='') as f:
    csv.writer(f).writerows(totals.most_common())
await publish(title='Sales', table=open('/scratch/totals.csv').read())
"""


def publish(title: str, table: str) -> str:
    return f'{title}: {table}'


def tools(*functions: Any) -> FunctionToolset[Any]:
    return FunctionToolset[Any]([*(functions or (publish,))])


def found(folder: Path, pattern: str) -> list[Path]:
    return [*folder.glob(pattern)]


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    folder = tmp_path / 'reports'
    folder.mkdir()
    (folder / 'sales.csv').write_text('region,total\nnorth,10\nsouth,20\nnorth,5\n')
    return folder


async def test_the_example_of_the_docs(reports: Path, tmp_path: Path) -> None:
    code_mode = CodeModeToolset(tools(), files=Files({'/data': reports}, scratch=tmp_path / 'scratch'))
    script = await play(code_mode, run_code(EXAMPLE))
    assert script.answers == snapshot(['Sales: south,20\nnorth,15\n'])
    assert [file.read_text() for file in found(tmp_path, 'scratch/*/totals.csv')] == ['south,20\nnorth,15\n']


async def test_scripts_read_files_although_there_is_no_tool(reports: Path) -> None:
    code_mode = CodeModeToolset(FunctionToolset[object](), files=Files({'/data': reports}))
    script = await play(code_mode, run_code("len(open('/data/sales.csv').readlines())"))
    assert script.answers == [4]


async def test_a_store_that_saves_in_batches_has_the_state_before_a_file_changes(tmp_path: Path) -> None:
    seen = list[str]()

    class Batches(MemoryStore):
        async def save_all(self, texts: Mapping[str, str], /) -> None:
            seen.append(''.join(file.read_text() for file in found(tmp_path, '*/log')))
            self.texts.update(texts)

        async def load_all(self, keys: Sequence[str], /) -> Mapping[str, str]:
            return {key: self.texts[key] for key in keys if key in self.texts}

    snapshots = Snapshots(key='the key of the tests', store=Batches())
    code_mode = CodeModeToolset(tools(), files=Files(scratch=tmp_path), snapshots=snapshots)
    await play(code_mode, run_code("with open('log', 'a') as log:\n    log.write('x')"))
    assert seen[:2] == ['', '']


async def test_the_description_names_the_folders_and_is_unchanged_without_any(reports: Path, tmp_path: Path) -> None:
    (tmp_path / 'elsewhere').mkdir()
    letters = Folder(tmp_path / 'elsewhere', writable=True)
    files = Files({'/data': reports, '/letters': letters}, scratch=Scratch(tmp_path / 'scratch', max_bytes=2_000_000))
    plain = (await play(CodeModeToolset(tools()))).shown[0]['run_code'].description or ''
    given = (await play(CodeModeToolset(tools(), files=files))).shown[0]['run_code'].description or ''
    line = '- Files, with open, pathlib, os and csv: /data (read), /letters (read and write), /scratch (yours: read and write, 2 MB, stays for later turns).'
    assert given == plain.replace('like), no files, no network.', f'like), no network.\n{line}')
    assert 'no files' in plain


async def test_two_owners_share_no_scratch_folder(tmp_path: Path) -> None:
    files = Files(scratch=Scratch(tmp_path, owner=lambda ctx: ctx.deps))
    owners = ['ann', 'bob', '../ann', 'ann/', 'ANN', 'a' * 5_000, 'änn', 'conversation chat']
    chats = {owner: Chat(CodeModeToolset(tools(), files=files), conversation_id='chat') for owner in owners}
    for owner, chat in chats.items():
        assert await chat.turn("import os\nos.listdir('/scratch')", deps=owner) == [[]]
        await chat.turn(f'open({owner[:9]!r}.replace("/", "-"), "w").write("1")', deps=owner)
    assert len(found(tmp_path, '*')) == len(owners)
    with pytest.raises(UserError, match='must return the owner as text'):
        await chats['ann'].turn("open('x')", deps='')


async def test_a_scratch_folder_holds_no_more_than_its_quota(tmp_path: Path) -> None:
    files = Files(scratch=Scratch(tmp_path, max_bytes=1_000, max_files=3))
    code = """
import os
reported = []
for name, size in [('a', 600), ('b', 600), ('b', 400), ('a', 10), ('b', 900), ('c', 1), ('d', 1)]:
    try:
        with open(name, 'w') as f:
            f.write('x' * size)
        reported.append(f'{name} {size}')
    except OSError as error:
        reported.append(str(error))
os.remove('b'); os.remove('a')
with open('d', 'w') as f:
    f.write('x' * 900)
reported, sorted((name, os.path.getsize(name)) for name in os.listdir('/scratch'))
"""
    script = await play(CodeModeToolset(tools(), files=files), run_code(code))
    full = "[Errno 122] Disk quota exceeded: '/scratch/{}'"
    written = ['a 600', full.format('b'), 'b 400', 'a 10', 'b 900', 'c 1', full.format('d')]
    assert script.answers == [[written, [['c', 1], ['d', 900]]]]


async def test_a_scratch_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / 'a file').touch()
    with pytest.raises(UserError, match='The scratch folder cannot be made in'):
        await play(CodeModeToolset(tools(), files=Files(scratch=Scratch(tmp_path / 'a file'))), run_code('1'))


async def test_only_old_scratch_folders_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = Scratch(tmp_path, ttl=timedelta(0))
    await Chat(CodeModeToolset(tools(), files=Files(scratch=scratch))).turn("open('a', 'w').write('1')")
    assert Scratch(tmp_path).forget_old() == 0
    assert scratch.forget_old() == 1
    assert found(tmp_path, '*') == []
    for name in 'abc':
        scratch.folder(name)

    def remove(path: str, *, ignore_errors: bool) -> None:
        """Another process removes all of them in the same moment."""
        for folder in tmp_path.iterdir():
            folder.rmdir()

    monkeypatch.setattr(shutil, 'rmtree', remove)
    assert scratch.forget_old() == 1


async def test_a_large_result_is_written_to_a_file_and_the_model_reads_its_path(tmp_path: Path) -> None:
    files = Files(scratch=tmp_path, large_results=True)
    chat = Chat(CodeModeToolset(tools(), files=files, max_result_chars=500))
    [answer] = await chat.turn('list(range(1000))')
    [path] = found(tmp_path, '*/results/*.json')
    assert json.loads(path.read_bytes()) == [*range(1000)]
    assert answer['file'] == f'The whole result is in /scratch/results/{path.name} (3,891 bytes of JSON).'
    assert await chat.turn(f"import json\nsum(json.load(open('/scratch/results/{path.name}')))") == [499500]
    assert await chat.turn('[1, 2]') == [[1, 2]]
    [answer] = await chat.turn("'x' * 900")
    assert '(900 bytes of text)' in answer['file']
    # Some models give the calls of each turn the same ids.
    first, second = (replace(run_code(f'[{n}] * 1000'), tool_call_id='run_code:0') for n in (1, 2))
    [one], [other] = await chat.turn(first), await chat.turn(second)
    assert one['file'] != other['file']
    small = Files(scratch=Scratch(tmp_path / 'small', max_bytes=100), large_results=True)
    [answer] = await Chat(CodeModeToolset(tools(), files=small, max_result_chars=500)).turn('list(range(1000))')
    assert 'could not be written to a file: [Errno 122] Disk quota exceeded' in answer['file']


PICTURE = BinaryContent(b'\x89PNG and bytes \x00\xff', media_type='image/png')


def draw(title: str) -> BinaryContent:
    """Draw a picture."""
    return PICTURE


def frame(pictures: list[BinaryContent], title: str = '') -> str:
    """Put pictures into frames."""
    return ', '.join(f'{picture.media_type} {picture.data == PICTURE.data}' for picture in pictures)


async def test_images_pass_from_tool_to_tool_by_their_paths(tmp_path: Path) -> None:
    code_mode = CodeModeToolset(tools(draw, frame), files=Files(scratch=tmp_path))
    first = """
picture = await draw(title='a')
with open('/scratch/copy.png', 'wb') as f:
    f.write(open(picture['path'], 'rb').read())
picture, await frame(pictures=[picture, {'path': '/scratch/copy.png'}])
"""
    missing = "await frame(pictures=[{'path': '/scratch/../etc/passwd'}])"
    last = "[picture['path'], picture['media_type'] == 'image/png']"
    script = await play(
        code_mode, run_code(first), run_code('await draw(title="b")'), run_code(missing), run_code(last)
    )
    [path] = found(tmp_path, '*/files/*')
    assert path.read_bytes() == PICTURE.data
    assert script.answers[0] == [PICTURE, 'image/png True, image/png True']
    assert script.answers[1] == PICTURE
    assert "FileNotFoundError: [Errno 2] No such file or directory: '/scratch/../etc/passwd'" in script.answers[2]
    assert script.answers[3] == [f'/scratch/files/{path.name}', True]
    assert functions_text(script.shown[0]['run_code'].description) == snapshot('''\
class File(TypedDict, total=False): # A file of a folder here.
 path: Required[str]
 media_type: str
 file_id: str

async def draw(title: str) -> File:
 """Draw a picture."""

async def frame(pictures: list[File], title: str = '') -> str:
 """Put pictures into frames."""\
''')


async def test_a_paused_script_continues_with_its_open_files(reports: Path, tmp_path: Path) -> None:
    code = """
with open('/data/sales.csv') as f, open('/scratch/log', 'w') as log:
    first = next(f)
    log.write('before\\n')
    answer = await ask(question='on?')
    log.write(answer + '\\n')
    rest = f.readlines()
first, rest, open('/scratch/log').read()
"""

    def ask(question: str) -> str:
        return f'yes, {question}'

    toolset = FunctionToolset[Any]()
    toolset.add_function(ask, requires_approval=True)
    script = Script([run_code(code)])

    def agent() -> Agent[Any, Any]:
        files = Files({'/data': reports}, scratch=tmp_path / 'scratch')
        code_mode = CodeModeToolset[Any](toolset, files=files, snapshots=Snapshots(key='of the tests'))
        return Agent(script.model, output_type=[str, DeferredToolRequests], toolsets=[code_mode])

    result = await agent().run('go')
    assert isinstance(result.output, DeferredToolRequests)
    history = ModelMessagesTypeAdapter.validate_json(result.all_messages_json())
    # Content that was read stays available, even if the file changes.
    (reports / 'sales.csv').write_text('other')
    await agent().run(message_history=history, deferred_tool_results=approve_all(result.output))
    assert script.answers[-1] == ['region,total\n', ['north,10\n', 'south,20\n', 'north,5\n'], 'before\nyes, on?\n']


async def test_the_size_of_one_access_is_bounded(tmp_path: Path) -> None:
    (tmp_path / 'large').write_bytes(b'x' * 1_001)
    for number in range(20):
        (tmp_path / f'{number}').touch()
    files = Files({'/data': Folder(tmp_path, writable=True)}, limits=FileLimits(file_bytes=1_000, entries=10))
    code = """
import os
reported = []
def grow():
    with open('/data/new', 'w') as f:
        f.write('x' * 900)
        f.write('x' * 101)
def read(): open('/data/large').read()
def names(): os.listdir('/data')
for action in (read, grow, names):
    try:
        action()
    except OSError as error:
        reported.append(str(error))
reported
"""
    script = await play(CodeModeToolset(tools(), files=files), run_code(code))
    assert script.answers == [
        [
            "[Errno 27] File too large: '/data/large'",
            "[Errno 27] File too large: '/data/new'",
            "[Errno 7] More than 10 entries: '/data'",
        ]
    ]


async def test_a_disk_that_hangs_delays_no_other_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / 'a').write_text('a')
    files = Files({'/data': tmp_path}, limits=FileLimits(seconds=0.2))
    loop, asked, released, real = asyncio.get_running_loop(), asyncio.Event(), threading.Event(), os.read

    def read(fd: int, size: int) -> bytes:
        # The disks of the tests do not hang by themselves.
        if threading.current_thread().name.startswith('toolscript-files'):
            loop.call_soon_threadsafe(asked.set)
            released.wait(60)
        return real(fd, size)

    monkeypatch.setattr(os, 'read', read)
    code = "try:\n    open('/data/a')\nexcept TimeoutError as e:\n    reported = str(e)\nreported"
    try:
        script = await play(CodeModeToolset(tools(), files=files), run_code(code))
    finally:
        released.set()
    assert asked.is_set()
    assert script.answers == ["[Errno 110] Connection timed out: '/data/a'"]


async def test_a_spec_can_set_files(reports: Path, tmp_path: Path) -> None:
    (tmp_path / 'out').mkdir()
    spec: Any = {
        'folders': {'/data': str(reports), '/out': {'host': str(tmp_path / 'out'), 'writable': True}},
        'scratch': {'root': str(tmp_path / 'scratch'), 'max_bytes': 1_000, 'ttl': 7_200},
        'large_results': True,
    }
    files = CodeMode.from_spec(files=spec).files
    assert files == Files(
        {'/data': reports, '/out': Folder(tmp_path / 'out', writable=True)},
        scratch=Scratch(tmp_path / 'scratch', max_bytes=1_000, ttl=timedelta(hours=2)),
        large_results=True,
    )
    assert CodeMode.from_spec().files is None
    assert CodeMode.from_spec(files={'scratch': str(tmp_path / 's')}).files == Files(scratch=tmp_path / 's')
