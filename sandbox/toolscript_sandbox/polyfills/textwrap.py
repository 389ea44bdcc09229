"""`textwrap.indent`, whose predicate the host cannot call. CPython computes the other functions on the host."""


def indent(text, prefix, predicate=None):
    lines = text.splitlines(True)
    return ''.join([prefix + line if (predicate(line) if predicate else line.strip()) else line for line in lines])
