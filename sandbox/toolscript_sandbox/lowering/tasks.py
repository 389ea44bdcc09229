"""Rules for calls of `asyncio`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from toolscript_sandbox.text.syntax import all_of

from .parts import CallRule, keyword, piece, sequential
from .rewriter import Rewriter


def _unwrapped(node: ast.Call, r: Rewriter) -> str | None:
    """`create_task(x)`, `wait_for(x, 5)`, `shield(x)`: what is awaited is x."""
    if keeps_tasks(r) and _makes_task(node, r):
        return f'{piece(r, "asyncio", "Task")}({r.text(node.args[0])})'
    if r.scene.member(node.func) not in _WRAPPERS or not node.args:
        return None
    r.scene.note(f'Awaited the call itself instead of `{ast.unparse(node.func)}`.')
    if sequential(node.args[0], r):
        return f'{piece(r, "asyncio", "value")}({r.text(node.args[0])})'
    parent = r.parent(node)
    detached = isinstance(parent, ast.Expr) and r.scene.member(node.func) != ('asyncio', 'wait_for')
    if detached and r.can_await(node):
        return f'await ({r.text(node.args[0])})'
    r.scene.spawns = True
    if keeps_tasks(r):
        return f'{piece(r, "asyncio", "awaited")}({r.text(node.args[0])})'
    return f'({r.text(node.args[0])})'


def _makes_task(node: ast.Call, r: Rewriter) -> bool:
    return r.scene.member(node.func) in _TASKS and bool(node.args) and not isinstance(r.parent(node), ast.Expr)


def keeps_tasks(r: Rewriter) -> bool:
    """Whether the snippet asks tasks for more than their values, so that they must be objects."""
    return _asks_tasks(r.source.tree)


@lru_cache(maxsize=4)
def _asks_tasks(tree: ast.Module) -> bool:
    asked = {node.attr for node in all_of(tree, ast.Attribute)}
    names = asked | {node.id for node in all_of(tree, ast.Name)}
    return 'TaskGroup' in names or (bool(asked & _OF_TASKS) and bool(names & {'create_task', 'ensure_future'}))


def awaited(node: ast.Await, r: Rewriter) -> str | None:
    """`await task`."""
    if not isinstance(node.value, (ast.Name, ast.Subscript, ast.Attribute)) or not keeps_tasks(r):
        return None
    return f'await {piece(r, "asyncio", "awaited")}({r.text(node.value)})'


def _run(node: ast.Call, r: Rewriter) -> str | None:
    """`asyncio.run(main())` where the script itself can wait."""
    runs = r.scene.member(node.func) in _RUNNERS
    on_loop = isinstance(node.func, ast.Attribute) and node.func.attr == 'run_until_complete'
    if not (runs or on_loop) or len(node.args) < 1 or not r.can_await(node):
        return None
    r.scene.note('Awaited the coroutine: an event loop is running already.')
    return f'(await ({r.text(node.args[0])}))'


def _gather(node: ast.Call, r: Rewriter) -> str | None:
    if r.scene.member(node.func) != ('asyncio', 'gather'):
        return None
    settle = keyword(node, 'return_exceptions')
    if settle is None and keeps_tasks(r):
        return f'{piece(r, "asyncio", "gathered")}({", ".join(_awaitable(argument, r) for argument in node.args)})'
    if settle is None and not any(sequential(argument, r) for argument in node.args):
        return None
    parts = [_awaitable(argument, r) for argument in node.args]
    if settle is None or (isinstance(settle, ast.Constant) and not settle.value):
        return f'{r.text(node.func)}({", ".join(parts)})'
    return f'{piece(r, "asyncio", "gather_settled")}({", ".join(parts)})'


def _awaitable(node: ast.expr, r: Rewriter) -> str:
    if sequential(node, r):
        return f'{piece(r, "asyncio", "value")}({r.text(node)})'
    if isinstance(node, ast.Starred) and isinstance(node.value, (ast.ListComp, ast.GeneratorExp)):
        made = node.value
        if sequential(made.elt, r):
            # The comprehension makes the calls one by one; gather only collects what they returned.
            return f'*[{piece(r, "asyncio", "value")}(_done) for _done in {r.text(made)}]'
    return r.text(node)


def _result_of_task(node: ast.Call, r: Rewriter) -> str | None:
    """`task.result()` for a task that the snippet made: wait for it."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and func.attr == 'result' and not node.args):
        return None
    if (
        not isinstance(func.value, ast.Name)
        or func.value.id not in r.once('tasks', lambda: _task_names(r))
        or not r.can_await(node)
    ):
        return None
    if keeps_tasks(r):
        return f'(await {piece(r, "asyncio", "awaited")}({func.value.id}))'
    return f'(await {func.value.id})'


def _task_names(r: Rewriter) -> Iterator[str]:
    for node in all_of(r.source.tree, ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)):
                makes = isinstance(func, ast.Attribute) and func.attr == 'create_task'
                if makes or r.scene.member(func) in _WRAPPERS:
                    yield name
            case _:
                pass


_WRAPPERS = {('asyncio', name) for name in ('create_task', 'ensure_future', 'wait_for', 'shield')}
_TASKS = {('asyncio', 'create_task'), ('asyncio', 'ensure_future')}
_OF_TASKS = frozenset(['result', 'done', 'exception', 'cancelled', 'cancel', 'add_done_callback', 'get_name', 'join'])
_RUNNERS = {('asyncio', 'run')}

TASK_RULES: tuple[CallRule, ...] = (_unwrapped, _run, _gather, _result_of_task)
