"""What stands in the place of what was found: templates, read and filled."""

from .pattern_reading import ESCAPES, fail


def template_of(pattern, source):
    """Texts and group numbers."""
    parts, text, place = [], '', 0
    while place < len(source):
        char = source[place]
        if char != '\\':
            text += char
            place += 1
            continue
        here = place
        place += 1
        if place >= len(source):
            fail('bad escape (end of pattern)', source, here)
        char = source[place]
        place += 1
        group = None
        if char == 'g':
            if source[place : place + 1] != '<':
                fail('missing <', source, place)
            end = source.find('>', place)
            name = source[place + 1 : end] if end >= 0 else source[place + 1 :]
            if not name:
                fail('missing group name', source, place + 1)
            if end < 0:
                fail('missing >, unterminated name', source, place + 1)
            if name.isdecimal() and name.isascii():
                group = int(name)
                if group > pattern.groups:
                    fail(f'invalid group reference {group}', source, place + 1)
            else:
                if not name.isidentifier():
                    fail(f'bad character in group name {name!r}', source, place + 1)
                if name not in pattern.groupindex:
                    raise IndexError(f'unknown group name {name!r}')
                group = pattern.groupindex[name]
            place = end + 1
        elif char == '0':
            digits = char
            while len(digits) < 3 and source[place : place + 1] and source[place] in '01234567':
                digits += source[place]
                place += 1
            text += chr(int(digits, 8) & 255)
        elif char in '123456789':
            digits = char
            if source[place : place + 1] and source[place] in '0123456789':
                digits += source[place]
                place += 1
                if (
                    char in '01234567'
                    and digits[1] in '01234567'
                    and source[place : place + 1]
                    and source[place] in '01234567'
                ):
                    digits += source[place]
                    place += 1
                    if int(digits, 8) > 255:
                        fail(f'octal escape value \\{digits} outside of range 0-0o377', source, here)
                    text += chr(int(digits, 8))
                    continue
            group = int(digits)
            if group > pattern.groups:
                fail(f'invalid group reference {group}', source, here + 1)
        elif char in ESCAPES:
            text += ESCAPES[char]
        elif char.isascii() and char.isalpha():
            fail('bad escape \\' + char, source, here)
        else:
            text += '\\' + char
        if group is not None:
            parts += [text, group]
            text = ''
    return parts + [text]


def filled(template, found):
    return ''.join([found._text(part, '') if isinstance(part, int) else part for part in template])
