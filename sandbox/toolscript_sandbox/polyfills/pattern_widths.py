"""How many characters a part of a pattern takes, at least and at most."""

ENDLESS = 4294967295


def width_of(node, widths):
    """Both of them. `widths` are those of groups that the part may refer to."""
    kind = node[0]
    if kind in ('char', 'any', 'set'):
        return (1, 1)
    if kind in ('at', 'look'):
        return (0, 0)
    if kind == 'seq':
        low = high = 0
        for part in node[1]:
            a, b = width_of(part, widths)
            low, high = low + a, high + b
        return (low, min(high, ENDLESS))
    if kind == 'alt':
        both = [width_of(part, widths) for part in node[1]]
        return (min([a for a, _ in both]), max([b for _, b in both]))
    if kind == 'rep':
        a, b = width_of(node[4], widths)
        return (a * node[1], min(b * node[2], ENDLESS))
    if kind == 'group':
        return width_of(node[2], widths)
    if kind == 'atomic':
        return width_of(node[1], widths)
    if kind == 'cond':
        (a, b), (c, d) = width_of(node[2], widths), width_of(node[3], widths)
        return (min(a, c), max(b, d))
    return widths.get(node[1], (0, ENDLESS))
