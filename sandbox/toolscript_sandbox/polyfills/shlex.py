"""CPython's own functions, on the host."""


def join(split_command): return _host__('shlex.join', list(split_command))
def quote(s): return _host__('shlex.quote', s)
def split(s, comments=False, posix=True): return _host__('shlex.split', s, comments, posix)
