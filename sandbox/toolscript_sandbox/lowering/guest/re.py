"""Replacing by a function."""

import re

UNICODE = 0
U = 0


def last_group(match):
    named = [name for name, text in match.groupdict().items() if text is not None]
    return named[-1] if named else None


def replaced(pattern, repl, string, count=0, flags=0):
    if isinstance(repl, str):
        return pattern.sub(repl, string, count)
    parts, last, done = [], 0, 0
    for match in pattern.finditer(string):
        if count and done >= count:
            break
        parts.append(string[last : match.start()])
        parts.append(repl(match))
        last = match.end()
        done += 1
    return ''.join(parts) + string[last:]


def sub(pattern, repl, string, count=0, flags=0):
    compiled = re.compile(pattern, flags) if isinstance(pattern, str) else pattern
    return replaced(compiled, repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    compiled = re.compile(pattern, flags) if isinstance(pattern, str) else pattern
    found = len([match for match in compiled.finditer(string)])
    return (replaced(compiled, repl, string, count), min(found, count) if count else found)
