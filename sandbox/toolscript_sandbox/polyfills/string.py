"""Constants with groups of characters, and templates."""

import re

ascii_lowercase, ascii_uppercase = 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
ascii_letters, digits, octdigits, hexdigits = ascii_lowercase + ascii_uppercase, '0123456789', '01234567', '0123456789abcdefABCDEF'
punctuation, whitespace = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', ' \t\n\r\x0b\x0c'
printable = digits + ascii_letters + punctuation + whitespace


_PARTS = r'[^$]+|[$][$]|[$][a-zA-Z_][a-zA-Z0-9_]*|[$][{][a-zA-Z_][a-zA-Z0-9_]*[}]|[$]'


class Template:
    def __init__(self, template): self.template = template
    def substitute(self, _mapping={}, **kws): return self._filled({**_mapping, **kws}, False)
    def safe_substitute(self, _mapping={}, **kws): return self._filled({**_mapping, **kws}, True)

    def _filled(self, values, is_safe):
        parts = []
        for text in re.findall(_PARTS, self.template):
            name = text.strip('${}')
            if text == '$' and not is_safe:
                raise ValueError('Invalid placeholder in string')
            if text == '$$':
                parts.append('$')
            elif text[0] == '$' and name and (name in values or not is_safe):
                parts.append(str(values[name]))
            else:
                parts.append(text)
        return ''.join(parts)
