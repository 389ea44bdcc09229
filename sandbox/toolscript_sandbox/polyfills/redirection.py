"""`print` into a stream of the script's own."""

_streams = []


class redirect_stdout:
    def __init__(self, new_target): self._target = new_target

    def __enter__(self):
        _streams.append(self._target)
        return self._target

    def __exit__(self, kind, error, trace): _streams.pop()


def printed(*values, sep=None, end=None, file=None, flush=False):
    stream = _streams[-1] if file is None and _streams else file
    if not hasattr(stream, 'getvalue'):
        print(*values, sep=sep, end=end, file=stream)
    else:
        text = (' ' if sep is None else sep).join([str(value) for value in values])
        stream.write(text + ('\n' if end is None else end))
