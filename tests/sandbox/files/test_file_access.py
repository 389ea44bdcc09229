"""Scripts read and write files as in CPython, which runs the same text in its own folders."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.outcomes import failed
from tests.sandbox.tables import NOTHING
from toolscript_sandbox import Completed, Failed, FileLimits, Folder, HostFiles, Sandbox

# In CPython the programs leave files open, as scripts of models do.
pytestmark = pytest.mark.filterwarnings('ignore::ResourceWarning', 'ignore::pytest.PytestUnraisableExceptionWarning')

PROGRAMS = Path(__file__).with_name('programs.txt').read_text()
ALL = [text.strip('\n') for text in PROGRAMS.split('\n---\n')]

REFUSED = {
    "f = open('/data/a.csv', 'r+')": 'A file cannot be read and written at once here',
    "open('/out/a', mode='w', encoding='latin-1')": "Path(...).write_text(text, encoding='latin-1')",
    "import shutil\nshutil.copy('/data/a.csv', '/out/a')": 'Use Path(new).write_bytes',
    "from glob import glob\nglob('/data/*')": 'Use Path(folder).glob(pattern).',
    'import tempfile\ntempfile.mkdtemp()': 'Use a file in a folder that you may write into.',
    "from pathlib import Path\nPath('/out/l').symlink_to('/etc')": 'Paths have no symlink_to here. There are no links here.',
    "from pathlib import Path\nPath('/out/sub').chmod(0o777)": 'Paths have no chmod here.',
    "import os\nos.chmod('/out/sub', 0)": 'There is no os.chmod here. Files have no owners and modes here.',
    "import os\nos.symlink('/etc', '/out/l')": 'There is no os.symlink here. No links are made or followed here: write a copy.',
    "import os\nos.lisdir('/out')": 'There is no os.lisdir here. Did you mean listdir or scandir?',
    "import os\nos.path.realpath('/out')": 'Links are not followed here.',
    "import os\nos.environ['HOME']": 'Scripts cannot see the host',
    "import io\nio.open('/data/a.csv')": 'Use `open`.',
    "f = open('/data/a.csv')\nf.readline()\nf.tell()": 'Open files have no tell here. Read the file, and slice what you read.',
    "def start(f): return f.tell()\nstart(open('/data/a.csv'))": 'Open files have no tell here.',
    "open('/data/a.csv').seek(2)": 'Files can seek only to their start or end here.',
    "with open('/data/a.csv') as f:\n    f.seek(2)": 'Files can seek only to their start or end here. Read the file',
    "f = open('/out/w', 'w')\nf = open('/data/a.csv', 'rb')\nf.readline(4)": 'readline takes no size here',
    "with open('/data/a.csv') as f:\n    print(f.fileno())": 'Open files have no fileno here.',
}
NOT_DONE = {
    "import os\nos.rename('/out/sub', '/data/sub')": 'OSError: [Errno 30] Read-only file system',
    "open('/out/w', 'w').seek(0)": 'OSError: only the start and the end of a file that is read',
    "mode = 'r+'\nopen('/data/a.csv', mode)": 'ValueError: update modes',
    "code = 'latin-1'\nopen('/out/a', 'w', encoding=code)": 'NotImplementedError: files are written in UTF-8 here',
    "open('/data/a.csv', encoding='a\\0').read()": 'ValueError: embedded null character',
    "class A: pass\nopen('/data/a.csv', errors={A()}).read()": 'TypeError: only plain values are taken here',
    "bad = 'surrogateescape'\ntry:\n    open('/data/latin.txt', errors=bad).read()\nexcept ValueError as e:\n    "
    "raise OSError(f'caught: {e}')": "OSError: caught: 'utf-8' codec can't encode",
    "open('/data/a.csv', 'w')": "OSError: [Errno 30] Read-only file system: '/data/a.csv'",
    "import os\nos.remove('/data/a.csv')": "OSError: [Errno 30] Read-only file system: '/data/a.csv'",
    "import os\nos.rmdir('/out')": "OSError: [Errno 16] Device or resource busy: '/out'",
}


@pytest.fixture(scope='module')
async def sandbox(anyio_backend: str) -> AsyncIterator[Sandbox]:
    async with Sandbox(checkers=2) as sandbox:
        yield sandbox


def furnished(root: Path) -> Path:
    (root / 'data' / 'sub').mkdir(parents=True)
    (root / 'out' / 'sub').mkdir(parents=True)
    (root / 'out' / 'sub' / 'c.txt').write_text('c')
    data = root / 'data'
    (data / 'a.csv').write_text('x,y\n1,2\n3,4\n')
    os.utime(data / 'a.csv', (0, 0))
    (data / 'crlf.txt').write_bytes('a\r\nbé\rc\n'.encode())
    (data / 'latin.txt').write_bytes(b'caf\xe9\r\nb\n')
    (data / 'bom.csv').write_bytes(b'\xef\xbb\xbfa,b\r\n1,2\r\n')
    (data / 'j.json').write_text('{"a": 1.5}')
    (data / 't.toml').write_text('a = [1, 2]\n')
    (data / 'sub' / 'd.txt').write_text('d')
    (data / 'empty').write_text('')
    return root


def in_python(program: str, root: Path) -> tuple[str, str]:
    """Return the printed text, and the exception that ended the program."""
    printed, error = io.StringIO(), ''
    text = program
    for name in ('data', 'out', 'nope'):
        text = text.replace(f"'/{name}", f"'{root}/{name}")
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(text, 'case', 'exec'), {'__name__': '__main__'})
        except Exception as raised:
            error = f'{type(raised).__name__}: {raised}'
    return printed.getvalue().replace(str(root), ''), error.replace(str(root), '')


async def in_sandbox(program: str, root: Path, sandbox: Sandbox, *, reads_only: bool = False) -> Any:
    folders = {'/data': Folder(root / 'data', writable=not reads_only), '/out': Folder(root / 'out', writable=True)}
    async with sandbox.session(files=HostFiles(folders)) as session:
        return await session.run(program, NOTHING, lambda call: None)  # type: ignore[arg-type]


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else b'' for path in root.rglob('*')}


@pytest.mark.parametrize('program', ALL, ids=range(len(ALL)))
async def test_a_script_uses_files_as_in_python(program: str, tmp_path: Path, sandbox: Sandbox) -> None:
    here, there = furnished(tmp_path / 'python'), furnished(tmp_path / 'sandbox')
    printed, error = in_python(program, here)
    outcome = await in_sandbox(program, there, sandbox)
    assert outcome.stdout == printed
    reported = '' if isinstance(outcome, Completed) else outcome.error.message
    assert (error in reported) if error else isinstance(outcome, Completed), reported
    assert str(tmp_path) not in reported
    if ' ' not in error or 'rename' not in program:
        assert tree(there) == tree(here)
    shutil.rmtree(tmp_path)


@pytest.mark.parametrize('program', REFUSED)
async def test_unsupported_uses_of_files_are_refused_before_anything_runs(
    program: str, tmp_path: Path, sandbox: Sandbox
) -> None:
    outcome = failed(await in_sandbox(f"open('/out/ran', 'w')\n{program}", furnished(tmp_path), sandbox))
    assert REFUSED[program] in outcome.error.message
    assert not (tmp_path / 'out' / 'ran').exists()


@pytest.mark.parametrize('program', NOT_DONE)
async def test_differences_that_show_only_at_run_time_raise_an_error(
    program: str, tmp_path: Path, sandbox: Sandbox
) -> None:
    outcome = failed(await in_sandbox(program, furnished(tmp_path), sandbox, reads_only=True))
    assert NOT_DONE[program] in outcome.error.message


async def test_a_file_cannot_be_moved_to_another_folder(tmp_path: Path, sandbox: Sandbox) -> None:
    code = "import os\nos.rename('/data/a.csv', '/out/a.csv')"
    outcome = failed(await in_sandbox(code, furnished(tmp_path), sandbox))
    assert "OSError: [Errno 18] Invalid cross-device link: '/data/a.csv' -> '/out/a.csv'" in outcome.error.message
    assert (tmp_path / 'data' / 'a.csv').exists()


@pytest.mark.parametrize('scan', ["Path('/data').glob('*')", "Path('/').rglob('*')", "os.walk('/data')"])
async def test_a_folder_with_too_many_entries_is_not_shown_as_an_empty_one(
    scan: str, tmp_path: Path, sandbox: Sandbox
) -> None:
    files = HostFiles({'/data': Folder(furnished(tmp_path) / 'data')}, FileLimits(entries=5))
    async with sandbox.session(files=files) as session:
        code = f'import os\nfrom pathlib import Path\n[*{scan}]'
        outcome = failed(await session.run(code, NOTHING, lambda call: None))  # type: ignore[arg-type]
    assert "More than 5 entries: '/data'" in outcome.error.message


@pytest.mark.parametrize('scan', ["Path('/data').rglob('*.txt')", "os.walk('/data')"])
async def test_a_scan_does_not_leave_out_folders_that_are_too_deep(scan: str, tmp_path: Path, sandbox: Sandbox) -> None:
    deep = tmp_path.joinpath(*['d'] * 65)
    deep.mkdir(parents=True)
    (deep / 'a.txt').write_text('a')
    async with sandbox.session(files=HostFiles({'/data': Folder(tmp_path)})) as session:
        code = f'import os\nfrom pathlib import Path\n[*{scan}]'
        outcome = failed(await session.run(code, NOTHING, lambda call: None))  # type: ignore[arg-type]
    assert "Folders more than 64 deep: '/data'" in outcome.error.message


async def test_without_folders_files_are_refused(sandbox: Sandbox) -> None:
    async with sandbox.session() as session:
        for program in (
            "open('/data/a.csv')",
            "from pathlib import Path\nPath('/data').exists()",
            'import os\nos.getcwd()',
        ):
            outcome = await session.run(program, NOTHING, lambda call: None)  # type: ignore[arg-type]
            assert isinstance(outcome, Failed)
            assert 'Nothing was run.' in outcome.error.message
