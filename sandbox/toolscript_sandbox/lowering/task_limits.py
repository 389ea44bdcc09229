"""What is not kept of tasks, and refused before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import walk

from .scene import Scene


def unkept_of_tasks(tree: ast.Module, scene: Scene, *, ordered: bool) -> list[Refusal]:
    """What the snippet says of tasks and cannot have. `ordered`: it may be replayed, and must then do the same."""
    nodes = walk(tree)
    found = [
        refusal(node, _EXIT)
        for node in nodes
        if scene.tasks and isinstance(node, ast.Name) and node.id == 'SystemExit' and scene.is_free(node)
    ]
    return [*found, *_deadlines(nodes, scene)] if ordered else found


def _deadlines(nodes: Sequence[ast.AST], scene: Scene) -> Iterator[Refusal]:
    bounded = {node.func for node in nodes if isinstance(node, ast.Call) and not _has_timeout(node)}
    for node in nodes:
        if not isinstance(node, (ast.Attribute, ast.Name)) or not isinstance(node.ctx, ast.Load):
            continue
        module, name = scene.member(node) or ('', '')
        later = isinstance(node, ast.Attribute) and node.attr in ('call_later', 'call_at')
        if later or (module == 'asyncio' and (name in _TIMED or (name in _TIMEABLE and node not in bounded))):
            yield refusal(node, _DEADLINE.format(name=name or ast.unparse(node)))


def _has_timeout(call: ast.Call) -> bool:
    return any(keyword.arg in (None, 'timeout') for keyword in call.keywords)


_EXIT = (
    'SystemExit cannot be told from a cancellation here: catch `asyncio.CancelledError`, '
    'and let a script end with its last line.'
)
_DEADLINE = (
    '{name} sets a deadline, and this script may be replayed, when calls take another time: '
    'wait without one, and give the functions that you call a timeout where they take one.'
)
_TIMED = frozenset(['wait_for', 'timeout', 'timeout_at'])
_TIMEABLE = frozenset(['wait', 'as_completed'])
