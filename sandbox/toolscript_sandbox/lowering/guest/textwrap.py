"""Filling and indenting text."""


def _pieces(text, width):
    pieces = []
    for word in text.split():
        while len(word) > width:
            pieces.append(word[:width])
            word = word[width:]
        if word:
            pieces.append(word)
    return pieces


def wrap(text, width=70, initial_indent='', subsequent_indent='', **options):
    lines, line, prefix = [], '', initial_indent
    for piece in _pieces(text, width):
        longer = f'{line} {piece}' if line else prefix + piece
        if line and len(longer) > width:
            lines.append(line)
            prefix = subsequent_indent
            longer = prefix + piece
        line = longer
    return lines + [line] if line else lines


def fill(text, width=70, **options):
    return '\n'.join(wrap(text, width, **options))


def shorten(text, width, placeholder=' [...]', **options):
    words = text.split()
    whole = ' '.join(words)
    if len(whole) <= width:
        return whole
    while words and len(' '.join(words) + placeholder) > width:
        words.pop()
    return ' '.join(words) + placeholder if words else placeholder.strip()


def indent(text, prefix, predicate=None):
    chosen = predicate or (lambda line: bool(line.strip()))
    return ''.join([(prefix + line if chosen(line) else line) for line in text.splitlines(True)])


def dedent(text):
    lines = text.split('\n')
    margin = None
    for line in lines:
        if not line.strip():
            continue
        space = line[: len(line) - len(line.lstrip())]
        if margin is None:
            margin = space
        while not line.startswith(margin):
            margin = margin[:-1]
    size = len(margin or '')
    return '\n'.join([(line[size:] if line.strip() else '') for line in lines])
