"""Likeness of sequences."""


class SequenceMatcher:
    def __init__(self, isjunk=None, a='', b='', autojunk=True):
        self.a, self.b = a, b

    def set_seqs(self, a, b):
        self.a, self.b = a, b

    def set_seq1(self, a):
        self.a = a

    def set_seq2(self, b):
        self.b = b

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        ahi = len(self.a) if ahi is None else ahi
        bhi = len(self.b) if bhi is None else bhi
        best, lengths = (alo, blo, 0), {}
        for i in range(alo, ahi):
            row = {}
            for j in range(blo, bhi):
                if self.a[i] == self.b[j]:
                    size = row[j] = lengths.get(j - 1, 0) + 1
                    if size > best[2]:
                        best = (i - size + 1, j - size + 1, size)
            lengths = row
        return best

    def get_matching_blocks(self):
        return [*self._blocks(0, len(self.a), 0, len(self.b)), (len(self.a), len(self.b), 0)]

    def _blocks(self, alo, ahi, blo, bhi):
        i, j, size = self.find_longest_match(alo, ahi, blo, bhi)
        if not size:
            return []
        return [*self._blocks(alo, i, blo, j), (i, j, size), *self._blocks(i + size, ahi, j + size, bhi)]

    def ratio(self):
        total = len(self.a) + len(self.b)
        return 2 * sum([block[2] for block in self.get_matching_blocks()]) / total if total else 1.0

    def quick_ratio(self):
        return self.ratio()

    def get_opcodes(self):
        codes, i, j = [], 0, 0
        for ai, bj, size in self.get_matching_blocks():
            tag = 'replace' if i < ai and j < bj else 'delete' if i < ai else 'insert' if j < bj else ''
            if tag:
                codes.append((tag, i, ai, j, bj))
            if size:
                codes.append(('equal', ai, ai + size, bj, bj + size))
            i, j = ai + size, bj + size
        return codes


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    scored = [(SequenceMatcher(None, other, word).ratio(), other) for other in possibilities]
    close = sorted([entry for entry in scored if entry[0] >= cutoff], reverse=True)
    return [other for _, other in close[:n]]


def ndiff(a, b):
    lines = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b).get_opcodes():
        if tag == 'equal':
            lines.extend([f'  {line}' for line in a[i1:i2]])
        else:
            lines.extend([f'- {line}' for line in a[i1:i2]])
            lines.extend([f'+ {line}' for line in b[j1:j2]])
    return iter(lines)


def unified_diff(a, b, fromfile='', tofile='', fromfiledate='', tofiledate='', n=3, lineterm='\n'):
    codes = SequenceMatcher(None, a, b).get_opcodes()
    if all([code[0] == 'equal' for code in codes]):
        return iter([])
    lines = [f'--- {fromfile}{lineterm}', f'+++ {tofile}{lineterm}', f'@@ -1,{len(a)} +1,{len(b)} @@{lineterm}']
    for tag, i1, i2, j1, j2 in codes:
        if tag == 'equal':
            lines.extend([f' {line}' for line in a[i1:i2]])
        else:
            lines.extend([f'-{line}' for line in a[i1:i2]])
            lines.extend([f'+{line}' for line in b[j1:j2]])
    return iter(lines)
