"""What Monty's files lack: other encodings, `'x'`, `writelines`; and errors about what files do not support here.

A file is read when it is opened for reading, so that builtins, which cannot wait for the host, can iterate over it.
"""

from .io import StringIO
from .natives import open as _open


def open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
    if 'b' in mode:
        for name, given in (('an encoding', encoding), ('an errors', errors), ('a newline', newline)):
            if given is not None:
                raise ValueError(f"binary mode doesn't take {name} argument")
        return _opened(file, mode, None)
    _check_newline(newline)
    if _is_plain(encoding, errors):
        return _opened(file, mode, newline)
    if mode not in ('r', 'rt'):
        raise NotImplementedError('files are written in UTF-8 here; Path.write_text(text, encoding=...) knows others')
    data = _file__('text', str(file), encoding or 'utf-8', errors or 'strict')
    text = StringIO(data.replace('\r\n', '\n').replace('\r', '\n') if newline is None else data)
    text.name, text.mode = str(file), 'r'
    return text


def _opened(file, mode, newline):
    if 'x' in mode and '+' not in mode:
        _file__('touch', str(file), False)
        mode = mode.replace('x', 'w')
    found = _open(file, mode) if 'b' in mode else _open(file, mode, newline=newline)
    if 'r' in mode:
        found.seek(0)
    return found


def _check_newline(newline):
    if newline not in (None, '', '\n', '\r', '\r\n'):
        raise ValueError(f'illegal newline value: {newline}')


def _is_plain(encoding, errors):
    name = 'utf-8' if encoding is None else encoding.lower().replace('_', '-')
    return name in ('utf-8', 'utf8', 'u8') and errors in (None, 'strict')


def call(_obj, _name, *args, **kwargs):
    """Call a method: files and paths have theirs here, other objects have their own."""
    found = _METHODS.get(type(_obj).__name__, {}).get(_name)
    return getattr(_obj, _name)(*args, **kwargs) if found is None else found(_obj, *args, **kwargs)


def _write_text(path, data, encoding=None, errors=None, newline=None):
    if not isinstance(data, str):
        raise TypeError(f'data must be str, not {type(data).__name__}')
    _check_newline(newline)
    text = data.replace('\n', newline) if newline else data
    if _is_plain(encoding, errors):
        path.write_text(text)
    else:
        _file__('write', str(path), text, encoding or 'utf-8', errors or 'strict')
    return len(data)


def _seek(file, offset, whence=0, /):
    if 'r' not in file.mode or offset != 0:
        raise OSError('only the start and the end of a file that is read can be sought here')
    return file.seek(offset, whence)


def _tell(file, /): raise OSError('open files have no tell here: read the file, and slice what you read')


def _writelines(file, lines, /): file.write((b'' if 'b' in file.mode else '').join(list(lines)))


_FILE = {'seek': _seek, 'tell': _tell, 'writelines': _writelines}
_METHODS = {
    **dict.fromkeys(['TextIOWrapper', 'BufferedReader', 'BufferedWriter'], _FILE),
    'PosixPath': {
        'open': open,
        'read_text': lambda path, encoding=None, errors=None: open(path, 'r', -1, encoding, errors).read(),
        'write_text': _write_text,
        'touch': lambda path, mode=438, exist_ok=True: _file__('touch', str(path), bool(exist_ok)),
    },
}
