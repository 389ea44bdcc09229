"""Executors that run each function at once, for there are no threads."""


class Future:
    def __init__(self, value=None, error=None):
        self._value = value
        self._error = error

    def result(self, timeout=None):
        if self._error is not None:
            raise self._error
        return self._value

    def exception(self, timeout=None):
        return self._error

    def done(self):
        return True

    def cancelled(self):
        return False


class ThreadPoolExecutor:
    def __init__(self, max_workers=None, *rest, **options):
        self._max_workers = max_workers

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False

    def submit(self, _submitted, /, *args, **kwargs):
        try:
            return Future(_submitted(*args, **kwargs))
        except Exception as error:
            return Future(error=error)

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        return iter([fn(*items) for items in zip(*iterables)])

    def shutdown(self, wait=True, cancel_futures=False):
        return None


def ProcessPoolExecutor(max_workers=None, *rest, **options):
    return ThreadPoolExecutor(max_workers)


def as_completed(fs, timeout=None):
    return iter(list(fs))
