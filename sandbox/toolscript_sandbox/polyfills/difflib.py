"""CPython's own comparisons, on the host."""

from collections import namedtuple

from .arguments import plain

Match = namedtuple('Match', 'a b size')


class SequenceMatcher:
    def __init__(self, isjunk=None, a='', b='', autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.a, self.b = a, b

    def set_seqs(self, a, b): self.a, self.b = a, b
    def set_seq1(self, a): self.a = a
    def set_seq2(self, b): self.b = b
    def ratio(self): return self._asked('ratio')
    def quick_ratio(self): return self._asked('quick_ratio')
    def real_quick_ratio(self): return self._asked('real_quick_ratio')
    def get_opcodes(self): return self._asked('get_opcodes')
    def get_grouped_opcodes(self, n=3): return iter(self._asked('get_grouped_opcodes', n))
    def get_matching_blocks(self): return [Match(*block) for block in self._asked('get_matching_blocks')]
    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        return Match(*self._asked('find_longest_match', alo, ahi, blo, bhi))

    def _asked(self, method, *args):
        junk = [] if self.isjunk is None else [one for one in dict.fromkeys(self.b) if self.isjunk(one)]
        return _host__('difflib.SequenceMatcher', plain(self.a), plain(self.b), junk, self.autojunk, method, *args)


class Differ:
    def __init__(self, linejunk=None, charjunk=None):
        if linejunk is not None or charjunk is not None:
            raise TypeError('linejunk and charjunk are not available here: leave lines out before you compare')

    def compare(self, a, b): return iter(_host__('difflib.ndiff', plain(a), plain(b), None, None))
