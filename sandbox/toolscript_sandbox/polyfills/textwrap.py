"""CPython's own functions, on the host."""


def indent(text, prefix, predicate=None):
    if predicate is None:
        return _host__('textwrap.indent', text, prefix)
    return ''.join([prefix + line if predicate(line) else line for line in text.splitlines(True)])


class TextWrapper:
    def __init__(self, width=70, **options):
        self.width = width
        self._options = options

    def wrap(self, text):
        return _host__('textwrap.wrap', text, self.width, **self._options)

    def fill(self, text):
        return '\n'.join(self.wrap(text))
