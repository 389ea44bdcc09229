"""Requests of a hostile script: it gets an error, and the next call is answered."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from toolscript_sandbox.host_library import HostLibrary, HostLibraryError
from toolscript_sandbox.host_library.client import _CODE  # pyright: ignore[reportPrivateUsage]


async def _error(
    library: HostLibrary,
    name: Any,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    seconds: float = 5,
) -> HostLibraryError:
    with pytest.raises(HostLibraryError) as caught:
        await library.call(name, args, kwargs or {}, seconds=seconds)
    assert await library.call('statistics.mean', [[1, 3]], {}, seconds=5) == 2
    return caught.value


_NAMES = """os.system builtins.eval builtins.open builtins.str.format statistics statistics.__dict__ statistics.random
statistics.mean.__globals__ re.method.__globals__ pkgutil.resolve_name uuid.getnode configparser.ConfigParser
xml.etree.ElementTree.parse"""


@pytest.mark.parametrize('name', [*_NAMES.split(), '', 'é\x00'])
async def test_only_names_in_the_table_are_answered(library: HostLibrary, name: str) -> None:
    error = await _error(library, name, ['ls'])
    assert (error.kind, error.message) == ('TypeError', f'the host library has no {name}')


_METHODS = 'is not supported; use one of search match fullmatch finditer findall split sub subn'
_NAMES_IN_ARGUMENTS: list[tuple[str, list[Any], dict[str, Any], str | None]] = [
    ('re.method', ['a', 0, '__class__'], {}, f"'__class__' {_METHODS}"),
    ('re.method', ['a', 0, 'scanner', 'a'], {}, f"'scanner' {_METHODS}"),
    ('re.method', ['a', 0, 'sub', ['x'], 'a'], {}, "unhashable type: 'list'"),
    ('configparser.read', [['[a]\nx=1'], False], {'dict_type': 'os.system'}, "'str' object is not callable"),
    ('difflib.ndiff', [['a'], ['b'], 'os.system'], {}, "'str' object is not callable"),
    ('pprint.pformat', [1], {'stream': 1}, None),
    ('xml.etree.ElementTree.fromstring', ['<a/>'], {'parser': 1}, None),
]


@pytest.mark.parametrize(('name', 'args', 'kwargs', 'message'), _NAMES_IN_ARGUMENTS)
async def test_a_name_in_an_argument_is_never_looked_up(
    library: HostLibrary, name: str, args: list[Any], kwargs: dict[str, Any], message: str | None
) -> None:
    error = await _error(library, name, args, kwargs)
    assert error.kind not in ('TimeoutError', 'MemoryError')
    assert message is None or error.message == message


async def test_xml_entities_read_no_files_and_expand_within_limits(library: HostLibrary) -> None:
    outside = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    error = await _error(library, 'xml.etree.ElementTree.fromstring', [outside])
    assert (error.kind, error.message) == ('SyntaxError', 'undefined entity &x;: line 1, column 57')
    laughs = ''.join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE a [<!ENTITY l0 "{"ha" * 1000}">{laughs}]><a>&l11;</a>'
    error = await _error(library, 'xml.etree.ElementTree.fromstring', [bomb], seconds=2)
    assert error.kind in ('SyntaxError', 'MemoryError', 'TimeoutError')


_SLOW: list[tuple[str, list[Any]]] = [
    ('re.method', ['(a+)+$', 0, 'search', 'a' * 40 + 'b']),
    ('fractions.Fraction', ['1e999999999']),
    ('difflib.SequenceMatcher', ['ab' * 20_000, 'ba' * 20_000, [], False, 'ratio']),
    ('ast.literal_eval', ['9' * 4_000_000]),
]


@pytest.mark.parametrize(('name', 'args'), _SLOW)
async def test_a_call_that_takes_too_long_is_ended(library: HostLibrary, name: str, args: list[Any]) -> None:
    error = await _error(library, name, args, seconds=0.2)
    assert error.kind in ('TimeoutError', 'MemoryError', 'SyntaxError', 'ValueError')


@pytest.mark.parametrize(
    ('name', 'args'),
    [
        ('urllib.parse.quote', ['"' * 8_000_000]),
        ('re.method', ['', 0, 'subn', 'x' * 1000, 'y' * 1_000_000]),
    ],
)
async def test_a_call_that_takes_too_much_memory_is_ended(library: HostLibrary, name: str, args: list[Any]) -> None:
    error = await _error(library, name, args, seconds=60)
    assert error.kind == 'MemoryError'


@pytest.mark.parametrize(
    'value',
    ['a' * 100_000_000, [0] * 10_000_000, {'a': [b'x' * 9_000_000]}, 1 << 100_000_000],
    ids=['text', 'list', 'bytes', 'integer'],
)
async def test_large_arguments_are_refused_before_they_are_sent(library: HostLibrary, value: object) -> None:
    error = await _error(library, 'urllib.parse.quote', [value])
    assert (error.kind, error.message) == (
        'MemoryError',
        'urllib.parse.quote: the values take more than 8,388,608 bytes; pass less at once',
    )


async def test_deep_values_are_refused_on_both_sides(library: HostLibrary) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    error = await _error(library, 'pprint.pformat', [deep])
    assert error.message == 'pprint.pformat: the values are nested more than 100 levels deep; pass less at once'
    error = await _error(library, 'ast.literal_eval', ['[' * 150 + ']' * 150])
    assert error.message == 'ast.literal_eval: the values are nested more than 100 levels deep'
    error = await _error(library, 'xml.etree.ElementTree.fromstring', ['<a>' * 10_000 + '</a>' * 10_000])
    assert error.kind in ('RecursionError', 'MemoryError')


@pytest.mark.parametrize(
    'text', ['-' * 1_000_000 + '1', '(' * 100_000, '1+' * 100_000 + '1j', '{' * 5000], ids=range(4)
)
async def test_literals_that_break_the_parser_end_only_the_process(library: HostLibrary, text: str) -> None:
    error = await _error(library, 'ast.literal_eval', [text])
    assert error.kind in ('MemoryError', 'RecursionError', 'SyntaxError', 'ValueError')


_INSIDE = """
import os, subprocess, socket
from host_library.helper import _give_up, _warm
_warm()
_give_up()
def tried(function, *args):
    try:
        function(*args)
    except (OSError, ImportError) as error:
        return type(error).__name__
