"""What asks for files (`open('a.txt')`, `Path('a').exists()`) where there are none, or for more than they can do."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.monty_features import NO_FILES
from toolscript_sandbox.lowering.parts import method_names
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of

from .open_files import of_open_files


def of_files(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """Each place where the snippet asks for a file, or, where there are folders, for what no file has here."""
    if scene.has_files:
        yield from _beyond(tree, scene)
        return
    for call in all_of(tree, ast.Call):
        match call.func:
            case ast.Name(id='open') as name if scene.is_free(name) and scene.called(name) is None:
                yield refusal(call, NO_FILES)
            case ast.Attribute() as method if _is_of_files(method, tree, scene):
                yield refusal(call, NO_FILES)
            case _:
                pass


def _is_of_files(method: ast.Attribute, tree: ast.Module, scene: Scene) -> bool:
    if method.attr in _OF_PATHS:
        return _has_paths(tree, scene) and method.attr not in method_names(tree)
    return method.attr in _OF_MORE_THAN_PATHS and _is_path(method.value, scene)


def _beyond(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    yield from _missing(tree)
    yield from of_open_files(tree, scene)
    for call in all_of(tree, ast.Call):
        match call.func:
            case ast.Name(id='open') as name if scene.is_free(name) and scene.called(name) is None:
                yield from _about_opening(call, call.args[1:2], 3)
            case ast.Attribute(attr='open') as method if _is_path(method.value, scene):
                yield from _about_opening(call, call.args[:1], 2)
            case ast.Attribute() as method if method.attr in _NEVER and _has_paths(tree, scene):
                if method.attr not in method_names(tree):
                    yield refusal(call, f'Paths have no {method.attr} here.{_NEVER[method.attr]}')
            case _:
                pass


def _missing(tree: ast.Module) -> Iterator[Refusal]:
    for node in all_of(tree, ast.Import):
        for alias in node.names:
            if alias.name in _INSTEAD:
                yield refusal(alias, f'There is no module {alias.name} here. {_INSTEAD[alias.name]}')
    for node in all_of(tree, ast.ImportFrom):
        if node.module in _INSTEAD:
            yield refusal(node, f'There is no module {node.module} here. {_INSTEAD[node.module]}')


def _about_opening(call: ast.Call, modes: list[ast.expr], encoding: int) -> Iterator[Refusal]:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    mode = _text([*modes, *([given['mode']] if 'mode' in given else [])]) or 'r'
    if '+' in mode:
        yield refusal(call, _NO_UPDATE)
    if given.keys() & {'opener', 'closefd'}:
        yield refusal(call, 'Files are opened by their paths here: leave opener and closefd away.')
    code = _text([*call.args[encoding : encoding + 1], *([given['encoding']] if 'encoding' in given else [])])
    if code and code.lower().replace('_', '-') not in ('utf-8', 'utf8') and not {'w', 'a', 'x'}.isdisjoint(mode):
        yield refusal(call, f'Join the text, and write it with Path(...).write_text(text, encoding={code!r}).')


def _text(nodes: list[ast.expr]) -> str | None:
    match nodes:
        case [ast.Constant(value=str(text))]:
            return text
        case _:
            return None


def _has_paths(tree: ast.Module, scene: Scene) -> bool:
    kinds = (*all_of(tree, ast.Name), *all_of(tree, ast.Attribute))
    return scene.has_modules and any(_is_class(node, scene) for node in kinds)


def _is_path(node: ast.expr, scene: Scene) -> bool:
    """Whether nothing but a path can stand there."""
    match node:
        case ast.Call(func=func):
            return _is_class(func, scene)
        case ast.BinOp(left=left, op=ast.Div()):
            return _is_path(left, scene)
        case _:
            return _is_class(node, scene)


def _is_class(node: ast.expr, scene: Scene) -> bool:
    module, name = scene.member(node) or ('', '')
    return module == 'pathlib' and name in ('Path', 'PosixPath')


_OF_PATHS = frozenset(
    [
        *('absolute', 'chmod', 'cwd', 'exists', 'expanduser', 'hardlink_to', 'home', 'is_dir', 'is_file', 'is_mount'),
        *('is_symlink', 'iterdir', 'lstat', 'mkdir', 'read_bytes', 'read_text', 'readlink', 'resolve', 'rglob'),
        *('rmdir', 'samefile', 'symlink_to', 'touch', 'unlink', 'write_bytes', 'write_text'),
    ]
)
"""Methods that only paths have."""
_INSTEAD = {
    'shutil': 'Use Path(new).write_bytes(Path(old).read_bytes()), Path(old).rename(new), and unlink.',
    'tempfile': 'Use a file in a folder that you may write into.',
    'glob': 'Use Path(folder).glob(pattern).',
}
_NO_LINKS = ' There are no links here.'
_NO_OWNERS = ' Nothing is told of whose files are.'
_NEVER = {
    **dict.fromkeys(['hardlink_to', 'symlink_to', 'readlink', 'lstat', 'samefile'], _NO_LINKS),
    **dict.fromkeys(['chmod', 'owner', 'group'], _NO_OWNERS),
    **dict.fromkeys(['expanduser', 'home'], ' There is no home folder: write whole paths.'),
    'is_mount': '',
}
_NO_UPDATE = (
    "No file is opened for reading and writing at once here: read it with 'r', change what you read, and write it with "
    "'w'."
)
_OF_MORE_THAN_PATHS = frozenset(['glob', 'group', 'open', 'owner', 'rename', 'replace', 'stat'])
