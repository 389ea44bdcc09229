"""What fails in the words of Python 3.11, where those of Monty do not tell enough to be put into others (`wording`)."""

import json


def divided(a, b):
    try:
        return a / b
    except ZeroDivisionError as error:
        raise _by_zero(error, a, b, 'division by zero', 'float division by zero')


def floored(a, b):
    try:
        return a // b
    except ZeroDivisionError as error:
        raise _by_zero(error, a, b, 'integer division or modulo by zero', 'float floor division by zero')


def remainder(a, b):
    try:
        return a % b
    except ZeroDivisionError as error:
        raise _by_zero(error, a, b, 'integer modulo by zero', 'float modulo')


def both_parts(a, b):
    """`divmod(a, b)`."""
    try:
        return divmod(a, b)
    except ZeroDivisionError as error:
        raise _by_zero(error, a, b, 'integer division or modulo by zero', 'float divmod()')


def _by_zero(error, a, b, of_integers, of_floats):
    if isinstance(a, int) and isinstance(b, int):
        return ZeroDivisionError(of_integers)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return ZeroDivisionError(of_floats)
    if type(a).__name__ == 'timedelta':
        return ZeroDivisionError('integer division or modulo by zero')
    return error


def index_of(obj, *given):
    try:
        return obj.index(*given)
    except ValueError as error:
        raise ValueError(f'{given[0]!r} is not in list') if type(obj) is list and given else error


def loads(s, **options):
    """`json.loads`, whose mistakes are looked for once more: Monty tells other ones, at other places."""
    try:
        return json.loads(s, **options)
    except ValueError as error:
        text = s if isinstance(s, str) else bytes(s).decode()
        said = _mistake(text)
        raise error if said is None else json.JSONDecodeError(said)


def _mistake(s):
    try:
        end = _behind_space(s, _behind_value(s, _behind_space(s, 0)))
        if end < len(s):
            _fail('Extra data', end)
    except ValueError as error:
        message, _, place = str(error).partition('\0')
        if not place:
            return None
        at = int(place)
        return f'{message}: line {s.count(_LINE, 0, at) + 1} column {at - s.rfind(_LINE, 0, at)} (char {at})'
    return None


def _fail(message, at):
    raise ValueError(f'{message}\0{at}')


def _behind_space(s, at):
    while s[at : at + 1] in _SPACES:
        at += 1
    return at


def _behind_value(s, at):
    first = s[at : at + 1]
    if first == '"':
        return _behind_text(s, at)
    if first == '{' or first == '[':
        return _behind_items(s, at + 1, first == '{')
    for word in _WORDS:
        if s[at : at + len(word)] == word:
            return at + len(word)
    return _behind_number(s, at)


def _behind_items(s, at, is_object):
    at, last = _behind_space(s, at), '}' if is_object else ']'
    if s[at : at + 1] == last:
        return at + 1
    while True:
        if is_object:
            if s[at : at + 1] != '"':
                _fail('Expecting property name enclosed in double quotes', at)
            at = _behind_space(s, _behind_text(s, at))
            if s[at : at + 1] != ':':
                _fail("Expecting ':' delimiter", at)
            at = _behind_space(s, at + 1)
        at = _behind_space(s, _behind_value(s, at))
        if s[at : at + 1] == last:
            return at + 1
        if s[at : at + 1] != ',':
            _fail("Expecting ',' delimiter", at)
        at = _behind_space(s, at + 1)


def _behind_text(s, start):
    at = start + 1
    while at < len(s):
        char = s[at]
        if char == '"':
            return at + 1
        if char < ' ':
            _fail('Invalid control character at', at)
        if char == '\\':
            escaped = s[at + 1 : at + 2]
            if escaped == '':
                break
            if escaped not in '"\\/bfnrtu':
                _fail('Invalid \\escape', at)
            if escaped == 'u':
                digits = s[at + 2 : at + 6]
                if len(digits) < 4 or digits.lower().strip('0123456789abcdef'):
                    _fail('Invalid \\uXXXX escape', at + 1)
                at += 4
            at += 1
        at += 1
    _fail('Unterminated string starting at', start)


def _behind_number(s, start):
    at = start + (s[start : start + 1] == '-')
    end = _behind_digits(s, at)
    if end == at:
        _fail('Expecting value', start)
    if s[at] == '0':
        end = at + 1
    behind = _behind_digits(s, end + 1)
    if s[end : end + 1] == '.' and behind > end + 1:
        end = behind
    if s[end : end + 1] in ('e', 'E'):
        at = end + 1 + (s[end + 1 : end + 2] in ('+', '-'))
        behind = _behind_digits(s, at)
        end = behind if behind > at else end
    return end


def _behind_digits(s, at):
    while '0' <= s[at : at + 1] <= '9':
        at += 1
    return at


_LINE = '\n'
_SPACES = (' ', '\t', '\n', '\r')
_WORDS = ('null', 'true', 'false', 'NaN', 'Infinity', '-Infinity')
