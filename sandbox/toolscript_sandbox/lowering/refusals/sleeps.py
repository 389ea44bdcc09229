"""`time.sleep` and files where nothing can wait, said before anything runs: in generators, and in threads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.file_words import asks_for_files
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of, children, index_of, walk


def of_sleeps(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """Each `time.sleep`, and each access to files, in a generator function, or in a method that stands for syntax."""
    if not all_of(tree, ast.FunctionDef):
        return
    parents = index_of(tree).parents
    for call in all_of(tree, ast.Call):
        is_of_files = asks_for_files(call, scene)
        if not is_of_files and scene.member(call.func) != ('time', 'sleep'):
            continue
        instead = _LISTED if is_of_files else 'Sleep in the loop that takes its values.'
        elsewhere = 'Ask for files' if is_of_files else 'Sleep'
        around = parents.get(call)
        while around is not None and not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            around = parents.get(around)
        if isinstance(around, ast.FunctionDef) and _yields(around):
            yield refusal(call, f'Nothing can wait in a generator here. {instead}')
        elif isinstance(around, ast.FunctionDef) and around.name[:2] == '__' and around.name not in _WAITING:
            yield refusal(call, f'Nothing can wait in {around.name} here. {elsewhere} in a method with a plain name.')


def of_threads(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """Each function that sleeps and is given to a thread, where something tells that nobody else went on meanwhile."""
    functions = {node.name: node for node in all_of(tree, ast.FunctionDef)}
    for call in all_of(tree, ast.Call):
        given, tells = _given_to_thread(call, scene)
        if given is None:
            continue
        parts = list(_reached(given, functions, set()))
        sleeps = any(isinstance(part, _NAMES) and scene.member(part) == ('time', 'sleep') for part in parts)
        tells = tells or any(map(_is_seen, parts)) or any(map(_asks_who_is_first, all_of(tree, ast.Call)))
        if sleeps and tells:
            yield refusal(given, _ASLEEP)


def _given_to_thread(call: ast.Call, scene: Scene) -> tuple[ast.expr | None, bool]:
    """The function, and whether other tasks go on beside it."""
    place, tells = 0, True
    if scene.member(call.func) != ('asyncio', 'to_thread'):
        match call.func:
            case ast.Attribute(attr='run_in_executor'):
                place = 1
            case ast.Attribute(attr='submit' | 'map') if 'concurrent.futures' in _imported(scene):
                tells = False
            case _:
                return None, False
    return (call.args[place] if len(call.args) > place else None), tells


def _reached(node: ast.AST, functions: dict[str, ast.FunctionDef], seen: set[str]) -> Iterator[ast.AST]:
    """All nodes of a function, and of those that it calls."""
    for part in walk(node):
        yield part
        if isinstance(part, ast.Name) and part.id in functions and part.id not in seen:
            seen.add(part.id)
            yield from _reached(functions[part.id], functions, seen)


def _is_seen(node: ast.AST) -> bool:
    """Whether it leaves something behind besides what a function returns."""
    match node:
        case ast.Call(func=ast.Name(id='print') | ast.Attribute(attr='append' | 'add' | 'update' | 'extend')):
            return True
        case ast.Global() | ast.Nonlocal() | ast.Subscript(ctx=ast.Store()):
            return True
        case _:
            return False


def _asks_who_is_first(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, 'id', '')
    return name in ('as_completed', 'wait', 'done', 'running', 'add_done_callback')


def _imported(scene: Scene) -> set[str]:
    members = (scene.member(ast.Name(name, ast.Load())) for name in scene.scopes.imported)
    return {*scene.modules.values(), *(module for module, _ in scene.members.values()), *(m[0] for m in members if m)}


def _yields(function: ast.FunctionDef) -> bool:
    waiting = list[ast.AST](function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += children(node)
    return False


_ASLEEP = (
    'There are no threads here, so that a sleep holds up everything else. '
    'Write an `async def` that awaits asyncio.sleep, and wait for several with asyncio.gather.'
)
_LISTED = 'Open the file before, and hand it over; or return a list.'
_NAMES = (ast.Name, ast.Attribute)
_WAITING = frozenset(['__init__', '__post_init__', '__call__', '__enter__', '__exit__'])
"""Methods that are called as functions are."""
