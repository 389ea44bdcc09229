"""Refuses file operations: all of them in a session without folders, and otherwise those that files and paths lack."""

import ast
from collections.abc import Iterator

from .analysis import Analysis, meaning
from .dialect import FILES, NO_FILES, PATHS
from .refusals import Refusal, refusal


def has_paths(analysis: Analysis) -> bool:
    """Return whether the script or an earlier one of the session uses paths."""
    return _uses(analysis, 'pathlib')


def _uses(analysis: Analysis, module: str) -> bool:
    return analysis.means_module(module) or any(
        meant.partition('.')[0] == module for meant in analysis.session.meanings.values()
    )


def file_refusals(analysis: Analysis) -> Iterator[Refusal]:
    """Yield what the script may not do with files and paths."""
    for call in analysis.all(ast.Call):
        if meaning(call.func) == 'builtins.open':
            yield from _opening(call, call.args[1:2], 3) if analysis.has_files else [refusal(call, NO_FILES)]
    if has_paths(analysis):
        yield from _of_paths(analysis)
    if analysis.has_files:
        yield from _of_open_files(analysis)


def _of_paths(analysis: Analysis) -> Iterator[Refusal]:
    paths, own = FILES['pathlib.Path'], analysis.sync_functions
    refused = {**PATHS.refused, **(paths.refused if analysis.has_files else {})}
    of_others = _OF_PATTERNS if _uses(analysis, 're') else frozenset[str]()
    asking = frozenset[str]() if analysis.has_files else paths.providers.keys() | paths.refused.keys()
    for call in analysis.all(ast.Call):
        func = call.func
        if not isinstance(func, ast.Attribute) or meaning(func) is not None or func.attr in own:
            continue
        is_path = _is_path(func.value)
        if func.attr in asking and (is_path or func.attr not in _OF_OTHERS):
            yield refusal(call, NO_FILES)
        elif func.attr in refused and (is_path or func.attr not in of_others):
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
    """Yield the calls of methods that open files lack, if these are the only files and no class has such a method."""
    own, lacking = analysis.sync_functions, FILES['open files'].refused
    opens = 'builtins.open' in analysis.meant and not analysis.means_module('io')
    for call in analysis.all(ast.Call) if opens else ():
        func, arguments = call.func, call.args
        if not isinstance(func, ast.Attribute) or func.attr in own or meaning(func) is not None:
            continue
        if func.attr in lacking:
            yield refusal(func, f'Open files have no {func.attr} here. {lacking[func.attr]}'.rstrip())
        elif func.attr in ('readline', 'readlines') and arguments:
            yield refusal(func, f'{func.attr} takes no size here: read the lines, and use what you need of them.')
        elif func.attr == 'seek' and arguments and ast.unparse(arguments[0]) != '0':
            yield refusal(func, f'Files can seek only to their start or end here. {lacking["tell"]}')


def _text(nodes: list[ast.expr]) -> str | None:
    match nodes:
        case [ast.Constant(value=str(text))]:
            return text
        case _:
            return None


def _is_path(node: ast.expr) -> bool:
    """Return whether the expression is certainly a path."""
    match node:
        case ast.Call(func=func):
            return _is_path(func)
        case ast.BinOp(left=left, op=ast.Div()):
            return _is_path(left)
        case _:
            return meaning(node) in ('pathlib.Path', 'pathlib.PosixPath')


_OF_OTHERS = frozenset(['glob', 'group', 'open', 'owner', 'rename', 'replace', 'stat'])
"""Methods of paths that other types have too."""
_OF_PATTERNS = frozenset(['group', 'match'])
"""Methods of paths that patterns of `re` and their matches have too."""
_NO_UPDATE = (
    "A file cannot be read and written at once here: read it with 'r', change what you read, and write it with 'w'."
)
