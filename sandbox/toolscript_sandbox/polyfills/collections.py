"""What Monty's `collections` lacks. An `OrderedDict` is a plain dict, which has the extra methods here."""


def OrderedDict(*args, **kwargs): return dict(*args, **kwargs)
def OrderedDict_fromkeys(iterable, value=None): return dict.fromkeys(iterable, value)
