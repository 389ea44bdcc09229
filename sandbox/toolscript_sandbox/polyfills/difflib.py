"""Comparisons, which run in CPython on the host."""

from collections import namedtuple

from .host import plain

Match = namedtuple('Match', 'a b size')


class SequenceMatcher:
    def __init__(self, isjunk=None, a='', b='', autojunk=True):
        self.isjunk, self.autojunk, self.a, self.b = isjunk, autojunk, a, b

    def ratio(self): return self._asked('ratio')
    def get_opcodes(self): return self._asked('get_opcodes')
    def get_matching_blocks(self): return [Match(*block) for block in self._asked('get_matching_blocks')]

    def _asked(self, method):
        junk = [] if self.isjunk is None else [one for one in dict.fromkeys(self.b) if self.isjunk(one)]
        return _host__('difflib.SequenceMatcher', plain(self.a), plain(self.b), junk, self.autojunk, method)
