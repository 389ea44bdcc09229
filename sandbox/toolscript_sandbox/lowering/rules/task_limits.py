"""What is not kept of tasks, and refused before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import walk


def unkept_of_tasks(tree: ast.Module, scene: Scene, *, ordered: bool) -> list[Refusal]:
    """What the snippet says of tasks and cannot have. `ordered`: it may be replayed, and must then do the same."""
    nodes = walk(tree)
    found = [
        refusal(node, NO_EXIT)
        for node in nodes
        if scene.tasks and isinstance(node, ast.Name) and node.id == 'SystemExit' and scene.is_free(node)
    ]
    found += _asked_for_tasks(nodes, scene)
    return [*found, *_deadlines(nodes, scene)] if ordered else found


def _asked_for_tasks(nodes: Sequence[ast.AST], scene: Scene) -> Iterator[Refusal]:
    """`isinstance(x, asyncio.Task)`, which any future is here."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id='isinstance'), args=[_, kinds]):
                asked = (part for part in walk(kinds) if isinstance(part, (ast.Name, ast.Attribute)))
                yield from (refusal(part, _TASK) for part in asked if scene.member(part) == ('asyncio', 'Task'))
            case _:
                pass


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


NO_EXIT = (
    'SystemExit cannot be told from a cancellation here: catch `asyncio.CancelledError`, '
    'and let a script end with its last line.'
)
_TASK = 'Tasks and futures are of one type here: ask for asyncio.Future, or keep the tasks in a list of their own.'
_DEADLINE = (
    '{name} sets a deadline, and this script may be replayed, when calls take another time: '
    'wait without one, and give the functions that you call a timeout where they take one.'
)
_TIMED = frozenset(['wait_for', 'timeout', 'timeout_at'])
_TIMEABLE = frozenset(['wait', 'as_completed'])
