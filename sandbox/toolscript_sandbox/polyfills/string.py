"""The constants of `string`, and its templates."""

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

    def substitute(self, mapping=None, /, **kws):
        return self._filled({**(mapping or {}), **kws}, True)

    def safe_substitute(self, mapping=None, /, **kws):
        return self._filled({**(mapping or {}), **kws}, False)

    def _filled(self, values, strict):
        first, *parts = self.template.split('$')
        found, place = first, 0
        while place < len(parts):
            part = parts[place]
            place += 1
            if part == '' and place < len(parts):
                found += '$' + parts[place]
                place += 1
                continue
            braced = part.startswith('{')
            name = part[1:].partition('}')[0] if braced else ''
            while not braced and part[len(name) : len(name) + 1].isidentifier() or (
                not braced and name and part[len(name) : len(name) + 1].isalnum()
            ):
                name += part[len(name)]
            rest = part[len(name) + 2 :] if braced else part[len(name) :]
            if not name.isidentifier():
                if strict:
                    raise ValueError(f'Invalid placeholder in string: {self.template!r}')
                found += '$' + part
            elif name in values or strict:
                found += str(values[name]) + rest
            else:
                found += '$' + part
        return found
