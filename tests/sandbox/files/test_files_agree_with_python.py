"""Scripts that read and write files do what they do in CPython, which runs the same text in folders of its own."""

from __future__ import annotations

import contextlib
import io
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.tables import NOTHING
from toolscript_sandbox import Completed, Failed, Folder, HostFiles, Sandbox

pytestmark = [
    pytest.mark.anyio,
    # In CPython the programs leave files open, as models' scripts do.
    pytest.mark.filterwarnings('ignore::ResourceWarning', 'ignore::pytest.PytestUnraisableExceptionWarning'),
]

PROGRAMS = r"""
print(open('/data/a.csv').read())
---
for line in open('/data/a.csv'): print(repr(line))
---
print(list(open('/data/a.csv')), sorted(open('/data/a.csv')), max(open('/data/a.csv')), 'x,y\n' in open('/data/a.csv'))
---
first, *rest = open('/data/a.csv')
print(first, rest, ''.join(open('/data/a.csv')), dict(enumerate(open('/data/a.csv'))))
---
with open('/data/a.csv', encoding='utf-8') as f:
    print(next(f), f.readline(), f.read(2), f.readlines(), f.read(), f.closed, f.name, f.mode)
print(f.closed)
---
f = open('/data/a.csv', 'rb')
print(f.read(3), f.tell(), f.seek(1), f.read(2), f.seek(-2, 2), f.read(), f.seek(2, 1), f.readlines(), f.mode)
---
print(repr(open('/data/crlf.txt').read()), repr(open('/data/crlf.txt', newline='').read()), open('/data/crlf.txt', newline='\n').readlines())
---
print(repr(open('/data/latin.txt', encoding='latin-1').read()), open('/data/latin.txt', encoding='cp1252', newline='').readlines())
---
print(open('/data/latin.txt', errors='replace').read(), open('/data/latin.txt', encoding='utf-8', errors='ignore').readline())
---
open('/data/latin.txt', encoding='utf-8').read()
---
import csv
with open('/data/bom.csv', newline='', encoding='utf-8-sig') as f:
    for row in csv.DictReader(f): print(row)
---
import csv
with open('/data/a.csv', newline='') as f:
    rows = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(f)]
with open('/out/b.csv', 'w', newline='') as f:
    w = csv.DictWriter(f, fieldnames=['x', 'y', 'sum'])
    w.writeheader()
    for row in rows: w.writerow({**row, 'sum': row['x'] + row['y']})
    w.writerows(rows[:1])
print(repr(open('/out/b.csv', newline='').read()))
---
import csv
w = csv.writer(open('/out/c.csv', 'w', newline=''), delimiter=';')
w.writerow(['a', None, 1.5]); w.writerows([[1, 'x;y'], ['"', '\n']])
del w
print(repr(open('/out/c.csv', newline='').read()))
---
import json
with open('/data/j.json') as f: d = json.load(f)
d['b'] = [1, None, 'é']
with open('/out/j.json', 'w') as f: json.dump(d, f, indent=2, ensure_ascii=False)
print(open('/out/j.json').read(), json.loads(open('/out/j.json', 'rb').read()))
---
import tomllib
with open('/data/t.toml', 'rb') as f: print(tomllib.load(f))
from pathlib import Path
print(tomllib.loads(Path('/data/t.toml').read_text()))
---
import tomllib
tomllib.load(open('/data/t.toml'))
---
with open('/out/w.txt', 'w') as f:
    print(f.write('é1\n'), f.writelines(['2\n', '3\n']), f.write(''))
    print('4', 5, sep='-', file=f)
    print(file=f)
with open('/out/w.txt', 'a') as f: f.write('6')
print(repr(open('/out/w.txt').read()), open('/out/w.txt', 'rb').read())
---
with open('/out/w.txt', 'wb') as f: print(f.write(b'\x00\xff'), f.write(b''))
with open('/out/w.txt', 'ab') as f: f.writelines([b'1', b'2'])
print(open('/out/w.txt', 'rb').read())
---
with open('/out/w.txt', 'w', newline='\r\n') as f: print(f.write('a\nb\n'))
print(open('/out/w.txt', 'rb').read())
---
with open('/out/x.txt', 'x') as f: f.write('1')
print(open('/out/x.txt').read())
open('/out/x.txt', 'x')
---
for path in ('/data/nope', '/data/a.csv/b', '/data/sub', '/nope'):
    for mode in ('r', 'rb'):
        try: open(path, mode).read()
        except OSError as e: print(type(e).__name__, e, e.errno, e.strerror, e.filename)
---
import os
for path in ('/out/nope/x', '/out/sub'):
    try: open(path, 'w')
    except OSError as e: print(type(e).__name__, e)
for f in (os.rmdir, os.remove, os.listdir, os.path.getsize, os.mkdir):
    for path in ('/out/nope', '/out/sub/c.txt', '/out'):
        if f in (os.listdir, os.mkdir) or path != '/out':
            try: print(path, f(path))
            except OSError as e: print(type(e).__name__, e)
---
f = open('/data/a.csv')
f.close()
f.read()
---
open('/data/a.csv').write('x')
---
open('/out/w.txt', 'w').read()
---
open('/out/w.txt', 'w').write(b'x')
---
open('/out/w.txt', 'wb').write('x')
---
open('/data/a.csv', 'q')
---
open('/data/a.csv', 'rb', encoding='utf-8')
---
open('/data/a.csv', newline='x')
---
open('/data/a\0b')
---
from pathlib import Path
p = Path('/out') / 'new' / 'deep'
p.mkdir(parents=True)
p.mkdir(parents=True, exist_ok=True)
print((p / 'f.txt').write_text('é\n'), (p / 'f.txt').read_text(encoding='utf-8'), (p / 'f.txt').read_bytes())
print((p / 'g.bin').write_bytes(b'12'), (p / 'g.bin').stat().st_size, (p / 'g.bin').exists(), (p / 'h').exists())
(p / 'h').touch(); (p / 'h').touch()
print(sorted(x.name for x in p.iterdir()), [x.is_file() for x in sorted(p.iterdir())], p.is_dir(), p.is_file())
(p / 'h').rename(p / 'i'); (p / 'i').replace(p / 'g.bin'); (p / 'f.txt').unlink(); (p / 'f.txt').unlink(missing_ok=True)
print(sorted(str(x) for x in Path('/out/new').rglob('*')))
(p / 'g.bin').unlink(); p.rmdir()
print(list(Path('/out/new').iterdir()))
---
from pathlib import Path
Path('/out/sub').mkdir()
---
from pathlib import Path
Path('/out/none').unlink()
---
from pathlib import Path
Path('/out/sub').rmdir()
---
from pathlib import Path
with Path('/data/a.csv').open() as f: print(f.read())
with Path('/out/p').open('w', encoding='utf-8') as f: f.write('1')
print(Path('/out/p').read_text(), Path('/out/p').write_text('é', encoding='latin-1'), Path('/out/p').read_bytes(), Path('/out/p').read_text('latin-1'))
print(Path('/out/p').write_text('a\nb', newline='\r\n'), Path('/out/p').read_bytes())
---
from pathlib import Path
print(sorted(p.name for p in Path('/data').glob('*.csv')), sorted(str(p) for p in Path('/data').glob('**/*.txt')), sorted(Path('/data').glob('none*')))
print(sum(p.stat().st_size for p in Path('/data').rglob('*') if p.is_file()), max(Path('/data').glob('*.csv'), key=lambda p: p.stat().st_size).name)
print(Path('/data/sub/../a.csv').exists(), Path('/data/sub/../a.csv').read_text()[:3])
---
import os
print(sorted(os.listdir('/data')), os.path.exists('/data/a.csv'), os.path.isfile('/data'), os.path.isdir('/data/sub'), os.path.getsize('/data/a.csv'))
os.makedirs('/out/m/n', exist_ok=True)
open('/out/m/n/f', 'w').close()
print([(top, sorted(dirs), sorted(files)) for top, dirs, files in os.walk('/out/m')])
os.rename('/out/m/n/f', '/out/m/g'); os.replace('/out/m/g', '/out/m/h'); os.remove('/out/m/h'); os.rmdir('/out/m/n')
print(sorted(e.name for e in os.scandir('/out/m')), [p for p in ['/data/a.csv', '/no'] if os.path.exists(p)], list(filter(os.path.isdir, ['/data', '/no'])))
---
import os
print(sorted(['/data/crlf.txt', '/data/a.csv', '/data/t.toml'], key=os.path.getsize))
---
print([f.readline() for f in map(open, ['/data/a.csv', '/data/t.toml'])])
---
def lines(path):
    with open(path) as f:
        yield from f
print(list(lines('/data/a.csv')))
---
class Journal:
    def __init__(self, path): self.path = path
    def add(self, text):
        with open(self.path, 'a') as f: f.write(text + '\n')
    def lines(self):
        with open(self.path) as f: return [line.rstrip('\n') for line in f]
j = Journal('/out/journal'); j.add('a'); j.add('b')
print(j.lines())
---
def lines(f):
    for line in f:
        yield line.strip()
print(list(lines(open('/data/a.csv'))), any(line.startswith('3') for line in lines(open('/data/a.csv'))))
---
import io, csv
buffer = io.StringIO(); csv.writer(buffer).writerow([1, 2])
print(open('/out/q', 'w', newline='').write(buffer.getvalue()), open('/out/q', newline='').read())
---
try:
    with open('/out/t', 'w') as f:
        f.write('before')
        raise ValueError('in the middle')
except ValueError as e:
    print(e, f.closed, open('/out/t').read())
---
import hashlib, base64
data = open('/data/latin.txt', 'rb').read()
print(hashlib.sha256(data).hexdigest(), base64.b64encode(data))
---
print(open('/data/empty').read() == '', open('/data/empty').readlines(), open('/data/empty').readline())
---
open('/out/tail', 'w').write('x')
print(open('/out/tail').read())
"""
ALL = [text.strip('\n') for text in PROGRAMS.split('\n---\n')]

