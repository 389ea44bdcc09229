"""Printing of nested values."""

import json


def pformat(object, indent=1, width=80, **options):
    text = repr(object)
    if len(text) <= width:
        return text
    try:
        return json.dumps(object, indent=2)
    except TypeError:
        return text


def pprint(object, stream=None, indent=1, width=80, **options):
    print(pformat(object, indent, width))


def pp(object, *args, **options):
    pprint(object)
