"""Pretty printing, which runs in CPython on the host."""


def pprint(object, stream=None, *args, **options):
    try:
        print(_host__('pprint.pformat', object, *args, **options))
    except TypeError:
        # Objects of scripts' own classes are shown on one line.
        print(repr(object))


def pp(object, stream=None, *args, sort_dicts=False, **options):
    pprint(object, stream, *args, sort_dicts=sort_dicts, **options)
