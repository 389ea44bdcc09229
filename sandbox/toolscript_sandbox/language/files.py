"""Refuses file operations: all of them in a session without folders, and otherwise those that files and paths lack."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .analysis import Analysis
from .dialect import FILES, NO_FILES, PATHS
from .refusals import Refusal, refusal


def has_paths(analysis: Analysis) -> bool:
    """Return whether the script or an earlier one of the session uses paths."""
    return analysis.means_module('pathlib') or any(
        meant.startswith('pathlib') for meant in analysis.session.meanings.values()
    )


def file_refusals(analysis: Analysis) -> Iterator[Refusal]:
    """Yield what the script may not do with files and paths."""
    for call in analysis.all(ast.Call):
        if _means(call.func) == 'builtins.open':
            yield from _opening(call, call.args[1:2], 3) if analysis.has_files else [refusal(call, NO_FILES)]
    if has_paths(analysis):
        yield from _of_paths(analysis)
    if analysis.has_files:
        yield from _of_open_files(analysis)


def _of_paths(analysis: Analysis) -> Iterator[Refusal]:
    paths, own = FILES['pathlib.Path'], {node.name for node in analysis.all(ast.FunctionDef)}
    refused = {**PATHS.refused, **(paths.refused if analysis.has_files else {})}
    asking = frozenset[str]() if analysis.has_files else paths.providers.keys() | paths.refused.keys()
    for call in analysis.all(ast.Call):
        func = call.func
        if not isinstance(func, ast.Attribute) or _means(func) is not None or func.attr in own:
            continue
        is_path = _is_path(func.value)
        if func.attr in asking and (is_path or func.attr not in _OF_OTHERS):
            yield refusal(call, NO_FILES)
        elif func.attr in refused:
            yield refusal(call, f'Paths have no {func.attr} here. {refused[func.attr]}'.rstrip())
        elif func.attr == 'open' and is_path:
            yield from _opening(call, call.args[:1], 2)


def _opening(call: ast.Call, modes: list[ast.expr], encoding: int) -> Iterator[Refusal]:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    mode = _text([*modes, *([given['mode']] if 'mode' in given else [])]) or 'r'
    if '+' in mode:
        yield refusal(call, _NO_UPDATE)
    if given.keys() & {'opener', 'closefd'}:
        yield refusal(call, 'Files are opened by their paths here: remove opener and closefd.')
    code = _text([*call.args[encoding : encoding + 1], *([given['encoding']] if 'encoding' in given else [])])
    if code and code.lower().replace('_', '-') not in ('utf-8', 'utf8') and not {'w', 'a', 'x'}.isdisjoint(mode):
        yield refusal(call, f'Join the text, and write it with Path(...).write_text(text, encoding={code!r}).')


def _of_open_files(analysis: Analysis) -> Iterator[Refusal]:
    """Yield the refusals of attributes of variables that only ever get their values from `open`."""
    opened, lacking = set(_opened(analysis)), FILES['open files'].refused
    for node in analysis.all(ast.Attribute) if opened else ():
        owner = analysis.scopes.owner(node.value) if isinstance(node.value, ast.Name) else None
        if owner is None or not isinstance(node.value, ast.Name) or not opened.issuperset(owner.bound[node.value.id]):
            continue
        call = analysis.index.parents.get(node)
        arguments = call.args if isinstance(call, ast.Call) and call.func is node else []
        if node.attr in lacking:
            yield refusal(node, f'Open files have no {node.attr} here. {lacking[node.attr]}'.rstrip())
        elif node.attr in ('readline', 'readlines') and arguments:
            yield refusal(node, f'{node.attr} takes no size here: read the lines, and use what you need of them.')
        elif node.attr == 'seek' and arguments and not _is_nothing(arguments[0]):
            yield refusal(node, f'Files can seek only to their start or end here. {lacking["tell"]}')


def _opened(analysis: Analysis) -> Iterator[ast.AST]:
    """Yield the targets that opened files are assigned to."""
    items = [item for kind in (ast.With, ast.AsyncWith) for node in analysis.all(kind) for item in node.items]
    given = [(item.optional_vars, item.context_expr) for item in items]
    given += [(target, node.value) for node in analysis.all(ast.Assign) for target in node.targets]
    for target, value in given:
        if target is not None and isinstance(value, ast.Call) and _means(value.func) == 'builtins.open':
            yield target


def _means(node: ast.AST) -> str | None:
    return getattr(node, 'means', None)


def _text(nodes: list[ast.expr]) -> str | None:
    match nodes:
        case [ast.Constant(value=str(text))]:
            return text
        case _:
            return None


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _is_path(node: ast.expr) -> bool:
    """Return whether the expression is certainly a path."""
    match node:
        case ast.Call(func=func):
            return _is_path(func)
        case ast.BinOp(left=left, op=ast.Div()):
            return _is_path(left)
        case _:
            return _means(node) in ('pathlib.Path', 'pathlib.PosixPath')


_OF_OTHERS = frozenset(['glob', 'group', 'open', 'owner', 'rename', 'replace', 'stat'])
"""Methods of paths that other types have too."""
_NO_UPDATE = (
    "A file cannot be read and written at once here: read it with 'r', change what you read, and write it with 'w'."
)
