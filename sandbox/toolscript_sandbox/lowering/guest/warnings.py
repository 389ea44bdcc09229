"""Warnings, which nobody would see."""


def warn(message, category=None, stacklevel=1, source=None):
    return None


def filterwarnings(*args, **options):
    return None


def simplefilter(*args, **options):
    return None
