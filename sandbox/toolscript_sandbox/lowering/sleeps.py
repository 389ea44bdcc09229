"""`time.sleep` and files where nothing can wait, said before anything runs: Monty asks generators by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of, children, index_of

from .file_words import asks_for_files
from .scene import Scene


def of_sleeps(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """Each `time.sleep`, and each access to files, in a generator function, or in a method that stands for syntax."""
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


def _yields(function: ast.FunctionDef) -> bool:
    waiting = list[ast.AST](function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += children(node)
    return False


_LISTED = 'Open the file before, and hand it over; or return a list.'
_WAITING = frozenset(['__init__', '__post_init__', '__call__', '__enter__', '__exit__'])
"""Methods that are called as functions are."""