REFUSED = {
    "f = open('/data/a.csv', 'r+')": 'No file is opened for reading and writing at once here',
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
    "f = open('/data/a.csv')\nf.readline()\nf.tell()": "Only files that are read as bytes tell their place here: open it with 'rb'.",
    "with open('/data/a.csv') as f:\n    f.seek(2)": 'In a text only the start and the end can be sought here',
    "f = open('/out/w', 'w')\nf.write('ab')\nf.seek(0)": 'A file that is written has no other place here than its end',
    "f = open('/out/w', 'w')\nf = open('/data/a.csv', 'rb')\nf.readline(4)": 'readline takes no size here',
    "with open('/data/a.csv') as f:\n    print(f.fileno())": 'Open files have no fileno here.',
}
NOT_DONE = {
    "import os\nos.rename('/out/sub', '/data/sub')": 'OSError: [Errno 30] Read-only file system',
    "def start(f): return f.tell()\nstart(open('/data/a.csv'))": 'OSError: only files that are read as bytes',
    "open('/data/a.csv').seek(2)": 'OSError: only the start and the end of a text file',
    "open('/out/w', 'w').seek(0)": 'OSError: a file that is written has no other place here than its end',
    "mode = 'r+'\nopen('/data/a.csv', mode)": 'ValueError: update modes',
    "code = 'latin-1'\nopen('/out/a', 'w', encoding=code)": 'NotImplementedError: files are written in UTF-8 here',
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
    (data / 'crlf.txt').write_bytes('a\r\nbé\rc\n'.encode())
    (data / 'latin.txt').write_bytes(b'caf\xe9\r\nb\n')
    (data / 'bom.csv').write_bytes(b'\xef\xbb\xbfa,b\r\n1,2\r\n')
    (data / 'j.json').write_text('{"a": 1.5}')
    (data / 't.toml').write_text('a = [1, 2]\n')
    (data / 'sub' / 'd.txt').write_text('d')
    (data / 'empty').write_text('')
    return root


def in_python(program: str, root: Path) -> tuple[str, str]:
    """What it prints, and the exception that ends it."""
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
async def test_a_script_does_with_files_what_it_does_in_python(program: str, tmp_path: Path, sandbox: Sandbox) -> None:
    here, there = furnished(tmp_path / 'python'), furnished(tmp_path / 'sandbox')
    printed, error = in_python(program, here)
    outcome = await in_sandbox(program, there, sandbox)
    assert outcome.stdout == printed
    told = '' if isinstance(outcome, Completed) else outcome.error.message
    assert (error in told) if error else isinstance(outcome, Completed), told
    assert str(tmp_path) not in told
    if ' ' not in error or 'rename' not in program:
        assert tree(there) == tree(here)
    shutil.rmtree(tmp_path)


@pytest.mark.parametrize('program', REFUSED)
async def test_what_files_cannot_do_here_is_refused_before_anything_runs(
    program: str, tmp_path: Path, sandbox: Sandbox
) -> None:
    outcome = await in_sandbox(f"open('/out/ran', 'w')\n{program}", furnished(tmp_path), sandbox)
    assert isinstance(outcome, Failed)
    assert REFUSED[program] in outcome.error.message
    assert not (tmp_path / 'out' / 'ran').exists()


@pytest.mark.parametrize('program', NOT_DONE)
async def test_what_only_shows_when_it_runs_is_an_error_and_no_silent_difference(
    program: str, tmp_path: Path, sandbox: Sandbox
) -> None:
    outcome = await in_sandbox(program, furnished(tmp_path), sandbox, reads_only=True)
    assert isinstance(outcome, Failed)
    assert NOT_DONE[program] in outcome.error.message


async def test_without_folders_files_are_refused_as_ever(sandbox: Sandbox) -> None:
    async with sandbox.session() as session:
        for program in (
            "open('/data/a.csv')",
            "from pathlib import Path\nPath('/data').exists()",
            'import os\nos.getcwd()',
        ):
            outcome = await session.run(program, NOTHING, lambda call: None)  # type: ignore[arg-type]
            assert isinstance(outcome, Failed)
            assert 'Nothing was run.' in outcome.error.message