os.environ.pop('LC_CTYPE', None)  # Python's own, beside an empty environment
print(dict(os.environ), os.getcwd())
print(tried(open, '/etc/passwd'), tried(open, '/tmp/x', 'w'), tried(os.listdir, '/'), tried(socket.socket))
print(tried(os.pipe), tried(subprocess.run, ['ls']), tried(__import__, 'wave'))
"""


@pytest.mark.skipif(sys.platform != 'linux', reason='limits differ')
def test_the_process_has_no_environment_files_or_network_and_cannot_start_programs() -> None:
    code = _CODE.replace('from host_library.helper import main\nmain()\n', _INSIDE)
    done = subprocess.run(
        [sys.executable, '-I', '-S', '-c', code], env={'TZ': 'UTC'}, capture_output=True, text=True, check=True, cwd='/'
    )
    assert done.stdout.splitlines() == [
        "{'TZ': 'UTC'} /",
        'OSError OSError OSError OSError',
        'OSError OSError OSError',
    ], done.stdout + done.stderr


@pytest.mark.parametrize('name', [None, 1, ['statistics.mean'], b'statistics.mean', {'a': 1}])
async def test_a_name_must_be_a_text(library: HostLibrary, name: object) -> None:
    error = await _error(library, name)
    assert (error.kind, error.message) == ('TypeError', '_host__ takes the name of a function first')


async def test_objects_are_refused(library: HostLibrary) -> None:
    error = await _error(library, 'statistics.mean', [object()])
    assert (error.kind, error.message) == (
        'TypeError',
        'statistics.mean takes plain values only: object is not a plain value',
    )
