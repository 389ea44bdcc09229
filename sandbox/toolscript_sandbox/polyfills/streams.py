"""The methods of the streams that a script prints to."""

import sys


def _written(text, stream):
    if not isinstance(text, str):
        raise TypeError(f'write() argument must be str, not {type(text).__name__}')
    print(text, end='', file=stream)
    return len(text)


def stdout_write(text):
    return _written(text, sys.stdout)


def stderr_write(text):
    return _written(text, sys.stderr)


def stdout_writelines(lines):
    for line in lines:
        _written(line, sys.stdout)


def stderr_writelines(lines):
    for line in lines:
        _written(line, sys.stderr)


def stdout_flush():
    return None


def stderr_flush():
    return None
