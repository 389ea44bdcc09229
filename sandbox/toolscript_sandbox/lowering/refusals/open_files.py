"""What open files lack here (`f.tell()` of a text), asked of variables that the text shows to be nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of, index_of


def of_open_files(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """Each place where the snippet asks a file for what only Python's have."""
    parents = index_of(tree).parents
    for call in all_of(tree, ast.Call):
        if _mode(call, scene) is not None and _is_shown(parents.get(call)):
            yield refusal(call, _SHOWN)
    modes = _modes(tree, scene)
    if not modes:
        return
    for node in all_of(tree, ast.Name):
        opened = _opened(node, modes, scene)
        if opened is None or not isinstance(node.ctx, ast.Load):
            continue
        parent = parents.get(node)
        match parent:
            case ast.Attribute(attr=attr) if attr in _LACKING:
                yield refusal(parent, f'Open files have no {attr} here. {_LACKING[attr]}'.rstrip())
            case ast.Attribute():
                call = parents.get(parent)
                if isinstance(call, ast.Call) and call.func is parent:
                    yield from _about_call(call, parent.attr, opened)
            case _ if _is_shown(parent):
                yield refusal(node, _SHOWN)
            case _:
                pass


def _is_shown(parent: ast.AST | None) -> bool:
    match parent:
        case ast.FormattedValue() | ast.Call(func=ast.Name(id='print' | 'repr' | 'str')):
            return True
        case _:
            return False


def _about_call(call: ast.Call, method: str, mode: str) -> Iterator[Refusal]:
    match method, call.args:
        case (('readline' | 'readlines'), [_, *_]):
            yield refusal(call, f'{method} takes no size here: read the lines, and take what you need of them.')
        case (('tell' | 'seek'), _) if 'r' not in mode:
            yield refusal(call, 'A file that is written has no other place here than its end: join what it gets first.')
        case 'tell', _ if 'b' not in mode:
            yield refusal(call, f'Only files that are read as bytes tell their place here: {_AS_BYTES}')
        case 'seek', [offset, *_] if 'b' not in mode and not _is_nothing(offset):
            yield refusal(call, f'In a text only the start and the end can be sought here: {_AS_BYTES}')
        case _:
            pass


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _modes(tree: ast.Module, scene: Scene) -> dict[ast.AST, str]:
    """The mode of what is opened, by the name that it gets."""
    given = [
        (item.optional_vars, item.context_expr) for kind in _WITH for node in all_of(tree, kind) for item in node.items
    ]
    given += [(target, node.value) for node in all_of(tree, ast.Assign) for target in node.targets]
    found = dict[ast.AST, str]()
    for target, value in given:
        mode = _mode(value, scene)
        if target is not None and mode is not None:
            found[target] = mode
    return found


def _mode(node: ast.expr, scene: Scene) -> str | None:
    match node:
        case ast.Call(func=ast.Name(id='open') as name) if scene.is_free(name) and scene.called(name) is None:
            words = {word.arg: word.value for word in node.keywords}
            match [*node.args[1:2], *([words['mode']] if 'mode' in words else [])]:
                case []:
                    return 'r'
                case [ast.Constant(value=str(mode))]:
                    return mode
                case _:
                    return None
        case _:
            return None


def _opened(name: ast.Name, modes: dict[ast.AST, str], scene: Scene) -> str | None:
    """The mode in which the file was opened that the name means; None where it may mean anything else."""
    owner = scene.owner(name)
    bound = owner.bound.get(name.id, ()) if owner is not None else ()
    if not all(part in modes for part in bound):
        return None
    above = [part for part in bound if isinstance(part, ast.Name) and part.lineno <= name.lineno]
    return modes[max(above, key=lambda part: (part.lineno, part.col_offset))] if above else None


_SHOWN = 'An open file shows otherwise here. Show its name, or what is in it.'
_WITH = (ast.With, ast.AsyncWith)
_AS_BYTES = "open it with 'rb'."
_LACKING = {
    'buffer': f'For bytes, {_AS_BYTES}',
    'errors': 'Keep what you gave to open.',
    'detach': '',
    'fileno': '',
    'isatty': '',
    'line_buffering': '',
    'newlines': 'Open it with newline="", and look at what the lines end with.',
    'peek': 'Read it all, and look at the start of that.',
    'raw': '',
    'read1': 'Use read.',
    'readinto': 'Use read.',
    'reconfigure': 'Open it with the encoding.',
    'truncate': 'Write what is to stay into it, opened anew.',
    'write_through': '',
}
