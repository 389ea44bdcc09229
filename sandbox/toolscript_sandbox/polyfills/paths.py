"""What Monty's paths lack."""

import re
from pathlib import Path


def _is_path(obj):
    return type(obj).__name__ == 'PosixPath'


def relative_to(obj, *other):
    start = Path(*other)
    count = len(start.parts)
    if obj.parts[:count] != start.parts:
        told = 'OR one path is relative and the other is absolute.'
        raise ValueError(f'{str(obj)!r} is not in the subpath of {str(start)!r} {told}')
    return Path(*obj.parts[count:])


def is_relative_to(obj, *other):
    start = Path(*other)
    return obj.parts[: len(start.parts)] == start.parts


def with_stem(obj, stem):
    return obj.with_name(stem + obj.suffix)


def as_uri(obj):
    if not obj.is_absolute():
        raise ValueError("relative path can't be expressed as a file URI")
    return 'file://' + ''.join([_quoted(byte) for byte in str(obj).encode()])


def _quoted(byte):
    char = chr(byte)
    return char if char.isalnum() and byte < 128 or char in '_.-~/' else f'%{byte:02X}'


def match(obj, *args, **options):
    if not _is_path(obj):
        return obj.match(*args, **options)
    parts, patterns = obj.parts, Path(args[0]).parts
    if not patterns:
        raise ValueError('empty pattern')
    if len(patterns) > len(parts) or (args[0].startswith('/') and len(patterns) != len(parts)):
        return False
    ends = parts[len(parts) - len(patterns) :]
    return all([re.fullmatch(_pattern(pattern), part) is not None for pattern, part in zip(patterns, ends)])


def _pattern(text):
    found, place = '(?s)', 0
    while place < len(text):
        char = text[place]
        end = text.find(']', place + 2) if char == '[' else -1
        if char == '*':
            found += '.*'
        elif char == '?':
            found += '.'
        elif end > 0:
            inside = text[place + 1 : end].replace('\\', '\\\\')
            found += f'[{"^" + inside[1:] if inside[0] == "!" else inside}]'
            place = end
        else:
            found += re.escape(char)
        place += 1
    return found


def parents(obj):
    if not _is_path(obj):
        return obj.parents
    found = []
    while obj.parent != obj:
        obj = obj.parent
        found.append(obj)
    return tuple(found)


def root(obj):
    return ('/' if obj.is_absolute() else '') if _is_path(obj) else obj.root


def anchor(obj):
    return ('/' if obj.is_absolute() else '') if _is_path(obj) else obj.anchor


def drive(obj):
    return '' if _is_path(obj) else obj.drive
