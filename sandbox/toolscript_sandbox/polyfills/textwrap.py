"""CPython's own functions, on the host."""


def dedent(text): return _host__('textwrap.dedent', text)
def fill(text, width=70, **options): return _host__('textwrap.fill', text, width, **options)
def shorten(text, width, **options): return _host__('textwrap.shorten', text, width, **options)
def wrap(text, width=70, **options): return _host__('textwrap.wrap', text, width, **options)


def indent(text, prefix, predicate=None):
    if predicate is None:
        return _host__('textwrap.indent', text, prefix)
    return ''.join([prefix + line if predicate(line) else line for line in text.splitlines(True)])


class TextWrapper:
    def __init__(self, width=70, **options):
        self.width = width
        self._options = options

    def wrap(self, text): return _host__('textwrap.wrap', text, self.width, **self._options)
    def fill(self, text): return '\n'.join(self.wrap(text))
