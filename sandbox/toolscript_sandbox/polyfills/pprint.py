"""CPython's own function, on the host."""


def pprint(object, stream=None, *args, **options):
    try:
        print(_host__('pprint.pformat', object, *args, **options))
    except TypeError:
        # Objects of own classes are shown in one line.
        print(repr(object))


def pp(object, stream=None, *args, sort_dicts=False, **options):
    pprint(object, stream, *args, sort_dicts=sort_dicts, **options)
