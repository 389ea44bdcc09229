"""Escaping of HTML."""

import re

_NAMED = {
    'amp': '&',
    'lt': '<',
    'gt': '>',
    'quot': '"',
    'apos': "'",
    'nbsp': '\xa0',
    'copy': '©',
    'reg': '®',
    'trade': '™',
    'hellip': '…',
    'mdash': '—',
    'ndash': '–',
    'lsquo': '‘',
    'rsquo': '’',
    'ldquo': '“',
    'rdquo': '”',
    'euro': '€',
    'pound': '£',
    'times': '×',
    'middot': '·',
    'bull': '•',
    'laquo': '«',
    'raquo': '»',
    'deg': '°',
    'eacute': 'é',
    'egrave': 'è',
    'ecirc': 'ê',
    'agrave': 'à',
    'aacute': 'á',
    'acirc': 'â',
    'auml': 'ä',
    'ouml': 'ö',
    'uuml': 'ü',
    'Auml': 'Ä',
    'Ouml': 'Ö',
    'Uuml': 'Ü',
    'szlig': 'ß',
    'ntilde': 'ñ',
    'ccedil': 'ç',
    'iacute': 'í',
    'oacute': 'ó',
    'uacute': 'ú',
    'aring': 'å',
    'oslash': 'ø',
    'para': '¶',
    'sect': '§',
    'cent': '¢',
    'yen': '¥',
    'frac12': '½',
    'larr': '←',
    'rarr': '→',
    'plusmn': '±',
    'divide': '÷',
    'le': '≤',
    'ge': '≥',
    'ne': '≠',
}


def escape(s, quote=True):
    s = s.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
    return s.replace('"', '&quot;').replace("'", '&#x27;') if quote else s


def _character(name):
    if name.startswith(('#x', '#X')):
        return chr(int(name[2:], 16))
    if name.startswith('#'):
        return chr(int(name[1:]))
    return _NAMED.get(name, f'&{name};')


def unescape(s):
    parts, last = [], 0
    for match in re.finditer(r'&(#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z]+);', s):
        parts.append(s[last : match.start()])
        parts.append(_character(match.group(1)))
        last = match.end()
    return ''.join(parts) + s[last:]
