"""What Monty's files and paths lack: other encodings, `'x'`, all that a file can be gone over by, and lines at once.

A file that is read is read when it is opened, so that builtins, which cannot wait for the host, may go over it.
"""

from .io import StringIO

_FILES = ('TextIOWrapper', 'BufferedReader', 'BufferedWriter')
_UTF_8 = ('utf-8', 'utf8', 'u8')


def _is_file(obj):
    return type(obj).__name__ in _FILES


def _is_path(obj):
    return type(obj).__name__ == 'PosixPath'


def open_file(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    if 'b' in mode:
        for name, given in (('encoding', encoding), ('errors', errors), ('newline', newline)):
            if given is not None:
                told = 'a newline' if name == 'newline' else f'an {name}'
                raise ValueError(f"binary mode doesn't take {told} argument")
        return _opened(file, mode, None)
    if newline not in (None, '', '\n', '\r', '\r\n'):
        raise ValueError(f'illegal newline value: {newline}')
    if _is_plain(encoding, errors):
        return _opened(file, mode, newline)
    if mode not in ('r', 'rt'):
        raise NotImplementedError('files are written in UTF-8 here; Path.write_text(text, encoding=...) knows others')
    text = StringIO(_file__('text', str(file), encoding or 'utf-8', errors or 'strict'), newline)
    text.name, text.mode, text.write, text.writelines, text.truncate = (
        str(file),
        'r',
        _unwritable,
        _unwritable,
        _unwritable,
    )
    text.writable = _no
    return text


def _opened(file, mode, newline):
    if 'x' in mode:
        open(file, mode.replace('x', 'a')).close() if '+' in mode else _file__('touch', str(file), False)
        mode = mode.replace('x', 'w')
    found = open(file, mode) if 'b' in mode else open(file, mode, newline=newline)
    if 'r' in mode:
        found.seek(0)
    return found


def _is_plain(encoding, errors):
    known = encoding is None or encoding.lower().replace('_', '-') in _UTF_8
    return known and errors in (None, 'strict')


def _unwritable(*args):
    raise ValueError('not writable')


def _no():
    return False


def path_open(obj, *args, **given):
    return open_file(obj, *args, **given) if _is_path(obj) else obj.open(*args, **given)


def read_text(obj, encoding=None, errors=None):
    if not _is_path(obj):
        return obj.read_text()
    if _is_plain(encoding, errors):
        return obj.open().read()
    return open_file(obj, 'r', -1, encoding, errors).read()


def write_text(obj, data, encoding=None, errors=None, newline=None):
    if not _is_path(obj):
        return obj.write_text(data)
    if not isinstance(data, str):
        raise TypeError(f'data must be str, not {type(data).__name__}')
    if newline not in (None, '', '\n', '\r', '\r\n'):
        raise ValueError(f'illegal newline value: {newline}')
    text = data if newline in (None, '', '\n') else data.replace('\n', newline)
    if _is_plain(encoding, errors):
        obj.write_text(text)
    else:
        _file__('write', str(obj), text, encoding or 'utf-8', errors or 'strict')
    return len(data)


def touch(obj, mode=438, exist_ok=True):
    return _file__('touch', str(obj), bool(exist_ok)) if _is_path(obj) else obj.touch()


def seek(obj, offset, whence=0, /):
    if not _is_file(obj):
        return obj.seek(offset, whence)
    if 'r' not in obj.mode:
        raise OSError('a file that is written has no other place here than its end')
    if 'b' not in obj.mode and offset != 0:
        raise OSError("only the start and the end of a text file can be sought here: open it as bytes, 'rb'")
    return obj.seek(offset, whence)


def tell(obj, /):
    if _is_file(obj) and ('r' not in obj.mode or 'b' not in obj.mode):
        raise OSError("only files that are read as bytes, 'rb', tell their place here")
    return obj.tell()


def writelines(obj, lines, /):
    if not _is_file(obj):
        return obj.writelines(lines)
    lines = list(lines)
    for line in lines:
        kind = bytes if 'b' in obj.mode else str
        if not isinstance(line, kind):
            if kind is bytes:
                raise TypeError(f"a bytes-like object is required, not '{type(line).__name__}'")
            raise TypeError(f'write() argument must be str, not {type(line).__name__}')
    obj.write((b'' if 'b' in obj.mode else '').join(lines))


def errno(obj):
    return obj.errno if _has(obj, 'errno') else _told(obj)[0]


def strerror(obj):
    return obj.strerror if _has(obj, 'strerror') else _told(obj)[1]


def filename(obj):
    return obj.filename if _has(obj, 'filename') else _told(obj)[2]


def _has(obj, name):
    # An exception of the host's is met without any of it.
    return hasattr(obj, name) and getattr(obj, name) is not None


def _told(obj):
    # What the host says: [Errno 2] No such file or directory: '/data/x.csv'
    text = str(obj)
    if not text.startswith('[Errno '):
        return None, None, None
    number, _, rest = text[7:].partition('] ')
    said, _, path = rest.partition(': ')
    path = path.partition("' -> '")[0]
    return int(number), said, path[1:].removesuffix(path[0]) if path else None
