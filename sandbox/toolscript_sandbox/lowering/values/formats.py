"""`f'{found:>10}'`: what has no formats of its own is no text to be padded, which Monty takes it for.

Python refuses `None`, lists, dicts and most objects there; what is formatted is shown to a guest's function first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from string import Formatter

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of, children


def with_formats(program: Program) -> Program:
    """The snippet with what is formatted looked at."""
    tree = program.tree
    zones = program.scene.zones
    strings = [node for node in all_of(tree, ast.JoinedStr) if zones or any(_fields(node))]
    calls = [node for node in all_of(tree, ast.Call) if _formats(node)]
    if not strings and not calls:
        return program
    r = Rewriter(program)
    strings = [node for node in strings if r.is_placed(node)]
    edits = [edit for node in strings for edit in _of_string(node, program.source, zones=zones)]
    edits += [edit for node in calls for edit in _of_call(node, r)]
    if edits:
        program.scene.pieces |= {'builtins', *(('date_methods', 'zoneinfo') if zones else ())}
    return program.edited(edits)


def _fields(node: ast.JoinedStr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is formatted, each with its format."""
    for part in node.values:
        match part:
            case ast.FormattedValue(value=value, conversion=-1, format_spec=ast.expr() as spec) if not _is_plain(value):
                yield value, spec
            case _:
                pass


def _of_string(node: ast.JoinedStr, source: Source, *, zones: bool) -> Iterator[Edit]:
    opening, closing = (f'{_piece("shown", "zoneinfo")}(', ')') if zones else ('', '')
    for value, spec in _fields(node):
        if source.text[source.end(value) :].lstrip()[:1] != '=':
            yield from source.wrap(value, f'{_piece("with_format")}({opening}', f'{closing}{_given(spec)})')
    for part in node.values if zones else ():
        if isinstance(part, ast.FormattedValue) and part.format_spec is None and not _is_plain(part.value):
            yield from _with_zones(part, source)


def _with_zones(part: ast.FormattedValue, source: Source) -> Iterator[Edit]:
    """Moments in lists and dicts show their zones."""
    after = source.text[source.end(part.value) :].lstrip()
    asked = part.conversion == ord('r') and after[:2] == '!r'
    if asked or after[:1] == '}':
        end = source.end(part.value)
        yield from source.wrap(part.value, f'{_piece("repr_of" if asked else "text_of", "zoneinfo")}(', ')')
        yield Edit(end, source.text.index('}', end), '')


def _given(spec: ast.expr) -> str:
    """The format as a second argument, where it may be empty; True for one that decimals lack."""
    # Python 3.12 puts an empty text behind a format that is one name.
    parts = [part for part in children(spec) if not (isinstance(part, ast.Constant) and part.value == '')]
    match parts:
        case [ast.FormattedValue(value=ast.Name(id=name))]:
            return f', {name}'
        case [ast.Constant(value=str(text))] if _signs_beyond_decimals(text):
            # Quotes could not stand here.
            return ', True'
        case _:
            return ''


def _signs_beyond_decimals(text: str) -> bool:
    return not {'_', '#'}.isdisjoint(text[2:] if text[1:2] in tuple('<>=^') else text)


def _formats(node: ast.Call) -> bool:
    match node.func:
        case ast.Name(id='format'):
            return len(node.args) == 2 and not node.keywords
        case ast.Attribute(value=ast.Constant(value=str(template)), attr='format'):
            return ':' in template
        case _:
            return False


def _of_call(node: ast.Call, r: Rewriter) -> Iterator[Edit]:
    opening = f'{_piece("shown", "zoneinfo")}(' if r.scene.zones else ''
    closing = ')' if r.scene.zones else ''
    if isinstance(node.func, ast.Name):
        if r.scene.is_free(node.func):
            yield r.source.replace(node.func, _piece('format_of'))
            yield from r.source.wrap(node.args[0], opening, closing)
        return
    assert isinstance(node.func, ast.Attribute)
    assert isinstance(node.func.value, ast.Constant)
    given: dict[str, ast.expr] = {str(place): part for place, part in enumerate(node.args)}
    given.update({part.arg: part.value for part in node.keywords if part.arg is not None})
    if any(isinstance(part, ast.Starred) for part in node.args):
        return
    for name in _named(str(node.func.value.value)):
        if name in given and not _is_plain(given[name]):
            yield from r.source.wrap(given[name], f'{_piece("with_format")}({opening}', f'{closing})')


def _named(template: str) -> set[str]:
    """The arguments that a template formats as they are."""
    found, place = set[str](), 0
    try:
        for _, name, spec, conversion in Formatter().parse(template):
            if name == '':
                name, place = str(place), place + 1
            if name is not None and spec and '{' not in spec and not conversion:
                found.add(name)
            elif name is not None and spec and '{' in spec:
                # Its own fields are counted too.
                return set()
    except ValueError:
        return set()
    return found


def _is_plain(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=None):
            return False
        case ast.Constant() | ast.JoinedStr():
            return True
        case ast.Call(func=ast.Name(id='len' | 'str' | 'int' | 'float' | 'repr')):
            return True
        case _:
            return False


def _piece(name: str, module: str = 'builtins') -> str:
    version = guest(module)
    assert version is not None
    return version.prefixed(name)
