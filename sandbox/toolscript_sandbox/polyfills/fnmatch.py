"""CPython's own functions, on the host."""


def filter(names, pat): return _host__('fnmatch.filter', list(names), pat)
def fnmatch(name, pat): return _host__('fnmatch.fnmatchcase', name, pat)
def fnmatchcase(name, pat): return _host__('fnmatch.fnmatchcase', name, pat)
def translate(pat): return _host__('fnmatch.translate', pat)
