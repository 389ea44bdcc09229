"""Escaping of HTML, with the names of characters that the host's Python knows."""

import re
from html.entities import html5

_ODD = {
    0x00: '\ufffd',
    0x0D: '\r',
    0x80: '\u20ac',
    0x81: '\x81',
    0x82: '\u201a',
    0x83: '\u0192',
    0x84: '\u201e',
    0x85: '\u2026',
    0x86: '\u2020',
    0x87: '\u2021',
    0x88: '\u02c6',
    0x89: '\u2030',
    0x8A: '\u0160',
    0x8B: '\u2039',
    0x8C: '\u0152',
    0x8D: '\x8d',
    0x8E: '\u017d',
    0x8F: '\x8f',
    0x90: '\x90',
    0x91: '\u2018',
    0x92: '\u2019',
    0x93: '\u201c',
    0x94: '\u201d',
    0x95: '\u2022',
    0x96: '\u2013',
    0x97: '\u2014',
    0x98: '\u02dc',
    0x99: '\u2122',
    0x9A: '\u0161',
    0x9B: '\u203a',
    0x9C: '\u0153',
    0x9D: '\x9d',
    0x9E: '\u017e',
    0x9F: '\u0178',
}


def escape(s, quote=True):
    s = s.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
    return s.replace('"', '&quot;').replace("'", '&#x27;') if quote else s


def _character(name):
    if name[0] == '#':
        digits = name[1:].rstrip(';')
        number = int(digits[1:], 16) if digits[0] in 'xX' else int(digits)
        if number in _ODD:
            return _ODD[number]
        if 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
            return '\ufffd'
        if number < 9 or 11 <= number < 32 and number != 12 or 127 <= number < 160 or 0xFDD0 <= number <= 0xFDEF:
            return ''
        return '' if number == 11 or number & 0xFFFE == 0xFFFE else chr(number)
    if name in html5:
        return html5[name]
    for size in range(len(name) - 1, 1, -1):
        if name[:size] in html5:
            return html5[name[:size]] + name[size:]
    return '&' + name


def unescape(s):
    parts, last = [], 0
    for match in re.finditer(r'&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)', s):
        parts.append(s[last : match.start()])
        parts.append(_character(match.group(1)))
        last = match.end()
    return ''.join(parts) + s[last:]
