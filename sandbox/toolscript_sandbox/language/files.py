"""What is refused of files: everything where the session has no folders, and what files and paths lack where it has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .analysis import Analysis
from .dialect import FILES, NO_FILES, PATHS
from .refusals import Refusal, refusal


def has_paths(analysis: Analysis) -> bool:
    """Whether the script, or an earlier one of the session, has paths."""
    return analysis.means_module('pathlib') or any(
        meant.startswith('pathlib') for meant in analysis.session.meanings.values()
    )


def file_refusals(analysis: Analysis) -> Iterator[Refusal]:
    """What the script may not do with files and paths."""
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
    """What is asked of a variable that nothing but `open` gave its value."""
    modes = _modes(analysis)
    for node in analysis.all(ast.Attribute) if modes else ():
        name = node.value
        owner = analysis.scopes.owner(name) if isinstance(name, ast.Name) else None
        if owner is None or not isinstance(name, ast.Name) or any(part not in modes for part in owner.bound[name.id]):
            continue
        above = [part for part in owner.bound[name.id] if isinstance(part, ast.Name) and part.lineno <= name.lineno]
        if above:
            yield from _about(node, modes[max(above, key=lambda part: (part.lineno, part.col_offset))], analysis)


def _about(node: ast.Attribute, mode: str, analysis: Analysis) -> Iterator[Refusal]:
    lacking, call = FILES['open files'].refused, analysis.index.parents.get(node)
    arguments = call.args if isinstance(call, ast.Call) and call.func is node else None
    match node.attr, arguments:
        case name, _ if name in lacking:
            yield refusal(node, f'Open files have no {name} here. {lacking[name]}'.rstrip())
        case ('readline' | 'readlines') as name, [_, *_]:
            yield refusal(node, f'{name} takes no size here: read the lines, and use what you need of them.')
        case (('tell' | 'seek'), list()) if 'r' not in mode:
            yield refusal(node, 'A file can only be written at its end here: join the text first.')
        case 'tell', list() if 'b' not in mode:
            yield refusal(node, f'Only files that are read as bytes have a position here: {_AS_BYTES}')
        case 'seek', [offset, *_] if 'b' not in mode and not _is_nothing(offset):
            yield refusal(node, f'Text files can seek only to their start or end here: {_AS_BYTES}')
        case _:
            pass


def _modes(analysis: Analysis) -> dict[ast.AST, str]:
    """The mode of what is opened, by the target that gets it."""
    items = [item for kind in (ast.With, ast.AsyncWith) for node in analysis.all(kind) for item in node.items]
    given = [(item.optional_vars, item.context_expr) for item in items]
    given += [(target, node.value) for node in analysis.all(ast.Assign) for target in node.targets]
    found = dict[ast.AST, str]()
    for target, value in given:
        if target is not None and isinstance(value, ast.Call) and _means(value.func) == 'builtins.open':
            words = [word.value for word in value.keywords if word.arg == 'mode']
            mode = _text([*value.args[1:2], *words]) if len(value.args) > 1 or words else 'r'
            if mode is not None:
                found[target] = mode
    return found


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
    """Whether it cannot be anything but a path."""
    match node:
        case ast.Call(func=func):
            return _is_path(func)
        case ast.BinOp(left=left, op=ast.Div()):
            return _is_path(left)
        case _:
            return _means(node) in ('pathlib.Path', 'pathlib.PosixPath')


_OF_OTHERS = frozenset(['glob', 'group', 'open', 'owner', 'rename', 'replace', 'stat'])
"""Methods of paths that other objects have too."""
_AS_BYTES = "open it with 'rb'."
_NO_UPDATE = (
    "A file cannot be read and written at once here: read it with 'r', change what you read, and write it with 'w'."
)
