"""CPython's own comparisons, on the host."""

from collections import namedtuple

from .host import plain

Match = namedtuple('Match', 'a b size')


class SequenceMatcher:
    def __init__(self, isjunk=None, a='', b='', autojunk=True):
        self.isjunk, self.autojunk, self.a, self.b = isjunk, autojunk, a, b

    def set_seqs(self, a, b): self.a, self.b = a, b
    def set_seq1(self, a): self.a = a
    def set_seq2(self, b): self.b = b
    def ratio(self): return self._asked('ratio')
    def quick_ratio(self): return self._asked('quick_ratio')
    def get_opcodes(self): return self._asked('get_opcodes')
    def get_matching_blocks(self): return [Match(*block) for block in self._asked('get_matching_blocks')]
    def find_longest_match(self, *args): return Match(*self._asked('find_longest_match', *args))

    def _asked(self, method, *args):
        junk = [] if self.isjunk is None else [one for one in dict.fromkeys(self.b) if self.isjunk(one)]
        return _host__('difflib.SequenceMatcher', plain(self.a), plain(self.b), junk, self.autojunk, method, *args)
