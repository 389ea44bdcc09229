"""`await max(3)`, where a tool is called `max`: its function is called `max_`, and Python's own is meant by `max`."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of


def of_namesakes(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """Calls of a builtin that are awaited, and of whose name there is a function."""
    for call in _awaited(tree, scene):
        name = call.func
        if not isinstance(name, ast.Name) or not hasattr(builtins, name.id) or not scene.is_free(name):
            continue
        if scene.functions.get(name.id) is None and scene.functions.get(f'{name.id}_') is not None:
            said = f"{name.id} is Python's own here, and nothing to wait for. The function is called {name.id}_."
            yield refusal(call, f'{said} Write await {name.id}_(...).')


def _awaited(tree: ast.Module, scene: Scene) -> Iterator[ast.Call]:
    for node in all_of(tree, ast.Await):
        if isinstance(node.value, ast.Call):
            yield node.value
    for call in all_of(tree, ast.Call):
        module, name = scene.member(call.func) or ('', '')
        if module == 'asyncio' and name in ('gather', 'create_task', 'wait_for', 'ensure_future'):
            given = [part.value if isinstance(part, ast.Starred) else part for part in call.args]
            parts = [part.elt if isinstance(part, (ast.ListComp, ast.GeneratorExp)) else part for part in given]
            yield from (part for part in parts if isinstance(part, ast.Call))
