"""Matching step by step, as CPython's own matcher goes about it; what can be taken back lies on one stack."""

from .pattern_widths import ENDLESS

_ALIKE = [
    'i\u0131',
    's\u017f',
    '\xb5\u03bc',
    '\u0345\u03b9\u1fbe',
    '\u0390\u1fd3',
    '\u03b0\u1fe3',
    '\u03b2\u03d0',
    '\u03b5\u03f5',
    '\u03b8\u03d1',
    '\u03ba\u03f0',
    '\u03c0\u03d6',
    '\u03c1\u03f1',
    '\u03c2\u03c3',
    '\u03c6\u03d5',
    '\u1e61\u1e9b',
    '\ufb05\ufb06',
    '\u0432\u1c80',
    '\u0434\u1c81',
    '\u043e\u1c82',
    '\u0441\u1c83',
    '\u0442\u1c84\u1c85',
    '\u044a\u1c86',
    '\u0463\u1c87',
    '\ua64b\u1c88',
]


def _folded(char, ascii):
    if char.isascii():
        return char.lower()
    if ascii:
        return char
    if char == '\u0130':
        return 'i'
    low = char.lower()
    low = low if len(low) == 1 else char
    for alike in _ALIKE:
        if low in alike:
            return alike[0]
    return low


def _variants(char, ascii):
    if ascii and not char.isascii():
        return [char]
    fold = _folded(char, ascii)
    found = [char, fold]
    for alike in [] if ascii else _ALIKE:
        if fold in alike:
            found += list(alike)
    uppers = [one.upper() for one in found]
    return found + [one for one in uppers if len(one) == 1 and (one.isascii() or not ascii)]


def _is_word(char, ascii):
    return (char.isalnum() and (not ascii or char.isascii())) or char == '_'


def _in_class(char, letter, ascii):
    kind = letter.lower()
    if ascii and not char.isascii():
        found = False
    elif kind == 'd':
        found = char.isdecimal()
    elif kind == 's':
        found = char in ' \t\n\r\x0b\x0c' if ascii else char.isspace() or char in '\x1c\x1d\x1e\x1f'
    else:
        found = _is_word(char, ascii)
    return found if letter == kind else not found


def _in_items(char, items):
    for item in items:
        if _in_class(char, item[1], item[2]) if item[0] == 'cat' else item[1] <= char <= item[2]:
            return True
    return False


def _fits(node, char):
    kind = node[0]
    if kind == 'char':
        return char == node[1] or (bool(node[2]) and _folded(char, node[3]) == _folded(node[1], node[3]))
    if kind == 'any':
        return node[1] or char != '\n'
    _, negated, items, ignore, ascii = node
    found = _in_items(char, items)
    if not found and ignore:
        for other in _variants(char, ascii):
            if _in_items(other, items):
                found = True
                break
    return found != negated


def _stands(kind, text, place, end):
    if kind == 'start':
        return place == 0
    if kind == 'end':
        return place == end
    if kind == 'last':
        return place == end or (place == end - 1 and text[place] == '\n')
    if kind == 'line start':
        return place == 0 or text[place - 1] == '\n'
    if kind == 'line end':
        return place == end or text[place] == '\n'
    if end == 0:
        return False
    ascii = kind.endswith('ascii')
    before = place > 0 and _is_word(text[place - 1], ascii)
    after = place < end and _is_word(text[place], ascii)
    return (before != after) == kind.startswith('word')


def run(program, text, place, end, caps, wanted=None, barred=-1):
    """The place behind a match that begins here, or -1. `caps` gets the groups; its first item is the last group closed."""
    stack, slots, at = [], {}, 0
    while True:
        step = program[at]
        kind = step[0]
        good = True
        if kind in ('char', 'any', 'set'):
            if place < end and _fits(step, text[place]):
                place += 1
                at += 1
            else:
                good = False
        elif kind == 'run':
            _, part, low, high, lazy = step
            limit = end if high == ENDLESS else min(end, place + high)
            here = place
            if lazy:
                limit = min(limit, place + low)
            while here < limit and _fits(part, text[here]):
                here += 1
            if here < place + low:
                good = False
            else:
                if lazy:
                    stack.append(('more', at, here, end if high == ENDLESS else min(end, place + high)))
                elif here > place + low:
                    stack.append(('less', at + 1, here - 1, place + low))
                place = here
                at += 1
        elif kind == 'save':
            stack.append(('undo', step[1], caps[step[1]], caps[0]))
            caps[step[1]] = place
            if step[1] % 2:
                caps[0] = step[1] // 2
            at += 1
        elif kind == 'split':
            stack.append(('go', step[2], place))
            at = step[1]
        elif kind == 'jump':
            at = step[1]
        elif kind == 'at':
            good = _stands(step[1], text, place, end)
            at += 1
        elif kind == 'enter':
            stack.append(('slot', step[1], slots.get(step[1])))
            slots[step[1]] = (-1, -1)
            at += 1
        elif kind == 'loop':
            _, slot, low, high, lazy, body, tail = step
            count, last = slots[slot]
            stack.append(('slot', slot, slots[slot]))
            count += 1
            if count < low:
                slots[slot] = (count, last)
                at = body
            elif count < high and place != last:
                if lazy:
                    stack.append(('again', slot, (count, place), body, place))
                    at = tail
                else:
                    stack.append(('leave', slot, (count, last), tail, place))
                    slots[slot] = (count, place)
                    at = body
            else:
                at = tail
        elif kind == 'ref':
            start, stop = caps[2 * step[1]], caps[2 * step[1] + 1]
            size = stop - start
            if start < 0 or stop < 0 or place + size > end:
                good = False
            else:
                said, here = text[start:stop], text[place : place + size]
                if said != here and step[2]:
                    said = [_folded(char, step[3]) for char in said]
                    here = [_folded(char, step[3]) for char in here]
                good = said == here
                place += size
                at += 1
        elif kind == 'look':
            _, direction, negative, inner, width = step
            start = place if direction > 0 else place - width
            kept = list(caps)
            found = start >= 0 and run(inner, text, start, end, caps) >= 0
            if not found or negative:
                caps[:] = kept
            else:
                stack.append(('caps', kept))
            good = found != negative
            at += 1
        elif kind == 'atomic':
            kept = list(caps)
            found = run(step[1], text, place, end, caps)
            if found < 0:
                caps[:] = kept
                good = False
            else:
                stack.append(('caps', kept))
                place = found
                at += 1
        elif kind == 'cond':
            at = step[2] if caps[2 * step[1] + 1] >= 0 and caps[2 * step[1]] >= 0 else step[3]
        elif (wanted is None or place == wanted) and place != barred:
            return place
        else:
            good = False
        if good:
            continue
        while True:
            if not stack:
                return -1
            back = stack.pop()
            kind = back[0]
            if kind == 'undo':
                caps[back[1]] = back[2]
                caps[0] = back[3]
            elif kind == 'slot':
                slots[back[1]] = back[2]
            elif kind == 'caps':
                caps[:] = back[1]
            elif kind == 'go':
                at, place = back[1], back[2]
                break
            elif kind == 'less':
                at, place = back[1], back[2]
                if place > back[3]:
                    stack.append(('less', at, place - 1, back[3]))
                break
            elif kind == 'more':
                if back[2] < back[3] and _fits(program[back[1]][1], text[back[2]]):
                    stack.append(('more', back[1], back[2] + 1, back[3]))
                    at, place = back[1] + 1, back[2] + 1
                    break
            else:
                slots[back[1]] = back[2]
                at, place = back[3], back[4]
                break
