"""Warnings, which are not shown."""


def warn(message, category=None, stacklevel=1, source=None): return None
def filterwarnings(action, *args, **options): return None


simplefilter = filterwarnings
