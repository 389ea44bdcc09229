"""CPython's own function, on the host."""


def pformat(object, *args, **options): return _host__('pprint.pformat', object, *args, **options)
def pprint(object, stream=None, *args, **options): print(pformat(object, *args, **options))
def pp(object, stream=None, *args, sort_dicts=False, **options): print(pformat(object, *args, sort_dicts=sort_dicts, **options))
