"""Tracebacks without frames."""


def format_exc(limit=None, chain=True):
    return 'the error is not at hand here; use `except Exception as error` and str(error)'


def print_exc(limit=None, file=None, chain=True):
    print(format_exc())
