"""The process in which the functions of the table run: `main`.

It starts in CPython's isolated mode with an empty environment, imports the table, limits its files, children and
memory, and then answers requests on its standard input until that ends. A request is a length of four bytes, the
seconds it may take in ten, and the JSON of [name, arguments, keyword arguments]. The answer is a length and the JSON of
['value', result] or ['raised', builtin class, message].

If the system has timers, the process kills itself when a request takes too long: the timers also stop a regular
expression in C code, and work when the client has ended or is busy. One measures the time of the request; the other
measures processor time, so that small requests do not fail on a busy machine.
"""

import os
import signal
import sys
from typing import Any

from .table import functions
from .values import ValueTooLarge, dumped, loaded

MEMORY_BYTES = 512 * 1024 * 1024
MAX_CPU_SECONDS = 5.0
"""The limit of processor time for one request."""
MAX_BYTES = 16 * 1024 * 1024
"""The maximum size of a request and of an answer."""
_HEADER_BYTES = 14
_ENCODINGS = (
    'ascii big5 cp437 cp850 cp1250 cp1251 cp1252 euc-jp euc-kr gb18030 gbk idna iso8859-2 iso8859-15 koi8-r latin-1 '
    'mac-roman punycode shift_jis utf-7 utf-8 utf-8-sig utf-16 utf-16-be utf-16-le utf-32 utf-32-be utf-32-le'
)


def main() -> None:
    """Answer requests until the input ends, then end the process."""
    # Only the client may use the descriptors.
    sys.stdin = sys.stdout = None
    _warm()
    _give_up()
    while len(header := _read(_HEADER_BYTES)) == _HEADER_BYTES:
        # The time starts here, because reading a request takes time too.
        _alarm(float(header[4:]))
        answer = _answer(_read(int.from_bytes(header[:4], 'big')))
        _alarm(0)
        _write(len(answer).to_bytes(4, 'big') + answer)
    os._exit(0)


def _warm() -> None:
    # Codecs are imported on first use.
    for encoding in _ENCODINGS.split():
        'a'.encode(encoding).decode(encoding)
    functions['xml.etree.ElementTree.fromstring']('<a/>')
    functions['datetime.datetime.strptime']('2000', '%Y')


def _give_up() -> None:
    os.chdir('/')
    if sys.platform == 'win32':  # It has no such limits, and the client kills a process that takes too long.
        return
    import resource

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    # The client handles interrupts from the terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name, most in [
        ('RLIMIT_AS', MEMORY_BYTES),
        ('RLIMIT_NOFILE', 0),
        ('RLIMIT_FSIZE', 0),
        ('RLIMIT_NPROC', 0),
        ('RLIMIT_CORE', 0),
    ]:
        # macOS refuses the memory limit.
        try:
            resource.setrlimit(getattr(resource, name), (most, most))
        except (AttributeError, ValueError, OSError):  # pragma: no cover
            continue


def _answer(request: bytes) -> bytes:
    name, args, kwargs = loaded(request)
    if name not in functions:
        return _raised('TypeError', f'the host library has no {name}')
    try:
        result: Any = functions[name](*args, **kwargs)
        return dumped(['value', list(result) if hasattr(result, '__next__') else result], MAX_BYTES)
    except ValueTooLarge as error:
        return _raised('MemoryError', f'{name}: {error}')
    except MemoryError as error:
        return _raised('MemoryError', str(error) or f'{name} took too much memory; pass less at once')
    except Exception as error:
        first = error.args[0] if isinstance(error, KeyError) and error.args else error
        kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == 'builtins')
        # Errors of modules, such as `re.error`, become ValueErrors in scripts, so that scripts can catch them.
        kind = 'ValueError' if kind == 'Exception' else kind
        return _raised(kind, str(first)[:10_000].encode('utf-8', 'replace').decode())


def _raised(kind: str, message: str) -> bytes:
    return dumped(['raised', kind, message], MAX_BYTES)


def _alarm(seconds: float) -> None:
    if sys.platform != 'win32':
        signal.setitimer(signal.ITIMER_REAL, seconds)
        signal.setitimer(signal.ITIMER_PROF, min(seconds, MAX_CPU_SECONDS))


def _read(size: int) -> bytes:
    """Read this many bytes, or fewer if the input ends."""
    parts = list[bytes]()
    while size > 0 and (part := os.read(0, min(size, 1 << 20))):
        parts.append(part)
        size -= len(part)
    return b''.join(parts)


def _write(data: bytes) -> None:
    view: Any = memoryview(data)
    while view:
        view = view[os.write(1, view) :]
