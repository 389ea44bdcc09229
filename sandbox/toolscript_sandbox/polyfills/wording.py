"""Messages of exceptions in the words of Python 3.11, where Monty has others."""


def said(text):
    """The message, or the one that Python has."""
    if not isinstance(text, str):
        return text
    if text.startswith('cannot use ') and ' (unhashable type: ' in text:
        return text[text.index('unhashable') : -1]
    if text.startswith('too many values to unpack (expected ') and ', got ' in text:
        return text[: text.index(', got ')] + ')'
    for ending, instead in _ENDINGS.items():
        if text.endswith(ending):
            return text.removesuffix(ending) + instead
    if text.startswith(_OF_ENUMERATIONS):
        return text.split("'")[3]
    if text.startswith(_OF_JSON):
        return _of_json(text)
    if text.startswith('empty range in randint('):
        first, last = [int(number) for number in text[23:-1].split(',')]
        return f'empty range for randrange() ({first}, {last + 1}, {last + 1 - first})'
    if text.startswith(_JOINED_TO_BYTES):
        return f"can't concat {text.split(_QUOTE)[3]} to bytes"
    if "'_" in text:
        text = text.replace("'_only_", _QUOTE)
        text = "'".join([_KINDS_OF_GUESTS.get(part, part) for part in text.split("'")])
    name, behind, rest = text.partition('() ')
    if behind and rest.startswith(_OF_CALLS):
        return f'{_placed(name, rest)}() {rest}'
    if ' must be in ' in text:
        return _of_dates(text)
    return 'math domain error' if text.startswith(_DOMAINS) else _OTHERS.get(text, text)


def _of_json(text):
    if not text.startswith('Object of type _'):
        return text.partition(': ')[0]
    kind, behind, rest = text.removeprefix('Object of type ').partition(' ')
    kind = 'object' if kind == '_builtins_Nothing' else _KINDS_OF_GUESTS.get(kind, kind)
    return f'Object of type {kind} {rest}'


def _placed(name, rest):
    try:
        found = _function_places.get(name, [])
    except NameError:
        return name
    words = rest.split("'")[1::2]
    if rest.startswith('takes '):
        most = rest.partition(' positional')[0].split()[-1]
        found = [one for one in found if str(one[2]) == most]
    elif rest.startswith('got an unexpected'):
        found = [one for one in found if words[0] not in one[1]]
    else:
        found = [one for one in found if all([word in one[1] for word in words])]
    places = {one[0] for one in found}
    return places.pop() if len(places) == 1 else name


_OF_CALLS = ('missing ', 'takes ', 'got an unexpected keyword', 'got multiple values')


def _of_dates(text):
    if text.startswith('day ') and ' for month ' in text:
        return 'day is out of range for month'
    if text.startswith('year must be in 1..9999, not '):
        return f'year {text[29:]} is out of range'
    part, behind, _ = text.partition(', not ')
    return part if behind and part.split()[0] in _PARTS_OF_TIME else text


_PARTS_OF_TIME = ('month', 'hour', 'minute', 'second', 'microsecond')
_ENDINGS = {
    ' is not a container or iterable': ' is not iterable',
    ' and no __dict__ for setting new attributes': '',
}
_QUOTE = "'"
_OF_JSON = ('Object of type _', 'Out of range float values are not JSON compliant: ')
_JOINED_TO_BYTES = "unsupported operand type(s) for +: 'bytes' and "
_OF_ENUMERATIONS = "'_enum_Members' object has no attribute "
_KINDS_OF_GUESTS = {
    '_byte_arrays_bytearray': 'bytearray',
    '_fractions_Fraction': 'Fraction',
    '_generators_Generator': 'generator',
    '_iterators_Values': 'generator',
    '_iterators_enumerate': 'enumerate',
    '_iterators_filter': 'filter',
    '_iterators_map': 'map',
    '_iterators_zip': 'zip',
    '_io_BytesIO': '_io.BytesIO',
    '_io_StringIO': '_io.StringIO',
    '_uuid_UUID': 'UUID',
}
_DOMAINS = ('expected a nonnegative input', 'expected a positive input', 'expected a number in range from -1 up to 1')
_OTHERS = {
    'max() iterable argument is empty': 'max() arg is an empty sequence',
    'min() iterable argument is empty': 'min() arg is an empty sequence',
    "'popitem(): dictionary is empty'": 'popitem(): dictionary is empty',
    'strptime() argument 1 must be str, not NoneType': 'strptime() argument 1 must be str, not None',
    'zero to a negative power': '0.0 cannot be raised to a negative power',
}
_MOMENT, _DAY = "'datetime.datetime'", "'datetime.date'"
_OTHERS[f'unsupported operand type(s) for -: {_MOMENT} and {_MOMENT}'] = (
    "can't subtract offset-naive and offset-aware datetimes"
)
for _sign in ('<', '<=', '>', '>='):
    _start = f"'{_sign}' not supported between instances of "
    _OTHERS[f'{_start}{_MOMENT} and {_MOMENT}'] = "can't compare offset-naive and offset-aware datetimes"
    for _sides in (f'{_MOMENT} and {_DAY}', f'{_DAY} and {_MOMENT}'):
        _OTHERS[_start + _sides] = "can't compare datetime.datetime to datetime.date"
_KINDS = {kind: repr(kind) for kind in (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError)}


def worded(error):
    """The exception, or one of its kind with the message that Python has."""
    text = error.args[0] if error.args else None
    new = said(text)
    kinds = [] if new == text else [kind for kind, name in _KINDS.items() if name == repr(type(error))]
    return kinds[0](new) if kinds else error
