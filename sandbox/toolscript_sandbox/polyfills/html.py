"""CPython's own functions, on the host."""


def escape(s, quote=True): return _host__('html.escape', s, quote)
def unescape(s): return _host__('html.unescape', s)
