"""CPython's own function, on the host."""


def pprint(object, stream=None, *args, **options): print(_host__('pprint.pformat', object, *args, **options))
def pp(object, stream=None, *args, sort_dicts=False, **options): print(_host__('pprint.pformat', object, *args, sort_dicts=sort_dicts, **options))
