"""What a hostile snippet may try; none of it reaches the host, and the next session runs as if nothing had been."""

from pathlib import Path

import pytest

from tests.corpus.table import Table, answer
from toolscript_sandbox import Completed, Failed, Limits, Sandbox

pytestmark = pytest.mark.anyio

SECRET = 'a-secret-of-the-host'
_MADE = Path('/tmp/by-a-snippet')

REACHING_OUT = [
    "open('/etc/passwd').read()",
    "open('{file}').read()",
    "open('{file}', 'w').write('x')",
    "open('/proc/self/environ').read()",
    "from pathlib import Path\nPath('/etc/passwd').read_text()",
    "from pathlib import Path\nPath('{file}').write_text('x')",
    "from pathlib import Path\nlist(Path('/').iterdir())",
    "from pathlib import Path\nPath('{file}').unlink()",
    'from pathlib import Path\nPath.home()',
    "import os\nos.listdir('/')",
    "import os\nos.environ['TOOLSCRIPT_SECRET']",
    "import os\nos.getenv('TOOLSCRIPT_SECRET') or fail()",
    "import os\nos.remove('{file}')",
    "import os\nos.system('id')",
    "import os\nos.popen('id').read()",
    'import os\nos.fork()',
    'import os\nos.kill(1, 9)',
    "import os\nos.walk('/').__next__()",
    "import os\nos.mkdir('/tmp/by-a-snippet')",
    "import subprocess\nsubprocess.run(['id'])",
    "import socket\nsocket.create_connection(('127.0.0.1', 80))",
    "import urllib.request\nurllib.request.urlopen('http://127.0.0.1')",
    "import http.client\nhttp.client.HTTPConnection('127.0.0.1')",
    "import ctypes\nctypes.CDLL('libc.so.6')",
    "import importlib\nimportlib.import_module('os').system('id')",
    "__import__('os').system('id')",
    "__builtins__['open']('/etc/passwd')",
    "import sys\nsys.modules['os'].system('id')",
    'import sys\nsys._getframe(0).f_globals',
    'import gc\ngc.get_objects()',
    'import inspect\ninspect.stack()',
    'import pickle\npickle.loads(b\'cos\\nsystem\\n(S"id"\\ntR.\')',
    '().__class__.__bases__[0].__subclasses__()',
    "''.__class__.__mro__[1].__subclasses__()",
    '(lambda: 0).__globals__',
    '(lambda: 0).__code__.co_consts',
    'get_user.__globals__',
    'get_user.__closure__[0].cell_contents',
    "'{0.__class__.__init__.__globals__}'.format(get_user)",
    "'{0.__globals__}'.format(get_user)",
    "f'{get_user.__globals__}'",
    "getattr(get_user, '__glo' + 'bals__')",
    "getattr(get_user, '__self__')",
    "setattr(get_user, '__code__', 1)",
    "eval(\"__import__('os').system('id')\")",
    "exec('import socket')",
    "compile('1', 'x', 'eval')",
    'class Evil:\n    def __reduce__(self):\n        return (print, ())\nimport copyreg\ncopyreg.pickle',
    "import logging.config\nlogging.config.fileConfig('{file}')",
    'import code\ncode.interact()',
    'breakpoint()',
    'input()',
    "help('modules')",
]

EXHAUSTING = [
    'while True: pass',
    "x = 'a' * 10 ** 10",
    'x = [0] * 10 ** 10',
    '2 ** 10 ** 10',
    'x = []\nwhile True: x.append(x[:] + [1])',
    'def f(): f()\nf()',
    "f'{1:>10000000000}'",
    'sum(range(10 ** 12))',
    "import re\nre.match(r'(a|a)*b', 'a' * 5000 + 'c').group()",
    "while True: print('x' * 1000)",
    'import itertools\nlist(itertools.count())',
    '[[i for i in range(10 ** 4)] for j in range(10 ** 5)]',
    'import asyncio\nasync def f():\n    await asyncio.gather(*[f() for _ in range(9)])\nawait f()',
    'x = {}\nfor i in range(10 ** 9): x[i] = i',
    "'%1000000000d' % 1",
    # What the sandbox's own queue keeps for itself: it makes the host count passes.
    'import asyncio\nq = asyncio.Queue()\nt = asyncio.create_task(q.get())\nawait asyncio.sleep(0)\n'
    'getattr(q, "_put" + "_after")(1, 10**15)\nawait t',
]

_LIMITS = Limits(max_script_seconds=0.5, max_memory_bytes=50_000_000, max_stdout_chars=20_000)


async def _is_well() -> bool:
    async with Sandbox.shared().session() as session:
        outcome = await session.run('6 * 7', Table(), answer)
    return isinstance(outcome, Completed) and outcome.value == 42


@pytest.mark.parametrize('attempt', REACHING_OUT)
async def test_nothing_of_the_host_is_within_reach(
    attempt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv('TOOLSCRIPT_SECRET', SECRET)
    file = tmp_path / 'secret.txt'
    file.write_text(SECRET)
    async with Sandbox.shared().session(limits=_LIMITS) as session:
        outcome = await session.run(attempt.replace('{file}', str(file)), Table(), answer)
    assert isinstance(outcome, Failed), outcome
    assert SECRET not in repr(outcome)
    assert file.read_text() == SECRET
    assert not _was_made()
    assert await _is_well()


@pytest.mark.parametrize('attempt', EXHAUSTING)
async def test_nothing_is_used_up_beyond_its_limit(attempt: str) -> None:
    async with Sandbox.shared().session(limits=_LIMITS) as session:
        outcome = await session.run(attempt, Table(), answer)
    assert isinstance(outcome, Failed), outcome
    assert await _is_well()


def _was_made() -> bool:
    return _MADE.exists()
