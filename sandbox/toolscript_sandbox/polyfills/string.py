"""The constants of `string`, and its templates."""

import re

whitespace = ' \t\n\r\x0b\x0c'
ascii_lowercase = 'abcdefghijklmnopqrstuvwxyz'
ascii_uppercase = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
ascii_letters = ascii_lowercase + ascii_uppercase
digits = '0123456789'
hexdigits = digits + 'abcdefABCDEF'
octdigits = '01234567'
punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or ' ').join([word.capitalize() for word in s.split(sep)])


class Template:
    def __init__(self, template):
        self.template = template

    def substitute(self, mapping=None, **kws):
        return self._filled({**(mapping or {}), **kws}, True)

    def safe_substitute(self, mapping=None, **kws):
        return self._filled({**(mapping or {}), **kws}, False)

    def _filled(self, values, strict):
        parts, last = [], 0
        for match in re.finditer(r'\$(?:(\$)|([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\}|())', self.template):
            parts.append(self.template[last : match.start()])
            last = match.end()
            name = match.group(2) or match.group(3)
            if match.group(4) is not None:
                if strict:
                    self._invalid(match.start() + 1)
                parts.append('$')
                continue
            if name is None:
                parts.append('$')
            elif name in values or strict:
                parts.append(str(values[name]))
            else:
                parts.append(match.group(0))
        return ''.join(parts) + self.template[last:]

    def _invalid(self, place):
        lines = self.template[:place].splitlines(True)
        column = place - len(''.join(lines[:-1])) if lines else 1
        raise ValueError(f'Invalid placeholder in string: line {max(len(lines), 1)}, col {column}')
