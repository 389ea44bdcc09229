"""A pattern as a list of instructions, to be matched step by step."""

from .pattern_widths import ENDLESS, width_of


def program_of(node):
    """The instructions for a whole part, with a match at their end."""
    steps = []
    _program(node, steps)
    steps.append(('match',))
    return steps


def _program(node, out):
    kind = node[0]
    if kind in ('char', 'any', 'set', 'at', 'ref'):
        out.append(node)
    elif kind == 'seq':
        for part in node[1]:
            _program(part, out)
    elif kind == 'alt':
        jumps = []
        for number, part in enumerate(node[1]):
            if number + 1 < len(node[1]):
                split = len(out)
                out.append(None)
                _program(part, out)
                jumps.append(len(out))
                out.append(None)
                out[split] = ('split', split + 1, len(out))
            else:
                _program(part, out)
        for jump in jumps:
            out[jump] = ('jump', len(out))
    elif kind == 'rep':
        _program_repeated(node, out)
    elif kind == 'group':
        if node[1]:
            out.append(('save', 2 * node[1]))
        _program(node[2], out)
        if node[1]:
            out.append(('save', 2 * node[1] + 1))
    elif kind in ('look', 'atomic'):
        inner = program_of(node[3] if kind == 'look' else node[1])
        out.append(('look', node[1], node[2], inner, node[4]) if kind == 'look' else ('atomic', inner))
    elif kind == 'cond':
        place = len(out)
        out.append(None)
        _program(node[2], out)
        jump = len(out)
        out.append(None)
        out[place] = ('cond', node[1], place + 1, len(out))
        _program(node[3], out)
        out[jump] = ('jump', len(out))


def _program_repeated(node, out):
    _, low, high, mode, part = node
    if mode == 'possessive':
        out.append(('atomic', program_of(('rep', low, high, 'greedy', part))))
    elif part[0] in ('char', 'any', 'set'):
        out.append(('run', part, low, high, mode == 'lazy'))
    else:
        slot = len(out)
        out.append(('enter', slot))
        loop = len(out)
        out.append(None)
        _program(part, out)
        out.append(('jump', loop))
        out[loop] = ('loop', slot, low, high, mode == 'lazy', loop + 1, len(out))
