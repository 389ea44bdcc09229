"""Every message of the product, as in its source: `make messages` prints them and writes `messages.txt`.

A message is a text passed to an exception, a retry, a warning or a log. `{…}` marks values that are filled in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

LIST = Path(__file__).parent / 'messages.txt'
_ROOT = Path(__file__).parent.parent
_SOURCES = ('src/toolscript', 'sandbox/toolscript_sandbox', 'signatures/toolscript_signatures')
_POLYFILLS = 'sandbox/toolscript_sandbox/polyfills'
"""They reproduce CPython's messages."""
_LOGGING = {'debug', 'info', 'warning', 'error', 'exception', 'critical', 'warn'}
_KINDS = ('Error', 'Exception', 'Warning', 'Retry', 'Failed', 'Refused')


def all_messages() -> str:
    """Return the messages of each module below its path."""
    parts = list[str]()
    for file in sorted(file for folder in _SOURCES for file in (_ROOT / folder).rglob('*.py')):
        path = file.relative_to(_ROOT).as_posix()
        found = [] if path.startswith(_POLYFILLS) else messages(file.read_text())
        parts += ['\n'.join([path, *(f'  {text}' for text in found), ''])] if found else []
    return '\n'.join(parts)


def messages(source: str) -> list[str]:
    """Return the messages of a module, each once, in source order."""
    nodes = [*ast.walk(ast.parse(source))]
    raised = {_name(node.exc) for node in nodes if isinstance(node, ast.Raise)} - {''}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    given = [
        text
        for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset))
        if _name(call) in raised | _LOGGING or _name(call).endswith(_KINDS)
        for argument in [*call.args, *(keyword.value for keyword in call.keywords)]
        for text in _texts(argument, nodes)
    ]
    return list(dict.fromkeys(text.replace('\n', '\\n') for text in given if ' ' in text.strip()))


def _name(node: ast.expr | None) -> str:
    """Return the name of the called object."""
    match node:
        case ast.Call(func=ast.Name(name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name
        case _:
            return ''


def _texts(node: ast.expr, nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the texts that an expression may evaluate to."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.JoinedStr(values):
            yield ''.join(
                str(value.value) if isinstance(value, ast.Constant) else _filled_in(value) for value in values
            )
        case ast.IfExp(body=one, orelse=other):
            yield from [*_texts(one, nodes), *_texts(other, nodes)]
        case ast.BinOp(left, ast.Add(), right):
            sides = [[*_texts(side, nodes)] or [f'{{{ast.unparse(side)}}}'] for side in (left, right)]
            yield from (one + other for one, other in product(*sides))
        case ast.Name(name):
            for assigned in nodes:
                match assigned:
                    case ast.Assign([ast.Name(target)], value) if target == name and not isinstance(value, ast.Name):
                        yield from _texts(value, nodes)
                    case _:
                        pass
        case _:
            pass


def _filled_in(node: ast.expr) -> str:
    return f'{{{ast.unparse(node.value)}}}' if isinstance(node, ast.FormattedValue) else ast.unparse(node)


if __name__ == '__main__':
    LIST.write_text(all_messages())
    print(all_messages())
